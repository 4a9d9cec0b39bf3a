"""Tests of all clues on the files of one split."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from corpora.core.clues.results import MIXED, Family
from corpora.core.clues.search import ClueSearch
from corpora.core.clues.testing import Count, family
from corpora.core.leaks.blocks import Block, blocks
from corpora.core.leaks.clues import BALANCE, Clue, clues_of
from corpora.core.leaks.counts import Combined, Doubles, Singles, combined_codes
from corpora.core.leaks.files import PublishedFile, units
from corpora.core.leaks.results import FAMILIES, UNITS, Section

Flags = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Search:
    """What is examined: a split of a release, alone or with clues from other releases.

    Parameters
    ----------
    release, split : str
    files : sequence of PublishedFile
    blind : bool
        Whether the labels are secret.
    others : tuple of str
        The other releases. If there are any, only tests with ``added`` clues are made: a release
        is also examined alone.
    added : sequence of Clue
        Beside those of `clues_of`.
    """

    release: str
    split: str
    files: Sequence[PublishedFile]
    blind: bool
    others: tuple[str, ...] = ()
    added: Sequence[Clue] = ()


def searched(search: Search, *, alpha: float) -> Section:
    """Read the files once and test all clues, with an error rate of ``alpha`` over all of them.

    Clues of the texts, which are tested in labelled splits alone, have one half of it.
    """
    clues = [*clues_of(search.files), *search.added]
    publication = _Publication.of(clues, n_added=len(search.added), alone=not search.others)
    texts = None if search.blind or search.others else _Texts.of(clues)
    pairs = unpaired = 0
    for block in blocks(units(search.files), clues):
        pairs += int(block.paired.sum())
        unpaired += int((~block.paired).sum())
        publication.add(block)
        if texts is not None:
            texts.add(block)
    n, share = pairs + unpaired, alpha if texts is None else alpha / 2
    return Section(
        release=search.release,
        split=search.split,
        blind=search.blind,
        others=search.others,
        pairs=pairs,
        unpaired=unpaired,
        publication=publication.families(alpha=share, n=n),
        text=() if texts is None else texts.families(alpha=share, n=n),
    )


@dataclass(frozen=True, slots=True)
class _Publication:
    """The tests of clues that are the same in either order of the options."""

    chosen: Flags
    singles: Singles
    doubles: Doubles
    combined: Combined

    @classmethod
    def of(cls, clues: Sequence[Clue], *, n_added: int, alone: bool) -> _Publication:
        names = [clue.name for clue in clues]
        compares = np.array([clue.compares for clue in clues])
        new = (np.arange(len(clues)) >= len(clues) - n_added) | alone
        pairs = (new[:, None] | new) & (np.array(names) != BALANCE)
        same = compares[:, None] == compares
        return cls(
            ~compares,
            Singles.of(names, ~compares & new, letters=alone),
            Doubles.of(names, pairs & same, letters=alone),
            Combined(),
        )

    def add(self, block: Block) -> None:
        self.singles.add(block)
        self.doubles.add(block)
        self.combined.add(block, combined_codes(block, self.chosen))

    def families(self, *, alpha: float, n: int) -> tuple[Family, ...]:
        together = ("all clues together", self.combined.throws, self.combined.right)
        parts = (_counts(self.singles), _counts(self.doubles), [together])
        share = alpha / len(FAMILIES)
        return tuple(
            family(name, counts, alpha=share, n=n, unit=UNITS)
            for name, counts in zip(FAMILIES, parts, strict=True)
        )


@dataclass(frozen=True, slots=True)
class _Texts:
    """The tests of clues of the texts: of pairs, of unpaired questions, and mixed ones.

    Mixed ones are comparisons of the options that agree with a clue of the publication.
    """

    pairs: ClueSearch
    unpaired: ClueSearch
    mixed: Doubles

    @classmethod
    def of(cls, clues: Sequence[Clue]) -> _Texts:
        compares = np.array([clue.compares for clue in clues])
        balance = np.array([clue.name == BALANCE for clue in clues])
        mixed = (compares[:, None] != compares) & ~balance & ~balance[:, None]
        names = [clue.name for clue in clues]
        doubles = Doubles.of(names, mixed, letters=False)
        return cls(ClueSearch(paired=True), ClueSearch(paired=False), doubles)

    def add(self, block: Block) -> None:
        self.mixed.add(block)
        for search, chosen in ((self.pairs, block.paired), (self.unpaired, ~block.paired)):
            places = np.flatnonzero(chosen)
            units = [tuple(row.question for row in block.units[i]) for i in places.tolist()]
            search.add(units, block.labels[places])

    def families(self, *, alpha: float, n: int) -> tuple[Family, ...]:
        parts = (self.pairs, self.unpaired)
        level = alpha / (1 + sum(part.n_kinds for part in parts))
        mixed = family(MIXED, _counts(self.mixed), alpha=level, n=n, unit=UNITS)
        if not n:
            return ()
        return (*self.pairs.families(level=level), *self.unpaired.families(level=level), mixed)


def _counts(part: Singles | Doubles) -> list[Count]:
    """Return the columns that are worth a test."""
    tally = part.tally
    places = np.flatnonzero((tally.throws > 0) & part.varies).tolist()
    return [(tally.names[i], int(tally.throws[i]), int(tally.right[i])) for i in places]
