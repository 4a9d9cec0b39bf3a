"""The published form of questions: WinoGrande's columns, without anything that reveals the answer.

In WinoGrande 1.1 the ending of qID equals the answer, even in the blind test file. Here ids and
the order of options come from a keyed hash that cannot be predicted without the key.
"""

from __future__ import annotations

import base64
import hmac
import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from corpora.core.items import TwinItem

SPLITS = ("train", "dev", "test")
_BASE_LENGTH = 30  # as in WinoGrande's ids


@dataclass(frozen=True, slots=True)
class PublishedRow:
    """One published question.

    Parameters
    ----------
    qid : str
        ``<30 random letters and digits>-<1|2>``; twins share the base, the ending is random.
    sentence, option1, option2 : str
    answer : int
        1 or 2, after the options were shuffled.
    source_id : str
        The question's id inside the platform; never written to a file.
    swapped : bool
        Whether the options were swapped; the same for both twins.
    """

    qid: str
    sentence: str
    option1: str
    option2: str
    answer: int
    source_id: str
    swapped: bool


@dataclass(frozen=True, slots=True)
class Published:
    """A release's rows by split, each sorted by qid."""

    train: tuple[PublishedRow, ...]
    dev: tuple[PublishedRow, ...]
    test: tuple[PublishedRow, ...]

    @property
    def splits(self) -> dict[str, tuple[PublishedRow, ...]]:
        """The rows by split, in the order train, dev, test."""
        return {"train": self.train, "dev": self.dev, "test": self.test}


def publish(questions: Sequence[TwinItem], *, splits: Mapping[str, str], key: bytes) -> Published:
    """Convert questions to their published form and assign them to their splits.

    Parameters
    ----------
    questions : sequence of TwinItem
        With distinct ids; their order does not matter.
    splits : mapping of str to str
        'train', 'dev' or 'test' by twin.
    key : bytes, at least 16
        Secret and specific to this release. Every random choice and id is an HMAC with it, so the
        same questions and key give the same release, and without the key the published files
        reveal neither the choices nor which rows of two releases are the same question.

    Returns
    -------
    Published

    Raises
    ------
    ValueError
        When ids repeat, more than two questions share a twin, a split is missing or unknown, or
        ``key`` is too short.
    """
    if len(key) < 16:
        raise ValueError(f"key must be at least 16 bytes, got {len(key)}")
    _require_pairs(questions)
    rows: dict[str, list[PublishedRow]] = {"train": [], "dev": [], "test": []}
    endings = _endings(questions, key)
    for question in questions:
        split = splits.get(question.group)
        if split not in rows:
            raise ValueError(f"splits must have a split of twin {question.group!r}, got {split!r}")
        rows[split].append(_published(question, endings[question.id], key))
    by_split = {name: tuple(sorted(part, key=lambda row: row.qid)) for name, part in rows.items()}
    return Published(**by_split)


def to_jsonl(rows: Iterable[PublishedRow], *, blind: bool = False) -> Iterator[str]:
    """Yield WinoGrande's JSON lines, including the newline.

    Parameters
    ----------
    rows : iterable of PublishedRow
    blind : bool
        Omit ``answer``, as in a test file with secret labels.

    Yields
    ------
    str
        Columns qID, sentence, option1, option2 and, unless blind, answer as '1' or '2'.
    """
    for row in rows:
        columns = {
            "qID": row.qid,
            "sentence": row.sentence,
            "option1": row.option1,
            "option2": row.option2,
        }
        if not blind:
            columns["answer"] = str(row.answer)
        yield json.dumps(columns) + "\n"


def _published(question: TwinItem, ending: int, key: bytes) -> PublishedRow:
    swapped = _coin(key, "swap", question.group)
    first, second = question.options[::-1] if swapped else question.options
    base = base64.b32encode(_digest(key, "base", question.group)).decode()[:_BASE_LENGTH]
    return PublishedRow(
        qid=f"{base}-{ending}",
        sentence=question.sentence,
        option1=first,
        option2=second,
        answer=3 - question.answer if swapped else question.answer,
        source_id=question.id,
        swapped=swapped,
    )


def _endings(questions: Sequence[TwinItem], key: bytes) -> dict[str, int]:
    # Twins are ordered by the HMAC of their ids, since the ids themselves may reveal the answer.
    # The ending of an unpaired question is random too: a constant 1 would reveal that its twin
    # was filtered out.
    first: dict[str, TwinItem] = {}
    endings = {}
    for question in questions:
        twin = first.setdefault(question.group, question)
        endings[question.id] = 1 + _coin(key, "ending", question.id)
        if twin is not question:
            earlier = _digest(key, "ending", twin.id) < _digest(key, "ending", question.id)
            endings[twin.id], endings[question.id] = (1, 2) if earlier else (2, 1)
    return endings


def _require_pairs(questions: Sequence[TwinItem]) -> None:
    ids = Counter(question.id for question in questions)
    twins = Counter(question.group for question in questions)
    for name, counts, most in (("id", ids, 1), ("twin", twins, 2)):
        value, count = counts.most_common(1)[0] if counts else ("", 0)
        if count > most:
            raise ValueError(
                f"questions must share {name} {value!r} at most {most} times, got {count}"
            )


def _coin(key: bytes, purpose: str, name: str) -> bool:
    return bool(_digest(key, purpose, name)[0] & 1)


def _digest(key: bytes, purpose: str, name: str) -> bytes:
    return hmac.digest(key, f"{purpose}\0{name}".encode(), "sha256")
