"""Means of rows kept and rows removed, with intervals that treat twins as dependent."""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt

import numpy as np
from numpy.typing import NDArray
from scipy.special import stdtr, stdtrit

from stats.intervals import NOTHING, Estimate, clustered_share, clustered_variance

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]
Units = NDArray[np.integer]
LEAST = 10  # units on a side: with fewer their spread does not estimate the error


@dataclass(frozen=True, slots=True)
class Contrast:
    """A value over the rows kept and over those removed.

    Parameters
    ----------
    kept, removed : Estimate
        Means; a share's interval is that of `clustered_share`, within 0 and 1. The ends are None
        where there are under 10 units, or where nothing varies.
    difference, low, high : float or None
        Removed less kept, with its 95 % interval. All are None where a side is empty; the ends are
        None where a side has under 10 units, or where neither side varies.
    p : float in [0, 1] or None
        Two-sided, that the difference is 0. None where a side has under 10 units; where neither
        varies it is 0 if they differ, and None if they do not.
    """

    kept: Estimate
    removed: Estimate
    difference: float | None
    low: float | None
    high: float | None
    p: float | None


def contrast(values: Floats, kept: Bools, units: Units) -> Contrast:
    """Compare the mean of a value over rows removed with that over rows kept.

    Parameters
    ----------
    values : float (n,)
        Rows with nan are ignored.
    kept : bool (n,)
    units : int (n,)
        Twins share a value: their two rows are dependent, also where a filter broke the twin.

    Returns
    -------
    Contrast
        Intervals use a variance over whole twins (Liang and Zeger 1986), on each side times
        G / (G - 1) for its G units, and Student's t with G - 1 degrees of freedom of the smaller
        side. A side with fewer than 10 units has no interval.
    """
    is_known = ~np.isnan(values)
    values, kept, units = values[is_known], kept[is_known], units[is_known]
    sides = [_mean(values[side], units[side]) for side in (kept, ~kept)]
    if sides[0].value is None or sides[1].value is None:
        return Contrast(sides[0], sides[1], None, None, None, None)
    difference = sides[1].value - sides[0].value
    fewest = min(len(np.unique(units[side])) for side in (kept, ~kept))
    if fewest < LEAST:
        return Contrast(sides[0], sides[1], difference, None, None, None)
    influence = np.where(kept, -_influence(values, kept, units), _influence(values, ~kept, units))
    error = sqrt(clustered_variance(influence, units, 1))
    low, high = _ends(difference, error, fewest)
    return Contrast(sides[0], sides[1], difference, low, high, _p(difference, error, fewest))


def _influence(values: Floats, side: Bools, units: Units) -> Floats:
    """Return the influence of each row of a side on its mean (n,); other rows have no meaning."""
    n_units = len(np.unique(units[side]))
    mean, n = values[side].mean(), side.sum()
    return np.asarray((values - mean) / n * sqrt(n_units / (n_units - 1)))


def _p(difference: float, error: float, n_units: int) -> float | None:
    if error > 0:
        return 2 * float(stdtr(n_units - 1, -abs(difference) / error))
    return 0.0 if difference else None


def _ends(value: float, error: float, n_units: int) -> tuple[float, float] | tuple[None, None]:
    if n_units < LEAST or error == 0:
        return None, None
    half = float(stdtrit(n_units - 1, 0.975)) * error
    return value - half, value + half


def _mean(values: Floats, units: Units) -> Estimate:
    n = len(values)
    if n == 0:
        return NOTHING
    mean, n_units = float(values.mean()), len(np.unique(units))
    error = sqrt(clustered_variance(values - mean, units, n) * n_units / max(1, n_units - 1))
    low, high = _ends(mean, error, n_units)
    if low is not None and np.isin(values, (0, 1)).all():
        share = clustered_share(values == 1, units)
        low, high = share.low, share.high
    return Estimate(mean, low, high, n)
