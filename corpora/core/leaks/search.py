"""Tests of all clues on the files of one split."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from corpora.core.leaks.blocks import Block, blocks
from corpora.core.leaks.clues import BALANCE, Clue, clues_of
from corpora.core.leaks.counts import Combined, Doubles, Singles, combined_codes
from corpora.core.leaks.files import PublishedFile, units
from corpora.core.leaks.results import FAMILIES, Family
from corpora.core.leaks.testing import Count, family

Flags = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Search:
    """What is examined: a split of a release, alone or with clues from other releases.

    Parameters
    ----------
    release, split : str
    files : sequence of PublishedFile
    others : tuple of str
        The other releases. If there are any, only tests with ``added`` clues are made: a release
        is also examined alone.
    added : sequence of Clue
        Beside those of `clues_of`.
    """

    release: str
    split: str
    files: Sequence[PublishedFile]
    others: tuple[str, ...]
    added: Sequence[Clue] = ()


@dataclass(frozen=True, slots=True)
class Found:
    """The families of both kinds of clues, and the number of units."""

    publication: tuple[Family, ...]
    text: tuple[Family, ...]
    pairs: int
    unpaired: int


def searched(search: Search, *, alpha: float) -> Found:
    """Read the files once and test all clues, each kind with an error rate of ``alpha``."""
    clues = [*clues_of(search.files), *search.added]
    kinds = _kinds(clues, n_added=len(search.added), alone=not search.others)
    pairs = unpaired = 0
    for block in blocks(units(search.files), clues):
        pairs += int(block.paired.sum())
        unpaired += int((~block.paired).sum())
        for kind in kinds:
            kind.add(block)
    publication, text = (kind.families(alpha=alpha, n=pairs + unpaired) for kind in kinds)
    return Found(publication, text, pairs, unpaired)


@dataclass(frozen=True, slots=True)
class _Kind:
    """The tests of the publication, or those of the text."""

    chosen: Flags
    singles: Singles
    doubles: Doubles
    combined: Combined
    with_ids: bool

    def add(self, block: Block) -> None:
        self.singles.add(block)
        self.doubles.add(block)
        self.combined.add(block, combined_codes(block, self.chosen, with_ids=self.with_ids))

    def families(self, *, alpha: float, n: int) -> tuple[Family, ...]:
        together = ("all clues together", self.combined.throws, self.combined.right)
        parts = (_counts(self.singles), _counts(self.doubles), [together])
        share = alpha / len(FAMILIES)
        return tuple(
            family(name, counts, alpha=share, n=n)
            for name, counts in zip(FAMILIES, parts, strict=True)
        )


def _kinds(clues: Sequence[Clue], *, n_added: int, alone: bool) -> tuple[_Kind, _Kind]:
    names = [clue.name for clue in clues]
    compares = np.array([clue.compares for clue in clues])
    new = (np.arange(len(clues)) >= len(clues) - n_added) | alone
    pairs = (new[:, None] | new) & (np.array(names) != BALANCE)
    mixed = compares[:, None] != compares
    publication = _Kind(
        ~compares,
        Singles.of(names, ~compares & new, letters=alone),
        Doubles.of(names, pairs & ~mixed, letters=alone),
        Combined(),
        with_ids=True,
    )
    text = _Kind(
        compares,
        Singles.of(names, compares & new, letters=False),
        Doubles.of(names, pairs & mixed, letters=False),
        Combined(),
        with_ids=False,
    )
    return publication, text


def _counts(part: Singles | Doubles) -> list[Count]:
    """Return the columns that are worth a test."""
    tally = part.tally
    places = np.flatnonzero((tally.throws > 0) & part.varies).tolist()
    return [(tally.names[i], int(tally.throws[i]), int(tally.right[i])) for i in places]
