"""The search for clues, by one model of all columns."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix

from corpora.core.clues.characters import CLASSES, Characters, printable, text_of
from corpora.core.clues.numbers import COMPARED, MIDDLES, PLAIN, PROPERTIES, REMAINDERS, Numbers
from corpora.core.clues.options import COMPARISONS, MAIN, Doubles
from corpora.core.clues.questions import Question, Unit
from corpora.core.clues.results import PAIRS, UNPAIRED, Family
from corpora.core.clues.tables import (
    Labelled,
    Said,
    Table,
    Vocabulary,
    contexts,
    occurrences,
    words_beside,
    words_of,
)
from corpora.core.clues.testing import Counts, family, family_of

Floats = NDArray[np.float64]
LEAST_BLOCKS = 2  # before there are scores and weights of them


@dataclass
class Model:
    """A weighted sum of scores, by how well each has predicted earlier units.

    The predictions of a block depend only on earlier labels. So if the labels are fair coins, the
    hits are fair coins as well, and their number has the binomial distribution exactly.

    Source: Dawid, Present position and potential developments: the prequential approach (JRSS A
    1984).
    """

    throws: int = 0
    right: int = 0
    blocks: int = 0
    agreement: Floats = field(default_factory=lambda: np.zeros(0))  # (k,)
    squares: Floats = field(default_factory=lambda: np.zeros(0))  # (k,)

    def add(self, scores: Floats, labels: Floats) -> None:
        """Predict units from scores (n, k), then learn from their labels 1 and -1 (n,)."""
        if not self.agreement.size:
            self.agreement, self.squares = np.zeros((2, scores.shape[1]))
        if self.blocks >= LEAST_BLOCKS:
            size = np.sqrt(np.maximum(self.squares, np.finfo(np.float64).tiny))
            weights = np.maximum(self.agreement / size, 0) ** 2 / size
            total = scores @ np.where(self.squares > 0, weights, 0)
            predicted = np.where(total >= 0, 1, -1)  # a tie is a prediction, independent of labels
            self.throws += len(labels)
            self.right += int((predicted == labels).sum())
        self.blocks += 1
        self.agreement += labels @ scores
        self.squares += (scores**2).sum(axis=0)


Ints = NDArray[np.int64]

MODEL, TOGETHER = "all together", "a model of all clues"
LISTED = "option 1"
WAYS = (LISTED, *COMPARISONS)
"""The ways of naming an option with which properties of a sentence are combined."""
OF_OPTIONS = (*COMPARISONS, *(f"option with more {name}" for name in CLASSES))
UNIQUE = (
    "more characters in a row that no other question has",
    "more words that no other question has",
)
BATCH = 1000
FIRST = 5  # units in the smallest block
MOST_RUNS, MOST_WORDS = 40_000, 10_000


def _quote(vocabulary: Vocabulary, column: int) -> str:
    key = vocabulary.keys[column]
    return f"“{text_of(key) if isinstance(key, int) else printable(str(key))}”"


@dataclass
class ClueSearch:
    """Counts of all clues over units of one size, in the order in which they come.

    Parameters
    ----------
    paired : bool
        Whether the units are twins with opposite answers; else unpaired questions.
    """

    paired: bool
    n: int = 0
    model: Model = field(default_factory=Model)

    def __post_init__(self) -> None:
        self._rng = np.random.default_rng(0)  # of marks, which do not change what is tested
        self._middles: Ints | None = None
        self._words = {name: Vocabulary(MOST_RUNS) for name in ("characters", "shapes", "beside")}
        self._words |= {name: Vocabulary(MOST_WORDS) for name in ("words", "words beside")}
        self._totals = {name: np.zeros(0, dtype=np.int64) for name in self._words}
        self.tables = {
            "compared": Table((*COMPARED, *UNIQUE).__getitem__, WAYS),
            "remainders": Table(REMAINDERS.__getitem__, WAYS),
            "options": Table(OF_OPTIONS.__getitem__),
            **{
                name: Table(partial(_quote, of), () if name.endswith("beside") else WAYS)
                for name, of in self._words.items()
            },
        }
        self.doubles = Doubles(len(PROPERTIES), 1 + MAIN)

    def add(self, units: Sequence[Unit], labels: NDArray[np.int8]) -> None:
        """Read units; labels are 1 if the answer of the first question is option 1, else -1."""
        for start in range(0, len(units), BATCH):
            self._add(units[start : start + BATCH], labels[start : start + BATCH])

    def _add(self, units: Sequence[Unit], labels: NDArray[np.int8]) -> None:
        questions = [question for unit in units for question in unit]
        sentences = Characters.of([question.sentence for question in questions])
        numbers = Numbers.of(units, sentences)
        if self._middles is None:
            self._middles = np.median(numbers.counts[:, MIDDLES], axis=0).astype(np.int64)
        named = np.array(
            [[one.listed, *(says(one) for says in COMPARISONS.values())] for one in questions]
        )
        marks = self._rng.integers(1, 2**31, len(units)).astype(np.float64)
        labelled = Labelled(labels.astype(np.float64), self._agreed(named), marks)
        blocks = {
            **self._of_texts(questions, sentences, numbers),
            **self._of_options(questions, named[:, 1:]),
        }
        self.doubles.add(numbers.properties(self._middles), labelled.first(1 + MAIN))
        for rows in self._blocks(len(units)):
            self._learn({name: of[rows] for name, of in blocks.items()}, labelled.part(rows))
        self.n += len(units)

    def _blocks(self, n: int) -> Iterator[slice]:
        start = 0
        while start < n:
            end = min(n, start + max(FIRST, (self.n + start) // 10))
            yield slice(start, end)
            start = end

    def families(self, *, level: float) -> tuple[Family, ...]:
        """Test the clues of each kind with an error rate; kinds without a clue are left out."""
        about: dict[str, Any] = {"alpha": level, "unit": PAIRS if self.paired else UNPAIRED}
        n = self.model.throws
        together = [(TOGETHER, n, self.model.right)] if n else []
        tested = [family_of(kind, of, n=self.n, **about) for kind, of in self._kinds.items()]
        return (*tested, family(MODEL, together, n=n, **about)) if self.n else ()

    @property
    def n_kinds(self) -> int:
        """The number of kinds that have any clue; 0 if there are too few units for any.

        It does not depend on the labels.
        """
        return len(self._kinds) + 1 if self.model.throws else 0

    @property
    def _kinds(self) -> dict[str, list[Counts]]:
        counts = self._counts_by_kind
        return {name: of for name, of in counts.items() if any(sums.throws.any() for sums in of)}

    @property
    def _counts_by_kind(self) -> dict[str, list[Counts]]:
        compared = self._counts("compared")
        plain = np.isin(compared.places // len(WAYS), PLAIN)
        plain &= compared.places % len(WAYS) <= MAIN
        return {
            "lengths": [compared.only(plain)],
            "numbers": [compared.only(~plain)],
            "remainders": [self._counts("remainders")],
            "characters": [self._counts("characters"), self._counts("shapes")],
            "words": [self._counts("words")],
            "options": [self._counts("options")],
            "beside": [self._counts("beside"), self._counts("words beside")],
            "two together": [Counts.of(*self.doubles.totals, self._name_of_double)],
        }

    def _counts(self, name: str) -> Counts:
        table = self.tables[name]
        return Counts.of(*table.totals, table.name)

    def _name_of_double(self, number: int, way: int) -> str:
        one, other = np.triu_indices(len(PROPERTIES), 1)
        return f"{PROPERTIES[one[number]]}, {PROPERTIES[other[number]]}: {WAYS[way]}"

    def _learn(self, blocks: dict[str, Said], units: Labelled) -> None:
        scores = []
        for name, of in blocks.items():
            table = self.tables[name]
            units_of_kind = units if table.width > 1 else units.alone
            scores.append(table.scores(of, units_of_kind))
            table.add(of, units_of_kind)
        self.model.add(np.hstack(scores), units.labels)

    def _agreed(self, named: Ints) -> Floats:
        """Return the options that both twins name alike."""
        if not self.paired:
            return named.astype(np.float64)
        return np.where(named[0::2] == named[1::2], named[0::2], 0).astype(np.float64)

    def _of_texts(
        self, questions: Sequence[Question], sentences: Characters, numbers: Numbers
    ) -> dict[str, Said]:
        # What twins have in common does not tell them apart.
        rows, keys = sentences.runs(numbers.own if self.paired else None)
        ones, n = np.ones(len(rows)), len(questions)
        characters = self._occurrences("characters", rows, keys, ones, n)
        rows, keys = sentences.shapes.runs()
        shapes = self._occurrences("shapes", rows, keys, np.ones(len(rows)), n)
        words = self._terms("words", [words_of(question) for question in questions])
        unique = [self._unique("characters", characters), self._unique("words", words)]
        texts = {"characters": characters, "shapes": shapes, "words": words}
        return {
            **self._of_numbers(numbers, np.column_stack(unique)),
            **{name: self._units(of) for name, of in texts.items()},
        }

    def _of_numbers(self, numbers: Numbers, unique: Ints) -> dict[str, Said]:
        assert self._middles is not None
        rests = numbers.remainders(self._middles)
        if not self.paired:
            return {"remainders": rests}
        more = np.sign(unique[0::2] - unique[1::2]).astype(np.int8)
        return {
            "compared": np.hstack([numbers.compared, more]),
            "remainders": (rests[0::2] - rests[1::2]) // 2,
        }

    def _unique(self, name: str, columns: csr_matrix) -> Ints:
        """Return how much of each question no other one has, among those read so far."""
        totals = np.bincount(columns.indices, minlength=columns.shape[1])
        totals[: len(self._totals[name])] += self._totals[name]
        self._totals[name] = totals
        return np.bincount(columns.nonzero()[0], totals[columns.indices] == 1, columns.shape[0])

    def _of_options(self, questions: Sequence[Question], named: Ints) -> dict[str, Said]:
        texts = [
            (i, o, text)
            for i, question in enumerate(questions)
            for o in (0, 1)
            for text in contexts(question, o)
        ]
        characters = Characters.of([text for _, _, text in texts])
        of_text, keys = characters.runs()
        rows, signs = np.array([(i, 1 - 2 * o) for i, o, _ in texts]).T
        n = len(questions)
        beside = self._occurrences("beside", rows[of_text], keys, signs[of_text], n)
        words = [[words_beside(question, o) for o in (0, 1)] for question in questions]
        return {
            "options": self._units(np.hstack([named, self._classes(questions)]).astype(np.int8)),
            "beside": self._units(beside),
            "words beside": self._units(self._terms("words beside", *zip(*words, strict=True))),
        }

    def _classes(self, questions: Sequence[Question]) -> Ints:
        options = [option for question in questions for option in question.options]
        spans = np.array([[(0, len(option))] for option in options])
        counts = Characters.of(options).counts(spans)[:, 0]
        return np.asarray(np.sign(counts[0::2] - counts[1::2]))

    def _terms(self, name: str, *sides: Sequence[Sequence[str]]) -> csr_matrix:
        """Return how often words are there: in sentences, or beside the first or second option."""
        rows: list[int] = []
        terms: list[str] = []
        signs: list[float] = []
        for sign, side in zip((1.0, -1.0), sides, strict=False):
            for row, words in enumerate(side):
                rows += [row] * len(words)
                terms += words
                signs += [sign] * len(words)
        places = np.array(rows, dtype=np.int64)
        return self._occurrences(name, places, terms, np.array(signs), len(sides[0]))

    def _occurrences(
        self, name: str, rows: Ints, keys: Ints | Sequence[str], signs: Floats, n: int
    ) -> csr_matrix:
        return occurrences(self._words[name], rows, keys, signs, n=n)

    def _units(self, block: Said) -> Said:
        """Return what is said of units, by what is said of their questions."""
        differences = block[0::2] - block[1::2] if self.paired else block
        if isinstance(differences, csr_matrix):
            differences.eliminate_zeros()
            return differences.sign().tocsr()
        return np.sign(differences)
