"""Outlier detection: validators who are much faster or slower than the others."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

Floats = NDArray[np.float64]

FAR = 3.5
NORMAL = 1.4826  # median absolute deviation × this = standard deviation, for normal values
NORMAL_MEAN = 1.2533  # the same for the mean absolute deviation
SHORTEST = 0.05  # seconds: shorter than a key stroke, and its logarithm is finite


def robust_z(values: ArrayLike) -> Floats:
    """Return robust z-scores: the distance from the median in standard deviations.

    Parameters
    ----------
    values : float (n,)
        nan where nothing was measured; its z is nan.

    Returns
    -------
    float (n,)
        0 everywhere if all values are equal.

    Notes
    -----
    The scale is 1.4826 times the median absolute deviation, so up to half the values may be
    outliers. If more than half are equal, it is 0 and 1.2533 times the mean absolute deviation is
    used instead.

    Source: Iglewicz & Hoaglin, How to Detect and Handle Outliers (1993), with 3.5 as "far".

    Examples
    --------
    >>> robust_z([1.0, 2.0, 3.0, 4.0, 100.0]).round(2).tolist()
    [-1.35, -0.67, 0.0, 0.67, 65.43]
    """
    numbers = np.asarray(values, dtype=float)
    known = numbers[~np.isnan(numbers)]
    if not len(known):
        return np.full(numbers.shape, np.nan)
    centre = np.median(known)
    distances = np.abs(known - centre)
    scale = NORMAL * np.median(distances) or NORMAL_MEAN * distances.mean()
    if scale == 0:
        return np.asarray(np.where(np.isnan(numbers), np.nan, 0.0))
    return np.asarray((numbers - centre) / scale)


def log_seconds(seconds: ArrayLike) -> Floats:
    """Return the logarithms of durations, which are closer to a normal distribution.

    Parameters
    ----------
    seconds : float (n,)
        nan where nothing was measured; shorter values count as 0.05 s.

    Returns
    -------
    float (n,)
    """
    return np.asarray(np.log(np.maximum(np.asarray(seconds, dtype=float), SHORTEST)))


def group_medians(groups: ArrayLike, values: ArrayLike, *, n_groups: int) -> Floats:
    """Return the median of each group's values.

    Parameters
    ----------
    groups : int (n,), from 0
    values : float (n,)
        nan is left out.
    n_groups : int

    Returns
    -------
    float (n_groups,)
        nan for a group without values.

    Examples
    --------
    >>> group_medians([0, 0, 0, 2], [1.0, 5.0, 2.0, 4.0], n_groups=3).tolist()
    [2.0, nan, 4.0]
    """
    members, numbers = np.asarray(groups, dtype=np.int64), np.asarray(values, dtype=float)
    known = ~np.isnan(numbers)
    members, numbers = members[known], numbers[known]
    order = np.lexsort((numbers, members))
    ordered = numbers[order]
    sizes = np.bincount(members, minlength=n_groups)
    starts = np.cumsum(sizes) - sizes
    medians = np.full(n_groups, np.nan)
    some = sizes > 0
    low = starts[some] + (sizes[some] - 1) // 2
    high = starts[some] + sizes[some] // 2
    medians[some] = (ordered[low] + ordered[high]) / 2
    return medians
