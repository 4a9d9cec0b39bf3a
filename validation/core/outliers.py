"""Outlier detection: validators who are much faster or slower than the others."""

from functools import lru_cache

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import ndtri

Floats = NDArray[np.float64]

LEVEL = 0.05
"""Probability of any note of one kind on a page where no validator differs from the others."""
FEWEST = 3
"""Values needed for one to be far."""
SIMULATED, DRAWS = 50, 20_000
NORMAL = 1.4826  # median absolute deviation × this = standard deviation, for normal values
NORMAL_MEAN = 1.2533  # the same for the mean absolute deviation
NORMAL_MEDIAN = 1.2533  # the median's standard error in those of a mean
SHORTEST = 0.05  # seconds: shorter than a key stroke, and its logarithm is finite


def robust_z(values: ArrayLike, errors: ArrayLike = 0.0) -> Floats:
    """Return robust z-scores: the distance from the median in standard deviations.

    Parameters
    ----------
    values : float (n,)
        nan where nothing was measured; its z is nan.
    errors : float (n,), optional
        The standard error of each value. It is added to the scale, so that a value known from few
        votes is not an outlier for that reason.

    Returns
    -------
    float (n,)
        0 everywhere if all values are equal.

    Notes
    -----
    The scale is 1.4826 times the median absolute deviation, so up to half the values may be
    outliers. If more than half are equal, it is 0 and 1.2533 times the mean absolute deviation is
    used instead.

    Source: Iglewicz & Hoaglin, How to Detect and Handle Outliers (1993).

    Examples
    --------
    >>> robust_z([1.0, 2.0, 3.0, 4.0, 100.0]).round(2).tolist()
    [-1.35, -0.67, 0.0, 0.67, 65.43]
    """
    numbers = np.asarray(values, dtype=float)
    numbers_known = numbers[~np.isnan(numbers)]
    if not len(numbers_known):
        return np.full(numbers.shape, np.nan)
    centre = np.median(numbers_known)
    distances = np.abs(numbers_known - centre)
    scale = NORMAL * np.median(distances) or NORMAL_MEAN * distances.mean()
    if scale == 0:
        return np.asarray(np.where(np.isnan(numbers), np.nan, 0.0))
    return np.asarray((numbers - centre) / np.hypot(scale, errors))


@lru_cache(maxsize=SIMULATED)
def far(n: int) -> float:
    """Return the distance that the farthest of n normal values exceeds with probability `LEVEL`.

    Parameters
    ----------
    n : int
        With fewer than `FEWEST` no value is far.

    Returns
    -------
    float
        A robust z-score. With few values it is large, as their median absolute deviation may be
        small by chance: 3.5, as Iglewicz and Hoaglin recommend, is exceeded in 8 to 17 % of sets of
        4 to 40 values.

    Notes
    -----
    Simulated for n below 50. Above, the normal distribution's quantile corrected for n values,
    times 1 + 8/n for the estimated scale, which agrees with simulations to 1 %.

    Examples
    --------
    >>> round(far(8)), round(far(14), 1), round(far(3000), 2)
    (5, 4.2, 4.32)
    """
    if n < FEWEST:
        return float("inf")
    if n >= SIMULATED:
        return float(-ndtri(LEVEL / 2 / n)) * (1 + 8 / n)
    values = np.random.default_rng([n]).normal(size=(DRAWS, n))
    distances = np.abs(values - np.median(values, axis=1, keepdims=True))
    farthest = distances.max(axis=1) / (NORMAL * np.median(distances, axis=1))
    return float(np.quantile(farthest, 1 - LEVEL))


def fast_votes(seconds: ArrayLike) -> NDArray[np.bool_]:
    """Return which votes were far faster than usual, of all votes together.

    Parameters
    ----------
    seconds : float (n,)
        nan where nothing was measured.

    Returns
    -------
    bool (n,)
        If logarithms of seconds are normal, any is True with probability `LEVEL` or less.
    """
    times = log_seconds(seconds)
    fast: NDArray[np.bool_] = robust_z(times) <= -far(int((~np.isnan(times)).sum()))
    return fast


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
    is_number = ~np.isnan(numbers)
    members, numbers = members[is_number], numbers[is_number]
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


def median_errors(groups: ArrayLike, values: ArrayLike, medians: Floats) -> Floats:
    """Return the standard error of each group's median, as if all groups vary equally.

    Parameters
    ----------
    groups, values
        As in `group_medians`.
    medians : float (n_groups,)
        Its result.

    Returns
    -------
    float (n_groups,)
        nan for a group without values.
    """
    members, numbers = np.asarray(groups, dtype=np.int64), np.asarray(values, dtype=float)
    is_number = ~np.isnan(numbers)
    sizes = np.bincount(members[is_number], minlength=len(medians))
    if not is_number.any():
        return np.full(len(medians), np.nan)
    spread = NORMAL * np.median(np.abs(numbers - medians[members])[is_number])
    with np.errstate(divide="ignore"):
        errors = NORMAL_MEDIAN * spread / np.sqrt(sizes)
    return np.asarray(np.where(sizes > 0, errors, np.nan))
