"""Shares with 95 % intervals, for independent rows and for rows in groups."""

from __future__ import annotations

from dataclasses import dataclass
from statistics import NormalDist

import numpy as np
from numpy.typing import ArrayLike, NDArray

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]
Groups = NDArray[np.integer]

Z = 1.959963984540054  # of a 95 % interval


@dataclass(frozen=True, slots=True)
class Estimate:
    """A figure with its 95 % interval.

    Parameters
    ----------
    value, low, high : float or None
        None if unknown: all three if n is 0, only the ends if there are too few data.
    n : int
        Number of questions, votes, or groups.
    """

    value: float | None
    low: float | None
    high: float | None
    n: int


NOTHING = Estimate(None, None, None, 0)


def wilson(successes: float, n: int) -> Estimate:
    """Return the share of successes with Wilson's 95 % score interval.

    Unlike the normal approximation it stays in [0, 1] and is accurate for small n.

    Parameters
    ----------
    successes : int or float in [0, n]
        Not an integer if trials succeed in part. These vary less than trials that succeed or fail,
        so the interval is wider than necessary.
    n : int

    Returns
    -------
    Estimate

    Raises
    ------
    ValueError
        When ``successes`` is not between 0 and n.

    Source: Wilson, Probable inference, the law of succession, and statistical inference (JASA
    1927).

    Examples
    --------
    >>> found = wilson(75, 100)
    >>> found.value, round(found.low, 4), round(found.high, 4)
    (0.75, 0.657, 0.8245)
    """
    if not 0 <= successes <= n:
        raise ValueError(f"successes must be between 0 and n = {n}, got {successes}")
    if n == 0:
        return NOTHING
    low, high = wilson_ends([successes], [n])
    return Estimate(successes / n, float(low[0]), float(high[0]), n)


def wilson_ends(
    successes: ArrayLike, n: ArrayLike, *, alpha: float = 0.05
) -> tuple[Floats, Floats]:
    """Return the lower and upper ends of several Wilson intervals.

    Parameters
    ----------
    successes, n : int or float (k,), 0 ≤ successes ≤ n
        Not necessarily integers: a number of independent rows derived from a variance is not.
    alpha : float in (0, 1)
        Probability that an interval misses the truth.

    Returns
    -------
    tuple of float (k,)
        Lower and upper ends; nan if n is 0.

    Raises
    ------
    ValueError
        When a count is greater than its n, or below 0.

    Source: as ``wilson``.

    Examples
    --------
    >>> low, high = wilson_ends([75, 0], [100, 0])
    >>> low.round(4).tolist(), high.round(4).tolist()
    ([0.657, nan], [0.8245, nan])
    """
    hits, total = np.asarray(successes, dtype=float), np.asarray(n, dtype=float)
    if (hits < 0).any() or (hits > total).any():
        raise ValueError("successes must be between 0 and n in every row")
    with np.errstate(divide="ignore", invalid="ignore"):
        share, squared = hits / total, NormalDist().inv_cdf(1 - alpha / 2) ** 2 / total
        half = np.sqrt(squared * (share * (1 - share) + squared / 4))
        centre = share + squared / 2
        low, high = (centre - half) / (1 + squared), (centre + half) / (1 + squared)
    # At 0 and n, an end is exactly 0 or 1; rounding may put it slightly beyond.
    low = np.where((hits == 0) & (total > 0), 0.0, low)
    high = np.where((hits == total) & (total > 0), 1.0, high)
    return low, high


def clustered_share(hits: Flags | Floats, groups: Groups) -> Estimate:
    """Return a share with Wilson's 95 % interval for rows in groups of any size.

    Parameters
    ----------
    hits : bool, or float in [0, 1] (n,)
        Fractions are partial hits.
    groups : int (n,)
        Rows of a group have the same value. The variance is computed over whole groups; see
        `wilson_with_variance`.

    Returns
    -------
    Estimate
        n counts rows.
    """
    n = len(hits)
    if n == 0:
        return NOTHING
    share = float(hits.mean())
    variance = clustered_variance(hits - share, groups, n)
    return wilson_with_variance(share, variance, n=n, n_groups=len(np.unique(groups)))


def wilson_with_variance(
    share: float, variance: float, *, n: int, n_groups: int, widening: float = 1.0
) -> Estimate:
    """Return a share over n rows with the interval of `ends_with_variance`."""
    ends = ends_with_variance(share, variance, n=n, n_groups=n_groups, widening=widening)
    return Estimate(share, *ends, n)


def ends_with_variance(
    share: float, variance: float, *, n: float, n_groups: float, widening: float = 1.0
) -> tuple[float, float]:
    """Return the ends of Wilson's 95 % interval for a share with a given variance.

    Parameters
    ----------
    share : float in [0, 1]
    variance : float, at least 0
        The interval is computed for the number of independent rows that has this variance, at
        most n: if errors within groups cancel out, that number would exceed n.
    n, n_groups : number of rows and of groups, at least 1
        If all rows are equal there is no variance, and the groups count as the independent rows.
    widening : float, at least 1
        Factor on the variance: for rows that are also dependent across groups, or (t / z)² for a
        variance that is estimated with few degrees of freedom.
    """
    if share in (0, 1):
        independent: float = n_groups
    else:
        independent = min(n, share * (1 - share) / variance) if variance > 0 else n
    independent /= widening
    low, high = wilson_ends([share * independent], [independent])
    return float(low[0]), float(high[0])


def clustered_variance(residuals: NDArray[np.floating], groups: Groups, n: int) -> float:
    """Return the variance of sum(residuals) / n, for residuals (n,) independent across groups.

    Source: Liang and Zeger, Longitudinal data analysis using generalized linear models (Biometrika
    1986). statsmodels offers it only for the errors of a fitted regression.
    """
    _, of_row = np.unique(groups, return_inverse=True)
    sums = np.bincount(of_row, weights=residuals)
    return float((sums**2).sum()) / n**2


def independent_rows(found: Estimate) -> float:
    """Return the number of independent rows whose Wilson interval is as wide as the given one.

    Parameters
    ----------
    found : Estimate
        With both ends, as from `wilson` or `clustered_share`.

    Returns
    -------
    float above 0
        Of `wilson` it is n; of rows in groups it is smaller the more they agree within groups.

    Raises
    ------
    ValueError
        When an end is unknown, or they are equal.

    Examples
    --------
    >>> round(independent_rows(wilson(75, 100)), 6)
    100.0
    """
    if found.value is None or found.low is None or found.high is None or found.low >= found.high:
        raise ValueError(f"found must have an interval, got {found}")
    # Wilson's half-width h as a function of t = z^2 / n: h (1 + t) = sqrt(pqt + t^2 / 4).
    squared, pq = ((found.high - found.low) / 2) ** 2, found.value * (1 - found.value)
    a, b = 0.25 - squared, pq - 2 * squared
    return float(2 * a * Z**2 / (np.sqrt(b**2 + 4 * a * squared) - b))
