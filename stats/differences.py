"""The difference of two means over rows in groups, with its interval."""

from __future__ import annotations

from math import sqrt

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtri

from stats.intervals import NOTHING, Estimate

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]
Groups = NDArray[np.integer]


def clustered_difference(values: Floats, first: Flags, groups: Groups) -> Estimate:
    """Return the mean over some rows minus the mean over the others, with its 95 % interval.

    Parameters
    ----------
    values : float in [0, 1] (n,)
    first : bool (n,)
        The rows of the first mean; the others are those of the second.
    groups : int (n,)
        Rows of a group have the same value. A group may have rows on both sides: two models'
        answers to the same questions, or two versions of a sentence.

    Returns
    -------
    Estimate
        From -1 to 1; n counts groups. The interval is computed as if there were two more groups
        of average size: one with 1 on the first and 0 on the second side, and one with the
        opposite. So it has a width also if the sides never differ, and its centre is slightly
        nearer to 0 than the value. `NOTHING` if a side is empty.

    Raises
    ------
    ValueError
        When the lengths differ, or a value is not from 0 to 1.

    Source: Bonett and Price, Adjusted Wald confidence interval for a difference of binomial
    proportions based on paired data (JEBS 2012), which this equals if each group has one row on
    each side; the variance over groups is that of `intervals.clustered_variance`.

    Examples
    --------
    >>> first = np.repeat([True, False], 10)
    >>> values = np.array([1.0] * 8 + [0.0] * 2 + [1.0] * 5 + [0.0] * 5)
    >>> found = clustered_difference(values, first, np.tile(np.arange(10), 2))
    >>> round(found.value, 2), round(found.low, 2), round(found.high, 2), found.n
    (0.3, -0.09, 0.59, 10)
    """
    if not len(values) == len(first) == len(groups):
        raise ValueError(
            "values, first and groups must have the same length, "
            f"got {len(values)}, {len(first)} and {len(groups)}"
        )
    if not ((values >= 0) & (values <= 1)).all():
        raise ValueError("values must be from 0 to 1 in every row")
    if first.all() or not first.any():
        return NOTHING
    _, of_row = np.unique(groups, return_inverse=True)
    residuals, extra, centre = np.zeros(len(values)), np.zeros(2), 0.0
    for side, sign in ((first, 1), (~first, -1)):
        size = side.sum() / len(np.unique(of_row[side]))  # rows of an added group
        n = side.sum() + 2 * size
        mean = (values[side].sum() + size) / n
        residuals[side] = sign * (values[side] - mean) / n
        added = np.array([1, 0]) if sign == 1 else np.array([0, 1])
        extra += sign * size * (added - mean) / n
        centre += sign * float(mean)
    sums = np.bincount(of_row, weights=residuals)
    half = float(ndtri(0.975)) * sqrt(float((sums**2).sum() + (extra**2).sum()))
    value = float(values[first].mean() - values[~first].mean())
    return Estimate(value, max(-1.0, centre - half), min(1.0, centre + half), len(sums))
