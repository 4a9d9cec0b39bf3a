"""The files of a knowledge release: names and lines."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import count
from typing import Any, TypeVar

from corpora.core.bundle import codec
from corpora.core.bundle.layout import jsonl
from corpora.core.bundle.reading import Bundle as Archive
from corpora.core.items import Item
from knowledge.core.bundle import layout
from knowledge.core.bundle.folds import folds_of
from knowledge.core.bundle.records import (
    About,
    Bundle,
    ClaimRecord,
    FormalisationRecord,
    FormulaRecord,
    PairRecord,
    VoteRecord,
    WordsRecord,
    is_valid,
)
from knowledge.core.released import VARIANTS, ReleasedProblem, columns

T = TypeVar("T")
LONGEST_LINE = 1 << 20
"""Bytes; a formalisation has at most 40 formulas of 2,000 characters."""
FIELDS = {
    layout.QUESTIONS: "questions",
    layout.PAIRS: "pairs",
    layout.FORMULAS: "formulas",
    layout.WORDS: "words",
    layout.FORMALISATIONS: "formalisations",
    layout.VOTES: "votes",
}
"""The fields of a bundle by their files; claims are long, so they are passed line by line."""
KINDS = {
    layout.PAIRS: PairRecord,
    layout.FORMULAS: FormulaRecord,
    layout.WORDS: WordsRecord,
    layout.FORMALISATIONS: FormalisationRecord,
    layout.VOTES: VoteRecord,
}


def record_lines(records: Iterable[Any]) -> Iterator[bytes]:
    """Yield the lines of one of the files in `FIELDS`."""
    for record in records:
        yield (
            f"{record.to_line()}\n" if isinstance(record, Item) else codec.to_line(record)
        ).encode()


def read_bundle(about: About, archive: Archive) -> Bundle:
    """Read the records of a release from the files in `FIELDS`.

    Raises
    ------
    ValueError
        With the file and the line of the first record that has another form.
    """
    values = {
        field: tuple(_records(name, archive, _reader(name))) for name, field in FIELDS.items()
    }
    return Bundle(about=about, **values)  # type: ignore[arg-type]  # by the readers of `FIELDS`


def read_claims(archive: Archive) -> Iterator[ClaimRecord]:
    """Yield the claims of a release, with errors as in `read_bundle`."""
    return _records(layout.PROOFS, archive, lambda line: codec.from_json(ClaimRecord, line))


def _reader(name: str) -> Callable[[str], Any]:
    if name == layout.QUESTIONS:
        return Item.from_line
    return lambda line: codec.from_json(KINDS[name], line)


def _records(name: str, archive: Archive, read: Callable[[str], T]) -> Iterator[T]:
    lines = archive.lines(name, longest=LONGEST_LINE)
    for number in count(1):
        try:
            line = next(lines, None)
            if line is None:
                return
            record = read(line.decode())
        except (ValueError, RecursionError) as error:  # also what is not UTF-8
            raise ValueError(f"{name}, line {number}: {error!s:.300}") from error
        yield record


JSON_COLUMNS = ("id", "pair", "question", "group", "sentence", "pronoun", "right", "wrong",
                "knowledge", "text", "label", "kind", "valid")  # fmt: skip
NLI_COLUMNS = ("id", "premise", "hypothesis", "label")
WINOWHY_COLUMNS = ("sentence", "wnli_sent1", "wnli_sent2", "label", "wsc_num", "fold_num")
ENTAILMENT, OTHERWISE = "entailment", "not_entailment"


@dataclass(frozen=True, slots=True)
class Writer:
    """Writes the lines of each problem for all files that have it.

    Parameters
    ----------
    items : dict of str to Item
        The questions by id.
    numbers : dict of str to int
        The place of each question in ``questions.jsonl``, from 0.
    folds : dict of str to int
        From 0 to 4, by group.
    valid : set of str or None
        Pairs of two valid problems; None if nobody validated the set.
    """

    items: dict[str, Item]
    numbers: dict[str, int]
    folds: dict[str, int]
    valid: frozenset[str] | None

    @classmethod
    def of(cls, bundle: Bundle) -> Writer:
        """Return the writer of a release."""
        validated = bundle.about.validation is not None
        return cls(
            items={item.id: item for item in bundle.questions},
            numbers={item.id: number for number, item in enumerate(bundle.questions)},
            folds=folds_of(item.group for item in bundle.questions),
            valid=frozenset(pair.pair for pair in bundle.pairs if is_valid(pair))
            if validated
            else None,
        )

    @property
    def heads(self) -> dict[str, bytes]:
        """What each file begins with; some have no head."""
        return {name: head for variant in VARIANTS for name, head in self._heads(variant)}

    def lines(self, one: ReleasedProblem) -> Iterator[tuple[str, bytes]]:
        """Yield the line of a problem for each file that has it."""
        line = _json_line(one)
        yield jsonl(one.variant), line
        if self.valid is not None and one.pair in self.valid:
            yield layout.valid(jsonl(one.variant)), line
        yield layout.nli(one.variant), _csv(self._nli(one))
        yield layout.winowhy(one.variant), _csv(self._winowhy(one))

    def _heads(self, variant: str) -> Iterator[tuple[str, bytes]]:
        yield jsonl(variant), b""
        if self.valid is not None:
            yield layout.valid(jsonl(variant)), b""
        yield layout.nli(variant), _csv(NLI_COLUMNS)
        yield layout.winowhy(variant), _csv(WINOWHY_COLUMNS)

    def _nli(self, problem: ReleasedProblem) -> Sequence[str]:
        item = self.items[problem.question]
        assert item.answer is not None  # else it is no question for a problem
        hypothesis = item.filled[item.answer - 1]
        return problem.id, problem.premise, hypothesis, ENTAILMENT if problem.label else OTHERWISE

    def _winowhy(self, one: ReleasedProblem) -> Sequence[str]:
        problem = one.problem
        first = f"{problem.sentence} "
        second = f"{problem.claim} because {problem.knowledge}"
        number, fold = self.numbers[one.question], self.folds[one.group]
        return first + second, first, second, str(int(one.label)), str(number), str(fold)


def _json_line(released_problem: ReleasedProblem) -> bytes:
    values = columns(released_problem) | {"text": released_problem.problem.text}
    shown = {name: values[name] for name in JSON_COLUMNS}
    return (json.dumps(shown, ensure_ascii=False) + "\n").encode()


def _csv(values: Sequence[str]) -> bytes:
    line = io.StringIO()
    csv.writer(line, lineterminator="\n").writerow(values)
    return line.getvalue().encode()
