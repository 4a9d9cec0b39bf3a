"""WinoWhy: reasons for the answers of WSC273, with the share of five people who accepted each."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from collection.core.repeats import Repeats, RepeatTable
from corpora.core.items import Item
from corpora.core.readers.lines import at, at_line, json_value, text_of
from corpora.core.readers.mask_records import grouped
from corpora.core.readers.records import Source, as_binary
from knowledge.core.problems import Problem, read_problem
from knowledge.core.reasons import AskedItem, Validity, types_of, validity_of
from tabular import read_records, strict

LONGEST_FILE = 20_000_000
"""Characters a file may have; the published ones have up to 1.3 million."""
SOURCES = ("human", "gpt", "reverse")
TYPE_NAMES = {
    "Property": "property",
    "Object": "object",
    "Temporal": "eventuality",
    "Spatial": "spatial",
    "Quantity": "quantity",
    "Others": "others",
}
"""The published names of the knowledge types; a seventh, "Causal", has no questions."""
COLUMNS = ("sentence", "label", "wsc_num", "fold_num")
N_VOTES = 5


@dataclass(frozen=True, slots=True)
class WhyQuestion:
    """A question that reasons are about.

    Parameters
    ----------
    number : int
        In WSC273, from 0.
    group : str
        Shared by twins.
    asked : AskedItem
    types : tuple of str
        Knowledge types, of `reasons.TYPES`.
    """

    number: int
    group: str
    asked: AskedItem
    types: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class WhyReason:
    """A reason as it was published.

    Parameters
    ----------
    question : int
        In WSC273, from 0.
    number : int
        Among the question's reasons, from 0.
    text : str
    source : {'human', 'gpt', 'reverse'}
        Written by a person; by a model; by a person for the wrong answer, then turned around.
    n_accepted : int from 0 to 5
    """

    question: int
    number: int
    text: str
    source: str
    n_accepted: int

    @property
    def share(self) -> Decimal:
        """Of five people, those who accepted the reason."""
        return Decimal(self.n_accepted) / N_VOTES

    @property
    def validity(self) -> Validity:
        return validity_of(self.share)


@dataclass(frozen=True, slots=True)
class Example:
    """A row of the published training data.

    Parameters
    ----------
    problem : Problem
    is_valid : bool
    question : int
        In WSC273, from 0.
    fold : int
        As published; the reasons of one question are in several folds.
    """

    problem: Problem
    is_valid: bool
    question: int
    fold: int


def read_reasons(
    text: str, types: str = "{}"
) -> tuple[tuple[WhyQuestion, ...], tuple[WhyReason, ...]]:
    """Read ``winowhy.json`` and ``cat_ref.json``.

    Parameters
    ----------
    text : str
        A JSON array of questions with their reasons.
    types : str
        A JSON object from a knowledge type to question numbers.

    Returns
    -------
    tuple of WhyQuestion and tuple of WhyReason

    Raises
    ------
    ValueError
        With the first question that has another format.
    """
    records = _json(text, list, "winowhy.json must be a JSON array")
    of_type = _of_type(types)
    items: list[AskedItem] = []
    reasons: list[WhyReason] = []
    for number, record in enumerate(records):
        with at(f"question {number}"):
            items.append(_item_of(record))
            reasons += _reasons(record, number)
    groups = [item.group for item in grouped([_item(k, item) for k, item in enumerate(items)])]
    questions = (
        WhyQuestion(k, group, item, types_of(of_type, k))
        for k, (item, group) in enumerate(zip(items, groups, strict=True))
    )
    return tuple(questions), tuple(reasons)


def repeats_among(reasons: Iterable[WhyReason]) -> Repeats:
    """Count the reasons with the text of another one of the question, by whether both are valid.

    Undecided ones have no answer.
    """
    table = RepeatTable()
    for reason in reasons:
        answer = {Validity.VALID: 1, Validity.INVALID: 2}.get(reason.validity)
        table.add(str(reason.question), reason.text, options=("valid", "invalid"), answer=answer)
    return table.count()


def read_examples(lines: Source) -> Iterator[Example]:
    """Read ``dataset.csv``: valid and invalid reasons in the frame of a problem.

    Raises
    ------
    ValueError
        With the line of the first row that has another format.
    """
    for record in strict(read_records(as_binary(lines), known=COLUMNS, required=COLUMNS)):
        row = record.fields
        with at_line(record.line):
            if row["label"] not in ("0", "1"):
                raise ValueError(f"“label” must be 0 or 1, got {row['label']!r:.80}")
            yield Example(
                problem=read_problem(row["sentence"]),
                is_valid=row["label"] == "1",
                question=_number(row["wsc_num"]),
                fold=_number(row["fold_num"]),
            )


def _json(text: str, kind: type, message: str) -> Any:
    if len(text) > LONGEST_FILE:
        raise ValueError(f"the file has more than {LONGEST_FILE:,} characters")
    value = json_value(text)
    if not isinstance(value, kind):
        raise ValueError(message)
    return value


def _of_type(text: str) -> dict[str, Sequence[int]]:
    categories = _json(text, dict, "cat_ref.json must be a JSON object")
    for name, questions in categories.items():
        numbers = isinstance(questions, list) and all(type(number) is int for number in questions)
        if not numbers or (questions and name not in TYPE_NAMES):
            raise ValueError(f"cat_ref.json: {name!r:.80} must be a known type of whole numbers")
    return {TYPE_NAMES[name]: questions for name, questions in categories.items() if questions}


def _item_of(record: Any) -> AskedItem:
    if not isinstance(record, dict) or not isinstance(record.get("text"), Mapping):
        raise ValueError("expected an object with a text in three pieces")
    before, pronoun, after = (text_of(record["text"], name) for name in ("txt1", "pron", "txt2"))
    answers = record.get("answers")
    letter = text_of(record, "correctAnswer").strip(" .")
    if not isinstance(answers, list) or list(map(type, answers)) != [str, str]:
        raise ValueError("expected two answers")
    if letter not in ("A", "B"):
        raise ValueError(f"expected A or B as the right answer, got {letter!r:.80}")
    right, wrong = answers if letter == "A" else answers[::-1]
    return AskedItem(before.strip(), pronoun.strip(), after.strip(), right.strip(), wrong.strip())


def _reasons(record: Mapping[str, Any], question: int) -> Iterator[WhyReason]:
    reasons = record.get("reasons")
    if not isinstance(reasons, list):
        raise ValueError("expected a list of reasons")
    for number, entry in enumerate(reasons):
        with at(f"reason {number}"):
            yield _reason(entry, question, number)


def _reason(entry: Any, question: int, number: int) -> WhyReason:
    if not isinstance(entry, list) or len(entry) != 4:
        raise ValueError("expected text, source, share and label")
    text, source, share, label = entry
    if not isinstance(text, str) or not text.strip() or "\0" in text:
        raise ValueError("a reason must be text")
    if source not in SOURCES:
        raise ValueError(f"a source is one of {', '.join(SOURCES)}; got {source!r:.80}")
    fifths = round(share * N_VOTES, 6) if type(share) in (int, float) else -1
    if fifths not in range(N_VOTES + 1):
        raise ValueError(f"a share is a number of fifths from 0 to 1, got {share!r:.80}")
    reason = WhyReason(question, number, text, source, int(fifths))
    if not isinstance(label, str) or label.lower() != reason.validity:
        raise ValueError(f"{share} of the votes are not {label!r:.80}")
    return reason


def _item(number: int, item: AskedItem) -> Item:
    before = f"{item.before} " if item.before else ""
    return Item(
        id=str(number),
        group=str(number),
        sentence=f"{before}{item.pronoun} {item.after}",
        options=(item.right, item.wrong),
        form="pronoun",
        span=(len(before), len(before) + len(item.pronoun)),
    )


def _number(text: str) -> int:
    if not re.fullmatch(r"[0-9]{1,6}", text):
        raise ValueError(f"expected a whole number, got {text!r:.80}")
    return int(text)
