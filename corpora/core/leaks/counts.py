"""Counts of what clues say, alone, two together and all together, over a stream of blocks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from corpora.core.leaks.blocks import Block, Codes, Ints, Signs, letter_names, letter_signs
from corpora.core.leaks.clues import BALANCE

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]
Places = NDArray[np.intp]
CODES = 256  # of a column of `_codes`
PRIOR = 1.0


@dataclass
class Tally:
    """Agreements of columns with the labels.

    Parameters
    ----------
    names : sequence of str (m,)
    """

    names: Sequence[str]
    throws: Ints = field(init=False)
    surplus: Ints = field(init=False)  # agreements less disagreements
    sums: Ints = field(init=False)
    rows: int = 0

    def __post_init__(self) -> None:
        self.throws, self.surplus, self.sums = (
            np.zeros(len(self.names), dtype=np.int64) for _ in range(3)
        )

    def add(self, block: Block, said: Signs) -> None:
        """Count a block in which the columns say (n_rows, m)."""
        of_unit = block.throws(said)
        self.throws += np.count_nonzero(of_unit, axis=0)
        self.surplus += _matmul(block.labels[None, :], of_unit)[0]
        self.sums += said.sum(axis=0, dtype=np.int64)
        self.rows += len(said)

    @property
    def right(self) -> Ints:
        """How often each column names the right option."""
        return (self.throws + self.surplus) // 2

    @property
    def varies(self) -> NDArray[np.bool_]:
        """Which columns do not say the same of all rows, which would repeat a test of balance."""
        return np.asarray(np.abs(self.sums) < self.rows)


@dataclass
class Combined:
    """A naive Bayes model of all clues, tested on each block before it learns from it.

    The predictions of a block depend only on earlier labels. So if the labels are fair coins, the
    hits are fair coins as well, and their number has the binomial distribution exactly. Folds that
    are predicted from each other have no such distribution.

    Source: Dawid, Present position and potential developments: the prequential approach (JRSS A
    1984).
    """

    throws: int = 0
    right: int = 0
    counts: Floats = field(default_factory=lambda: np.zeros((2, 0)))  # (2, columns * CODES)

    def add(self, block: Block, codes: Codes) -> None:
        """Predict a block in which rows have these codes (n_rows, k), then learn from it."""
        places = codes + CODES * np.arange(codes.shape[1])
        if not self.counts.size:
            self.counts = np.full((2, CODES * codes.shape[1]), PRIOR)
        else:
            self._test(block, places)
        for label, counts in zip((1, -1), self.counts, strict=True):
            of_label = places[block.row_labels() == label]
            counts += np.bincount(of_label.ravel(), minlength=len(counts))

    def _test(self, block: Block, places: Ints) -> None:
        first, second = np.log(self.counts)
        scores = (first - second)[places].sum(axis=1)
        of_unit = scores[block.first]
        pairs = block.first[block.paired]
        of_unit[block.paired] -= scores[pairs + 1]
        predicted = np.where(of_unit >= 0, 1, -1)  # a tie is a prediction, independent of labels
        self.throws += len(predicted)
        self.right += int((predicted == block.labels).sum())


def combined_codes(block: Block, chosen: Flags) -> Codes:
    """Return what the chosen clues say as codes (n_rows, k), with the characters of ids.

    Each column is there once more with the order of twins.
    """
    alone = np.hstack([(block.signs[:, chosen] + 1).astype(np.uint8), block.letters])
    order = (64 * (block.order + 1)).astype(np.uint8)
    return np.hstack([alone, alone + order[:, None]])


@dataclass(frozen=True, slots=True)
class Singles:
    """Clues alone, with the bits of characters if these are examined."""

    tally: Tally
    chosen: Flags
    letters: bool

    @classmethod
    def of(cls, names: Sequence[str], chosen: Flags, *, letters: bool) -> Singles:
        """Examine the clues where ``chosen`` (n_clues,) is true."""
        own = [name for name, use in zip(names, chosen, strict=True) if use]
        return cls(Tally([*own, *(letter_names() if letters else ())]), chosen, letters)

    def add(self, block: Block) -> None:
        """Count a block."""
        extra = [letter_signs(block.letters)] if self.letters else []
        self.tally.add(block, np.hstack([block.signs[:, self.chosen], *extra]))

    @property
    def varies(self) -> Flags:
        """Which columns vary, and the one that tests the balance of labels."""
        balance = np.array([name == BALANCE for name in self.tally.names], dtype=np.bool_)
        return np.asarray(self.tally.varies | balance)


@dataclass(frozen=True, slots=True)
class Doubles:
    """Whether two clues agree; characters are combined with the order of twins only."""

    tally: Tally
    one: Places
    other: Places
    letters: bool
    sums: Ints  # of each clue over rows (n_clues,)

    @classmethod
    def of(cls, names: Sequence[str], chosen: Flags, *, letters: bool) -> Doubles:
        """Combine the clues where ``chosen`` (n_clues, n_clues), symmetric, is true."""
        one, other = np.nonzero(np.triu(chosen & chosen.T, 1))
        both = [
            f"{names[i]}, {names[j]}" for i, j in zip(one.tolist(), other.tolist(), strict=True)
        ]
        with_order = [f"{name}, order of twins" for name in letter_names()] if letters else []
        sums = np.zeros(len(names), dtype=np.int64)
        return cls(Tally([*both, *with_order]), one, other, letters, sums)

    def add(self, block: Block) -> None:
        """Count a block."""
        self.sums[:] += block.signs.sum(axis=0, dtype=np.int64)
        signs = block.signs[:, self.one] * block.signs[:, self.other]
        if self.letters:
            signs = np.hstack([signs, letter_signs(block.letters) * block.order[:, None]])
        self.tally.add(block, signs)

    @property
    def varies(self) -> Flags:
        """Which columns vary and consist of clues that both vary; others repeat another test."""
        clues = np.abs(self.sums) < self.tally.rows
        both = clues[self.one] & clues[self.other]
        rest = np.ones(len(self.tally.names) - len(both), dtype=np.bool_)
        return np.asarray(self.tally.varies & np.concatenate([both, rest]))


def _matmul(left: Signs, right: Signs) -> Ints:
    """Multiply small integers exactly, by floating-point routines: blocks are far below 2^24."""
    product = left.astype(np.float32) @ right.astype(np.float32)
    return np.rint(product).astype(np.int64)
