"""Leaks of published files: their order, and clues of whole files such as size and hash."""

import hashlib
import heapq
import json
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby

from corpora.core.clues.questions import Question
from corpora.core.clues.testing import Count, family
from corpora.core.leaks.lookup import key_of_text
from corpora.core.leaks.results import FAMILIES, FILES, Section

COLUMNS = ("qID", "sentence", "option1", "option2")
# Columns that releases may have beside WinoGrande's, with their values.
FIELDS: Mapping[str, tuple[str, ...]] = {
    "domain": ("social", "physical"),
    "origin": ("typed", "pasted", "unknown"),
}

Key = tuple[str, str]


@dataclass(frozen=True, slots=True)
class PublishedFile:
    """A file of questions, as published, with its labels.

    Parameters
    ----------
    name : str
        Such as ``train_xs.jsonl``; its split is the part before the first ``_`` or ``.``.
    rows : iterable of mapping
        In the order of the file, with all columns that are published in any file of the release:
        those of `COLUMNS` and any of `FIELDS`. An ``answer`` is ignored. It is read several times.
        A list may be in any order; another iterable must be sorted by qID.
    answers : iterable of int
        1 or 2 for each row, as in the file of labels.
    n_rows : int
    size : int, optional
        In bytes.
    sha256 : str, optional
        Hexadecimal.
    """

    name: str
    rows: Iterable[Mapping[str, str]]
    answers: Iterable[int]
    n_rows: int
    size: int = 0
    sha256: str = ""

    @property
    def split(self) -> str:
        """The split whose questions the file has: train, dev or test."""
        return self.name.partition(".")[0].partition("_")[0]


@dataclass(frozen=True)
class PlacedRow:
    """A published question with its places.

    Parameters
    ----------
    base, ending : str
        The parts of the qID; twins share the base.
    columns : mapping of str to str
    answer : int
        1 or 2.
    lines : mapping of str to int
        The line, from 0, in each file that has the question.
    home : PublishedFile
        The largest of these files.
    """

    base: str
    ending: str
    columns: Mapping[str, str]
    answer: int
    lines: Mapping[str, int]
    home: PublishedFile

    @property
    def line(self) -> int:
        """The line in the largest file, from 0."""
        return self.lines[self.home.name]

    @cached_property
    def hash_byte(self) -> int:
        """The first byte of the SHA-256 of the row as JSON, without the answer."""
        text = json.dumps([self.columns[name] for name in COLUMNS]).encode()
        return hashlib.sha256(text).digest()[0]

    @cached_property
    def sentence_key(self) -> int:
        return key_of_text(self.sentence)

    @cached_property
    def question(self) -> Question:
        """Its sentence and options, where clues of texts are looked for."""
        return Question(self.sentence, self.options)

    @property
    def sentence(self) -> str:
        return self.columns["sentence"]

    @property
    def options(self) -> tuple[str, str]:
        return self.columns["option1"], self.columns["option2"]


Unit = tuple[PlacedRow, ...]


def key_of(qid: str) -> Key:
    """Return the base that twins share, and the ending."""
    base, dash, ending = qid.rpartition("-")
    return (base, ending) if dash else (qid, "")


def units(files: Sequence[PublishedFile]) -> Iterator[Unit]:
    """Yield the questions of a split in the order of their ids, twins together.

    Parameters
    ----------
    files : sequence of PublishedFile
        A question that several files have is one row.

    Yields
    ------
    tuple of one or two PlacedRow
        Twins in the order of their lines.

    Raises
    ------
    ValueError
        When a stream is not sorted, numbers of rows and answers differ, an answer is neither 1 nor
        2 or differs between files, a column is unknown, or more than two rows share a base.
    """
    merged = heapq.merge(*map(_numbered, files), key=lambda pair: pair[0])
    placed = (_placed(key, list(same)) for key, same in groupby(merged, key=lambda pair: pair[0]))
    for base, twins in groupby(placed, key=lambda row: row.base):
        unit = tuple(sorted(twins, key=lambda row: row.line))
        if len(unit) > 2:
            raise ValueError(f"at most two rows may share the base of a qID, got more of {base!r}")
        yield unit


_Numbered = tuple[Key, int, PublishedFile, Mapping[str, str], int]


def _numbered(file: PublishedFile) -> Iterator[_Numbered]:
    entries = (
        (key_of(row["qID"]), line, file, row, answer)
        for line, (row, answer) in enumerate(zip(file.rows, file.answers, strict=True))
    )
    if isinstance(file.rows, list):
        yield from sorted(entries, key=lambda entry: entry[:2])
        return
    last: Key = ("", "")
    for record in entries:
        if record[0] < last:
            raise ValueError(f"{file.name} must be sorted by qID, got {record[0]} after {last}")
        last = record[0]
        yield record


def _placed(key: Key, same: Sequence[_Numbered]) -> PlacedRow:
    _, _, home, row, answer = max(same, key=lambda entry: entry[2].n_rows)
    unknown = row.keys() - {*COLUMNS, *FIELDS, "answer"}
    if unknown:
        raise ValueError(f"rows must have known columns only, got {sorted(unknown)}")
    answers = {entry[4] for entry in same}
    if answers - {1, 2} or len(answers) > 1:
        # Without the answers: the message is logged, and they may be blind ones.
        raise ValueError(f"a question must have one answer, 1 or 2, unlike {'-'.join(key)!r}")
    return PlacedRow(*key, row, answer, {entry[2].name: entry[1] for entry in same}, home)


Files = Sequence[PublishedFile]
HASH_BITS = 4


def files_section(
    releases: Mapping[str, Files], *, name: str, blind: Collection[str], alpha: float
) -> Section:
    """Test whether size, number of rows or hash of files tell which label most rows have.

    The largest file of each split of each release is one throw, if its number of rows is odd:
    then one label has the majority, and each with equal probability.
    """
    files = [file for part in releases.values() for file in _largest(part)]
    odd = [file for file in files if file.n_rows % 2 and file.sha256]
    tests = family(FAMILIES[0], _counts(odd), alpha=alpha, n=len(odd), unit=FILES)
    return Section(
        release=name,
        split=FILES,
        blind=any(file.split in blind for file in odd),
        others=tuple(other for other in releases if other != name),
        pairs=0,
        unpaired=len(odd),
        publication=(tests,),
        text=(),
    )


def _largest(files: Files) -> Iterable[PublishedFile]:
    by_split: dict[str, PublishedFile] = {}
    for file in sorted(files, key=lambda published: (published.n_rows, published.name)):
        by_split[file.split] = file
    return by_split.values()


def _counts(files: Files) -> list[Count]:
    majority = [2 * sum(answer == 1 for answer in file.answers) > file.n_rows for file in files]
    features = [_file_features(file) for file in files]
    names = features[0] if features else ()
    return [
        (
            name,
            len(files),
            sum(says[name] == label for says, label in zip(features, majority, strict=True)),
        )
        for name in names
    ]


def _file_features(file: PublishedFile) -> dict[str, bool]:
    first = int(file.sha256[:2], 16)
    bits = {f"bit {bit} of the file's SHA-256": bool(first >> bit & 1) for bit in range(HASH_BITS)}
    return {"odd size": file.size % 2 == 1, "rows modulo 4": file.n_rows % 4 == 1, **bits}
