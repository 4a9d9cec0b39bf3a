"""Checks published questions: line by line, then twin by twin. Pure functions.

A question is rejected if it is unusable: a missing or wrong field, no blank or two, an option that
is empty, equal to the other or not in the sentence, twins with the same answer. Other rules for
the platform's own writers only warn (`TOLERATED`): published data was checked elsewhere, and
WinoGrande itself contains sentences of 12 to 14 words.
"""

import hashlib
import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any

from collection.core.advice.cues import Cue, cues
from collection.core.findings import WARNINGS, Finding
from collection.core.matching import pairs
from collection.core.rules import Report, Thresholds, TwinDraft, check_question, check_twin
from collection.core.words import one_blank, one_line
from collection.imports.report import Reject
from tabular import Record, is_unknown, whole_number
from tabular.problems import short

LONGEST_LINE = 64 * 1024
LONGEST_BASE = 200
LONGEST_OPTION = 120
FIELDS = ("qID", "sentence", "option1", "option2", "answer")

TOLERATED = WARNINGS | {
    "too_few_words",
    "too_many_words",
    "invisible_character",
    "blank_glued",
    "overlap_low",
}
"""Codes of the rule checker that are only warnings for published data."""

REASONS = MappingProxyType(
    {
        "field_missing": "The field {field} is missing.",
        "qid_missing": "The field qID is missing, and other lines of the file have it.",
        "field_not_text": "The field {field} must be text, and is {found}.",
        "field_has_nul": "The field {field} contains a NUL character.",
        "field_has_surrogate": "The field {field} contains an unpaired surrogate.",
        "answer_missing": "There is no answer; blind test files cannot be imported.",
        "answer_invalid": "The answer must be 1 or 2, and is {found}.",
        "qid_malformed": "The qID is not a name followed by -1 or -2, so its twin is unknown.",
        "qid_too_long": f"The qID's name is longer than {LONGEST_BASE} characters.",
        "option_too_long": f"An option is longer than {LONGEST_OPTION} characters.",
    }
)
"""Additional errors of one line."""

PAIR_REASONS = MappingProxyType(
    {
        "qid_repeated": "An earlier line of the file has the same qID, or the same question.",
        "options_differ": "The twins have different options, or the same in another order.",
        "answers_same": "The twins have the same answer, so one of them must be wrong.",
        "twins_identical": "The twins do not differ in any word, yet their answers do.",
        "stored_differently": "The campaign has both questions of this qID with different text.",
        "split_differs": "The campaign has this qID in another split, or in none.",
    }
)
"""Errors of a line in relation to other lines or to stored questions."""


@dataclass(frozen=True, slots=True)
class PublishedQuestion:
    """One valid line.

    `source_id` is the qID without its ending, which reveals the answer in WinoGrande 1.1; `ending`
    is only used to find repeated lines and twins and is never stored. Without a qID, both are empty
    until `named` has found the twins. `coin` (56 bits) comes from the sentence's hash and is
    independent of the answer: it decides which twin is number 1.
    """

    source_id: str
    ending: int
    sentence: str
    option1: str
    option2: str
    answer: int
    coin: int

    @property
    def options(self) -> tuple[str, str]:
        """Both options, in the order of the file."""
        return self.option1, self.option2


@dataclass(frozen=True, slots=True)
class Half:
    """One question of a twin to be checked: its sentence and its answer."""

    sentence: str
    answer: int


@dataclass(frozen=True, slots=True)
class Check:
    """The values stored with a twin, or the code in `PAIR_REASONS` that rejects it."""

    refused: str | None
    warnings: tuple[str, ...]
    report: Report | None
    cues: tuple[Cue, ...] = ()


