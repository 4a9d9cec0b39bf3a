"""Rows to remove in a phase: predictability scores, the threshold tau, the cutoff k, ties."""

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
    """Held-out predictions of rows or groups, as counts.

    Parameters
    ----------
    correct, held_out : int (n,)
        Correct held-out predictions, and all held-out predictions.
    """

    correct: Ints
    held_out: Ints

    @property
    def scores(self) -> NDArray[np.float64]:
        """Predictability scores (n,): shares of correct predictions, nan where never held out.

        Equal shares are equal floats and different shares different floats (counts are far below
        2**26), so sorting is exact.
        """
        with np.errstate(invalid="ignore"):
            return np.asarray(self.correct / self.held_out, dtype=np.float64)

    def at_least(self, tau: float) -> NDArray[np.bool_]:
        """Return where correct / held_out >= tau, computed in integers.

        ``tau`` is read as the decimal it prints as: 0.55 means 11/20, and 11 of 20 reaches it
        although the binary float 0.55 is slightly above 11/20.
        """
        share = Fraction(str(tau))
        counts, where = np.unique(self.held_out, return_inverse=True)
        needed = np.array([math.ceil(share * int(count)) for count in counts], dtype=np.int64)
        return (self.held_out > 0) & (self.correct >= needed[where])

    def pooled(self, units: NDArray[np.intp], n_units: int) -> Votes:
        """Sum the counts over groups; a group with a row that was never held out has none."""
        correct = np.zeros(n_units, dtype=np.int64)
        held_out = np.zeros(n_units, dtype=np.int64)
        np.add.at(correct, units, self.correct)
        np.add.at(held_out, units, self.held_out)
        incomplete = units[self.held_out == 0]
        correct[incomplete] = held_out[incomplete] = 0
        return Votes(correct, held_out)


@dataclass(frozen=True, slots=True)
class Removal:
    """The rows or groups to remove.

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
        Of rows, or of groups that are removed together.
    k : int
        Rows to remove. Groups are taken until k is reached, so the last one may exceed k by its
        size less one; fewer than k are removed only when all eligible ones are.
    tau : float in [0, 1]
    keys : uint64 (n,), distinct
        Ties are broken by the lowest ``mix(key ^ tie)``: a random priority independent of position.
    tie : uint64
        `PhaseKeys.tie`.
    sizes : int (n,)
        Rows in each group; ones when rows are removed one by one.

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
        Whether groups are removed whole, by the pooled counts of their rows.
    k, tau, tie
        As in `choose`.
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
    choice = choose(pooled, k=k, tau=tau, keys=units.keys, tie=tie, sizes=units.sizes)
    return Removal(choice.removed[units.of_row], choice.eligible, choice.tied_at_cutoff)
