"""The neutral cut: remove until fresh models are right on one half, and nothing without a bias.

AFLite's published stopping rule removes until no row is predicted well any more. By then the rows
left are those that models happen to get wrong, and a fresh model answers fewer than half of them:
reversed, it tells the answer. Each removal counts twice, as the row's own prediction and as its
part in the models of the other rows, so far fewer rows have to go than score well.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from filtering.core.fresh import Look
from filtering.core.table import Units
from stats.keys import UInt64s, mix

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]
Rows = NDArray[np.intp]

# Fresh models must lie this many standard errors above one half before anything is removed (5 %
# one-sided). Models of different folds share examples, hence the factor on the error.
GATE = 1.645 * 1.5
# The error of a look at one half that ends the removal, as a share of its standard error.
SLACK = 0.25
# Removals between two looks are k rows; a scoring lasts for so many of them.
STEPS = 10
# Fewer rows, or fewer of one label, tell too little of what a model would answer.
LEAST_ROWS, LEAST_OF_LABEL = 200, 20
# A size of groups with fewer scores below 0 has no scale of its own.
LEAST_NEGATIVE = 20


def is_measurable(y: Bools) -> bool:
    """Whether labels (n,) are enough for fresh models to be held against one half."""
    return len(y) >= LEAST_ROWS and LEAST_OF_LABEL <= y.sum() <= len(y) - LEAST_OF_LABEL


def is_biased(look: Look) -> bool:
    """Whether fresh models are clearly above one half."""
    return look.accuracy > 0.5 + GATE * look.error


def is_below(look: Look) -> bool:
    """Whether fresh models are clearly below one half."""
    return look.accuracy < 0.5 - GATE * look.error


def is_neutral(look: Look) -> bool:
    """Whether fresh models have come down to one half."""
    return look.accuracy <= 0.5 + SLACK * look.error


def unit_scores(margins: Floats, units: Units) -> Floats:
    """Return each unit's score (n_units,): the mean margin of its rows, in its size's own scale.

    Parameters
    ----------
    margins : float (n,)
        Each row's mean signed decision over the members that held it out, nan where none did.
    units : Units

    Returns
    -------
    float (n_units,)
        -inf for units with a row that was never held out. Margins of unpaired rows spread wider
        than means over pairs; each size is divided by the root mean square of its scores below 0,
        which no bias has moved.
    """
    scores = np.bincount(units.of_row, weights=margins) / units.sizes
    known = ~np.isnan(scores)
    whole = _scale(scores[known])
    for size in np.unique(units.sizes):
        of_size = known & (units.sizes == size)
        own = scores[of_size]
        scores[of_size] /= _scale(own) if (own < 0).sum() >= LEAST_NEGATIVE else whole
    return np.where(known, scores, -np.inf)


def _scale(scores: Floats) -> float:
    below = scores[scores < 0]
    return float(np.sqrt((below**2).mean())) if len(below) else 1.0


@dataclass(frozen=True, slots=True)
class Queue:
    """Units that may be removed, best first.

    Parameters
    ----------
    units : int (n_queued,)
    ends : int (n_queued,)
        Rows in the units up to each one.
    eligible : int
        Rows in all units with a score above 0, those not queued included.
    """

    units: Rows
    ends: NDArray[np.int64]
    eligible: int

    @classmethod
    def of(
        cls, scores: Floats, sizes: NDArray[np.int64], *, rows: int, keys: UInt64s, tie: np.uint64
    ) -> Queue:
        """Queue units (n_units,) with scores above 0 until ``rows`` rows are queued.

        Ties go to the lowest ``mix(key ^ tie)``.
        """
        positive = np.flatnonzero(scores > 0)
        order = positive[np.lexsort((mix(keys[positive] ^ tie), -scores[positive]))]
        ends = np.cumsum(sizes[order])
        n_queued = int(np.searchsorted(ends, rows)) + 1
        return cls(order[:n_queued], ends[:n_queued], int(sizes[positive].sum()))

    def steps(self, k: int) -> Iterator[Rows]:
        """Yield the units removed at each step: whole ones, until at least k rows more are in."""
        start = 0
        while start < len(self.units):
            before = int(self.ends[start - 1]) if start else 0
            stop = min(int(np.searchsorted(self.ends, before + k)) + 1, len(self.units))
            yield self.units[start:stop]
            start = stop


def share_needed(before: Look, after: Look) -> float:
    """Return which share of a step brings the accuracy down to one half, by a straight line."""
    if after.accuracy >= 0.5:
        return 1.0
    return max(0.0, (before.accuracy - 0.5) / (before.accuracy - after.accuracy))
