"""The neutral cut: remove rows until fresh models are at one half, and none without a bias.

AFLite's published stopping rule removes until no row is predicted well any more. The rows left are
then those that models happen to get wrong, and a fresh model is right on fewer than half of them:
its reversed predictions reveal the answer. Each removal counts twice, as the row's own prediction
and as its part in training the models for other rows, so far fewer rows have to be removed than
have high scores.
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

# Tolerance above one half that ends the removal, as a share of the look's standard error.
SLACK = 0.25
# Steps of k rows, each followed by a look, that use the scores of one phase.
STEPS = 10
# Group sizes with fewer scores below 0 use the scale of all groups.
LEAST_NEGATIVE = 20


def is_neutral(look: Look) -> bool:
    """Whether fresh models are at or below one half, within tolerance."""
    return look.accuracy <= 0.5 + SLACK * look.error


def unit_scores(margins: Floats, units: Units) -> Floats:
    """Return each unit's score (n_units,): the mean margin of its rows, scaled by unit size.

    Parameters
    ----------
    margins : float (n,)
        Each row's mean signed decision over the ensemble members that held it out, nan where
        none did.
    units : Units

    Returns
    -------
    float (n_units,)
        -inf for units with a row that was never held out. Margins of unpaired rows vary more than
        means over pairs, so scores are divided by the root mean square of the scores below 0 of
        units of the same size, which are not affected by a bias.
    """
    scores = np.bincount(units.of_row, weights=margins) / units.sizes
    is_known = ~np.isnan(scores)
    whole = _scale(scores[is_known])
    for size in np.unique(units.sizes):
        of_size = is_known & (units.sizes == size)
        own = scores[of_size]
        scores[of_size] /= _scale(own) if (own < 0).sum() >= LEAST_NEGATIVE else whole
    return np.where(is_known, scores, -np.inf)


def _scale(scores: Floats) -> float:
    below = scores[scores < 0]
    return float(np.sqrt((below**2).mean())) if len(below) else 1.0


@dataclass(frozen=True, slots=True)
class Queue:
    """Units to remove, highest scores first.

    Parameters
    ----------
    units : int (n_queued,)
    ends : int (n_queued,)
        Cumulative number of rows.
    eligible : int
        Rows in all units with a score above 0, including those not queued.
    """

    units: Rows
    ends: NDArray[np.int64]
    eligible: int

    @classmethod
    def of(
        cls, scores: Floats, sizes: NDArray[np.int64], *, rows: int, keys: UInt64s, tie: np.uint64
    ) -> Queue:
        """Queue units (n_units,) with scores above 0 until ``rows`` rows are queued.

        Ties are broken by the lowest ``mix(key ^ tie)``.
        """
        positive = np.flatnonzero(scores > 0)
        order = positive[np.lexsort((mix(keys[positive] ^ tie), -scores[positive]))]
        ends = np.cumsum(sizes[order])
        n_queued = int(np.searchsorted(ends, rows)) + 1
        return cls(order[:n_queued], ends[:n_queued], int(sizes[positive].sum()))

    def steps(self, k: int) -> Iterator[Rows]:
        """Yield the units of each step: whole units with at least k rows together."""
        start = 0
        while start < len(self.units):
            before = int(self.ends[start - 1]) if start else 0
            stop = min(int(np.searchsorted(self.ends, before + k)) + 1, len(self.units))
            yield self.units[start:stop]
            start = stop


def share_needed(before: Look, after: Look) -> float:
    """Return the share of a step that reduces the accuracy to one half, by linear interpolation."""
    if after.accuracy >= 0.5:
        return 1.0
    return max(0.0, (before.accuracy - 0.5) / (before.accuracy - after.accuracy))
