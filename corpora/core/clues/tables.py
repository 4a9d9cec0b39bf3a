"""The words of sentences as columns, and their tables of counts."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix

from corpora.core.clues.numbers import PUNCTUATION
from corpora.core.clues.questions import Question


def words_of(question: Question) -> list[str]:
    """Return a sentence's words, those at its ends and at the blank, and their lengths."""
    words = question.sentence.split()
    plain = [word.strip(PUNCTUATION).lower() for word in words]
    return [
        *plain,
        *(f"a word of {len(word)} letters" for word in plain),
        *_at("first word", plain[:1]),
        *_at("last word", plain[-1:]),
        *_at("word before the blank", question.sentence[: question.blank].split()[-1:]),
        *_at("word after the blank", question.sentence[question.blank + 1 :].split()[:1]),
    ]


def words_beside(question: Question, option: int) -> list[str]:
    """Return the words before and after each mention of an option, and its own at their ends."""
    words = []
    for start, end in question.mentions[option]:
        words += _at("word before the option", question.sentence[:start].split()[-1:])
        words += _at("word after the option", question.sentence[end:].split()[:1])
    return words


def contexts(question: Question, option: int) -> list[str]:
    """Return an option as it is listed, and its mentions with three characters on either side."""
    sentence = question.sentence
    return [
        question.options[option],
        *(sentence[max(0, start - 3) : end + 3] for start, end in question.mentions[option]),
    ]


def _at(place: str, words: Sequence[str]) -> list[str]:
    return [f"{place} {word}" for word in words]


Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Signs = NDArray[np.int8]
Said: TypeAlias = csr_matrix | Signs

COUNTS, SURPLUS, MARKS = range(3)


@dataclass(frozen=True, slots=True)
class Labelled:
    """Units with labels, and which option each way of naming one names.

    Parameters
    ----------
    labels : float (n,)
        1 if the answer of a unit's first question is option 1, else -1.
    options : float (n, m)
        1 for option 1, -1 for option 2, 0 for neither.
    marks : float (n,)
        Random whole numbers. Columns with the same sum of them are the same, so that one test of
        them is enough.
    """

    labels: Floats
    options: Floats
    marks: Floats

    def part(self, rows: slice) -> Labelled:
        return Labelled(self.labels[rows], self.options[rows], self.marks[rows])

    def first(self, ways: int) -> Labelled:
        """The same with the first ways of naming an option."""
        return Labelled(self.labels, self.options[:, :ways], self.marks)

    @property
    def alone(self) -> Labelled:
        """The same for columns that name an option by themselves."""
        return Labelled(self.labels, np.ones((len(self.labels), 1)), self.marks)

    @property
    def summed(self) -> Floats:
        """The labels and the marks of units whose option is named: (n, 2 m)."""
        return np.hstack([self.labels[:, None] * self.options, self.marks[:, None] * self.options])


@dataclass
class Table:
    """Counts of columns times ways of naming an option.

    Parameters
    ----------
    name_of : callable
        Of a column, its name.
    ways : sequence of str
        The names of the m ways; empty for columns that name an option by themselves.
    """

    name_of: Callable[[int], str]
    ways: Sequence[str] = ()
    sums: Floats = field(init=False)  # (n_columns, 3 m)

    def __post_init__(self) -> None:
        self.sums = np.zeros((0, 3 * self.width))

    @property
    def width(self) -> int:
        return len(self.ways) or 1

    def name(self, column: int, way: int) -> str:
        """Return the name of a clue."""
        return ": ".join([self.name_of(column), *self.ways[way : way + 1]])

    def scores(self, said: Said, units: Labelled) -> Floats:
        """Return for each way how clearly the columns speak for option 1, by earlier units: (n, m).

        A column counts by how often it has been right, less what is expected by chance.
        """
        columns, local = _compact(said)
        self._grow(columns)
        throws, surplus = self._part(COUNTS)[columns], self._part(SURPLUS)[columns]
        squared = np.maximum(surplus**2, 1)
        weights = surplus / (throws + 1) * np.maximum(0, 1 - throws / squared)
        return np.asarray(local @ weights) * units.options

    def add(self, said: Said, units: Labelled) -> None:
        """Count units of which the columns say 1, -1 or 0: (n, n_columns)."""
        columns, local = _compact(said)
        self._grow(columns)
        throws = abs(local).T @ np.abs(units.options)
        self.sums[columns] += np.hstack([throws, local.T @ units.summed])

    def _part(self, part: int) -> Floats:
        return self.sums[:, part * self.width : (part + 1) * self.width]

    def _grow(self, columns: Ints) -> None:
        needed = int(columns.max(initial=-1)) + 1
        if needed > len(self.sums):
            more = max(needed, len(self.sums) * 2) - len(self.sums)
            self.sums = np.vstack([self.sums, np.zeros((more, 3 * self.width))])

    @property
    def totals(self) -> tuple[Floats, Floats, Floats]:
        """Return throws, surplus and marks, each (n_columns, m)."""
        return self._part(COUNTS), self._part(SURPLUS), self._part(MARKS)


def _compact(block: Said) -> tuple[Ints, csr_matrix | Floats]:
    """Return the columns that say anything, and what they say."""
    if isinstance(block, csr_matrix):
        columns, places = np.unique(block.indices, return_inverse=True)
        shape = (block.shape[0], len(columns))
        return columns.astype(np.int64), csr_matrix((block.data, places, block.indptr), shape=shape)
    return np.arange(block.shape[1]), block.astype(np.float64)


@dataclass
class Vocabulary:
    """Columns by what they stand for, in the order in which it is seen; at most ``most``."""

    most: int
    columns: dict[Hashable, int] = field(default_factory=dict)
    keys: list[Hashable] = field(default_factory=list)

    def of(self, keys: Sequence[Hashable]) -> Ints:
        """Return the column of each key; -1 if there is no room for it."""
        columns = self.columns
        for key in keys:
            if key not in columns and len(columns) < self.most:
                columns[key] = len(columns)
                self.keys.append(key)
        return np.array([columns.get(key, -1) for key in keys], dtype=np.int64)


def occurrences(
    vocabulary: Vocabulary, rows: Ints, keys: Sequence[Hashable] | Ints, signs: Floats, *, n: int
) -> csr_matrix:
    """Return how often each row has each key, times the signs: (n, n_columns)."""
    if isinstance(keys, np.ndarray):
        different, inverse = np.unique(keys, return_inverse=True)
        columns = vocabulary.of(different.tolist())[inverse]
    else:
        columns = vocabulary.of(keys)
    room = columns >= 0
    shape = (n, len(vocabulary.columns))
    matrix = csr_matrix((signs[room], (rows[room], columns[room])), shape=shape)
    matrix.sum_duplicates()
    return matrix