class _RefusedError(Exception):
    """Passes code and message to the place that creates the `Reject`."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(code, message)
        self.code, self.message = code, message


def decide(
    record: Record, *, thresholds: Thresholds, is_named: bool = True
) -> PublishedQuestion | Reject:
    """Return the question of a record, or the reject; never raises.

    Parameters
    ----------
    record : Record
        With the fields `FIELDS`, all text but the answer, which may be a number.
    thresholds : Thresholds
        The campaign's thresholds; only the maximum length in characters rejects a line.
    is_named : bool, optional
        Whether the file has qIDs; without them, `named` gives the questions their names.
    """
    if (fault := record.problem) is not None:
        return Reject(record.line, fault.code, fault.sentence)
    try:
        qid = _text(record.fields, "qID") if is_named else ""
        sentence, *options = (_text(record.fields, name) for name in FIELDS[1:-1])
        answer = _answer(record.fields.get("answer"))
        source_id, ending = _split(qid) if is_named else ("", 0)
    except _RefusedError as refusal:
        return Reject(record.line, refusal.code, refusal.message)
    try:
        return _question(
            source_id, ending, sentence, options[0], options[1], answer, thresholds=thresholds
        )
    except _RefusedError as refusal:
        return Reject(record.line, refusal.code, refusal.message, source_id)


def named(questions: Sequence[PublishedQuestion]) -> Iterator[PublishedQuestion]:
    """Yield questions without qIDs with names made of their text, the same for twins.

    Twins are found by their text (`pairs`). A name tells neither the answer nor the place in the
    file, so that a second import finds the questions again.
    """
    twins = dict(pairs(questions))
    twins |= {second: first for first, second in twins.items()}
    for place, question in enumerate(questions):
        twin = questions[twins.get(place, place)]
        sentences = sorted({question.sentence, twin.sentence})
        text = json.dumps([sorted(question.options), sentences])
        name = hashlib.sha256(text.encode()).hexdigest()[:32]
        ending = 1 + sentences.index(question.sentence)
        yield replace(question, source_id=f"text-{name}", ending=ending)


def check_pair(
    options: tuple[str, str], halves: tuple[Half, Half], *, thresholds: Thresholds
) -> Check:
    """Check two valid questions as twins, in the order of their numbers."""
    draft = TwinDraft(
        sentences=(halves[0].sentence, halves[1].sentence),
        options=options,
        answers=(halves[0].answer, halves[1].answer),
    )
    report = check_twin(draft, thresholds=thresholds)
    refused = next((item.code for item in report.findings if item.code not in TOLERATED), None)
    own = cues(draft.sentences, draft.options, draft.answers, report.trigger)
    return Check(refused, _warned(report.findings), report, own)


def check_unpaired(options: tuple[str, str], half: Half, *, thresholds: Thresholds) -> Check:
    """Check one valid question whose twin is missing."""
    findings = check_question(half.sentence, options, half.answer, thresholds=thresholds)
    return Check(None, _warned(findings), None)


def _warned(findings: Iterable[Finding]) -> tuple[str, ...]:
    return tuple(sorted({item.code for item in findings if item.code in TOLERATED}))


def _text(fields: dict[str, Any], name: str) -> str:
    value = fields.get(name)
    if name not in fields:
        raise _refusal("qid_missing" if name == "qID" else "field_missing", field=name)
    if not isinstance(value, str):
        raise _refusal("field_not_text", field=name, found=short(value))
    if "\0" in value:
        raise _refusal("field_has_nul", field=name)
    if not (value.isascii() or _is_utf8(value)):
        raise _refusal("field_has_surrogate", field=name)
    return value


def _answer(value: Any) -> int:
    if is_unknown(value):
        raise _refusal("answer_missing")
    if (number := whole_number(value)) not in (1, 2):
        raise _refusal("answer_invalid", found=short(value))
    return number


def _is_utf8(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _split(qid: str) -> tuple[str, int]:
    base, dash, ending = qid.rpartition("-")
    if not (base.strip() and dash and ending in ("1", "2")):
        raise _refusal("qid_malformed")
    if len(base) > LONGEST_BASE:
        raise _refusal("qid_too_long")
    return base, int(ending)


def _question(
    source_id: str,
    ending: int,
    sentence: str,
    option1: str,
    option2: str,
    answer: int,
    *,
    thresholds: Thresholds,
) -> PublishedQuestion:
    sentence, option1, option2 = one_blank(sentence), one_line(option1), one_line(option2)
    if max(len(option1), len(option2)) > LONGEST_OPTION:
        raise _refusal("option_too_long")
    for item in check_question(sentence, (option1, option2), answer, thresholds=thresholds):
        if item.code not in TOLERATED:
            raise _RefusedError(item.code, item.message)
    digest = hashlib.sha256(sentence.encode()).digest()
    coin = int.from_bytes(digest[:7])
    return PublishedQuestion(source_id, ending, sentence, option1, option2, answer, coin)


def _refusal(code: str, **values: str) -> _RefusedError:
    return _RefusedError(code, REASONS[code].format(**values))
