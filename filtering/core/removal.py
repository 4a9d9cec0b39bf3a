"""From votes to removals: who is scored at or above tau, who of them goes, how ties break."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from filtering.core.table import Units
from stats.keys import UInt64s, mix

Ints = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Votes:
    """What a set of rows or groups collected while held out.

    Parameters
    ----------
    correct, held_out : int (n,)
        Correct predictions, and predictions at all.
    """

    correct: Ints
    held_out: Ints

    @property
    def scores(self) -> NDArray[np.float64]:
        """Share correct, nan where never held out.

        Equal shares are equal floats and different ones differ (counts are far below 2**26), so
        the floats sort exactly.
        """
        with np.errstate(invalid="ignore"):
            return np.asarray(self.correct / self.held_out, dtype=np.float64)

    def at_least(self, tau: float) -> NDArray[np.bool_]:
        """Return where correct / held_out >= tau, computed in integers.

        ``tau`` is taken as the decimal it prints as: 0.55 means 11/20, and 11 of 20 reaches it
        although the binary float 0.55 lies a little above 11/20.
        """
        share = Fraction(str(tau))
        counts, where = np.unique(self.held_out, return_inverse=True)
        needed = np.array([math.ceil(share * int(count)) for count in counts], dtype=np.int64)
        return (self.held_out > 0) & (self.correct >= needed[where])

    def pooled(self, units: NDArray[np.intp], n_units: int) -> Votes:
        """Sum the rows' votes over their groups; a group with a row never held out gets none."""
        correct = np.zeros(n_units, dtype=np.int64)
        held_out = np.zeros(n_units, dtype=np.int64)
        np.add.at(correct, units, self.correct)
        np.add.at(held_out, units, self.held_out)
        incomplete = units[self.held_out == 0]
        correct[incomplete] = held_out[incomplete] = 0
        return Votes(correct, held_out)


@dataclass(frozen=True, slots=True)
class Removal:
    """Which rows or groups go.

    Parameters
    ----------
    removed : bool (n,)
    eligible : int
        Rows at or above tau.
    tied_at_cutoff : int
        Eligible rows whose score equals the lowest score removed; 0 when nothing is removed.
    """

    removed: NDArray[np.bool_]
    eligible: int
    tied_at_cutoff: int


def choose(
    votes: Votes, *, k: int, tau: float, keys: UInt64s, tie: np.uint64, sizes: Ints
) -> Removal:
    """Choose the top k rows with score >= tau.

    Parameters
    ----------
    votes : Votes (n,)
        Of rows, or of groups that go together.
    k : int
        Rows to remove. Groups are taken until k is reached, so the last one may carry the
        number over k by its size less one; it falls short of k only when all eligible ones go.
    tau : float in [0, 1]
    keys : uint64 (n,), distinct
        Ties go to the lowest ``mix(key ^ tie)``: a random priority that knows no position.
    tie : uint64
        `PhaseKeys.tie`.
    sizes : int (n,)
        Rows in each group; ones when rows go one by one.

    Returns
    -------
    Removal

    Source: WinoGrande §3, Algorithm 1, line 12. The paper leaves ties open.
    """
    eligible = np.flatnonzero(votes.at_least(tau))
    scores = votes.scores[eligible]
    order = np.lexsort((mix(keys[eligible] ^ tie), -scores))
    total = np.cumsum(sizes[eligible][order])
    last = min(int(np.searchsorted(total, k)), len(order) - 1)
    taken = eligible[order[: last + 1]]
    removed = np.zeros(len(keys), dtype=bool)
    removed[taken] = True
    tied = 0 if not len(taken) else int(sizes[eligible][scores == scores[order[last]]].sum())
    return Removal(removed, int(sizes[eligible].sum()), tied)


def choose_rows(
    votes: Votes,
    units: Units,
    *,
    together: bool,
    k: int,
    tau: float,
    keys: UInt64s,
    tie: np.uint64,
) -> Removal:
    """Choose rows one by one, or group by group.

    Parameters
    ----------
    votes : Votes (n_left,)
        Of the rows.
    units : Units
        The rows' groups.
    together : bool
        Whether groups go whole, by their rows' pooled votes.
    k, tau, tie
        As `choose` takes them.
    keys : uint64 (n_left,)
        Of the rows.

    Returns
    -------
    Removal
        Of rows.
    """
    if not together:
        ones = np.ones(len(keys), dtype=np.int64)
        return choose(votes, k=k, tau=tau, keys=keys, tie=tie, sizes=ones)
    pooled = votes.pooled(units.of_row, len(units.keys))
    found = choose(pooled, k=k, tau=tau, keys=units.keys, tie=tie, sizes=units.sizes)
    return Removal(found.removed[units.of_row], found.eligible, found.tied_at_cutoff)
