"""COPA: which of two sentences is the cause or the effect of a premise."""

from collections.abc import Iterable, Iterator
from typing import Any

from corpora.core.items import RELATIONS, Item
from corpora.core.readers.lines import at_line, text_of
from corpora.core.readers.records import Source, label_from_zero, table_records
from corpora.core.readers.xml_records import XmlRecord, xml_records

NAMES = ("query", "choices", "gold", "premise", "choice1", "choice2", "question", "label")
Parts = tuple[str, str, tuple[str, ...], int | None]
"""Premise, relation, options and answer."""
_RELATIONS = {"because": "cause", "therefore": "effect"}
# The id of a mirrored question is that of its original plus this.
MIRRORED = 1000


def read_copa(lines: Source) -> Iterator[Item]:
    """Read COPA: premise, choice1, choice2, question and label, or query, choices and gold.

    SuperGLUE and Hugging Face publish the former; its label counts from 0, and is -1 if unknown. In
    the latter the premise is an unfinished sentence: ``The girl found a bug in her cereal,
    therefore`` and ``she lost her appetite.`` become the premise and the option of COPA, which are
    sentences of their own.

    Raises
    ------
    ValueError
        With the number of the first line that is not such a question.
    """
    for number, record in enumerate(table_records(lines, NAMES), 1):
        with at_line(record.line):
            row = record.fields
            parts = _premise(row) if "premise" in row else _unfinished(row)
            sentence, relation, options, answer = parts
            item = Item(
                id=f"copa-{number:03}",
                group=f"copa-{number:03}",
                sentence=sentence,
                options=options,
                answer=answer,
                form="premise",
                relation=relation,
            )
        yield item


def _premise(row: dict[str, Any]) -> Parts:
    relation = text_of(row, "question").strip().casefold()
    if relation not in RELATIONS:
        raise ValueError(f"“question” must be cause or effect, got {relation!r:.80}")
    options = text_of(row, "choice1").strip(), text_of(row, "choice2").strip()
    return (
        text_of(row, "premise").strip(),
        relation,
        options,
        label_from_zero(row.get("label"), k=2),
    )


def _unfinished(row: dict[str, Any]) -> Parts:
    premise, _, joined = text_of(row, "query").strip().rpartition(", ")
    choices, gold = row.get("choices"), row.get("gold")
    if not premise or joined not in _RELATIONS:
        raise ValueError(f"“query” must end with ', because' or ', therefore': {joined!r}")
    if not isinstance(choices, list) or not all(isinstance(choice, str) for choice in choices):
        raise ValueError(f"“choices” must be texts, got {choices!r:.80}")
    if type(gold) is not int or gold not in range(len(choices)):
        raise ValueError(f"“gold” must be 0 to {len(choices) - 1}, got {gold!r:.80}")
    options = tuple(_capitalised(choice) for choice in choices)
    return f"{premise}.", _RELATIONS[joined], options, gold + 1


def read_balanced_copa(lines: Iterable[str]) -> Iterator[Item]:
    """Read Balanced COPA: each question of COPA's development set and its mirrored one.

    A mirrored question has the same alternatives and another premise, for which the other
    alternative is right. Both are one group; the metadata ``mirrored`` tells them apart.

    Raises
    ------
    ValueError
        With the line of the first question that has another format.

    Notes
    -----
    Source: Kavumba et al. 2019, "When Choosing Plausible Alternatives, Clever Hans can be Clever".
    """
    for record in xml_records(lines, "item"):
        with at_line(record.line):
            item = _item(record)
        yield item


def _item(record: XmlRecord) -> Item:
    id, right, relation = (
        record.attributes.get(name, "") for name in ("id", "most-plausible-alternative", "asks-for")
    )
    if not (id.isascii() and id.isdigit()) or len(id) > 4:
        raise ValueError(f"“id” must be a number of up to four digits, got {id!r:.80}")
    if right not in ("1", "2"):
        raise ValueError(f"“most-plausible-alternative” must be 1 or 2, got {right!r:.80}")
    original = int(id) % MIRRORED
    return Item(
        id=f"balanced_copa-{int(id):04}",
        group=f"balanced_copa-{original:04}",
        sentence=record.one("p"),
        options=(record.one("a1"), record.one("a2")),
        answer=int(right),
        form="premise",
        relation=relation,
        metadata={"mirrored": int(id) > MIRRORED},
    )


def _capitalised(text: str) -> str:
    return text[:1].upper() + text[1:]
