"""Shares with their 95 % intervals: of independent rows, and of rows that come in groups."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]
Groups = NDArray[np.integer]


@dataclass(frozen=True, slots=True)
class Estimate:
    """A figure with its 95 % interval.

    Parameters
    ----------
    value, low, high : float or None
        None is what is not known: all three when n is 0, the ends when too little is there.
    n : int
        Things counted: questions, votes, or groups.
    """

    value: float | None
    low: float | None
    high: float | None
    n: int


NOTHING = Estimate(None, None, None, 0)


def wilson(successes: int, n: int) -> Estimate:
    """Return the share of successes with Wilson's 95 % score interval.

    Unlike the normal approximation it stays in [0, 1] and holds for small n.

    Parameters
    ----------
    successes : int in [0, n]
    n : int

    Returns
    -------
    Estimate

    Raises
    ------
    ValueError
        When ``successes`` is not between 0 and n.

    Source: Wilson, Probable inference, the law of succession, and statistical inference (JASA
    1927); computed by statsmodels.

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


def wilson_ends(successes: ArrayLike, n: ArrayLike) -> tuple[Floats, Floats]:
    """Return the lower and upper ends of many of Wilson's intervals at once.

    Parameters
    ----------
    successes, n : int or float (k,), 0 ≤ successes ≤ n
        Need not be whole: the number of independent rows with some variance is not.

    Returns
    -------
    tuple of float (k,)
        Lower and upper ends; nan where n is 0.

    Raises
    ------
    ValueError
        When a count is above its n, or below 0.

    Source: as ``wilson``.

    Examples
    --------
    >>> low, high = wilson_ends([75, 0], [100, 0])
    >>> low.round(4).tolist(), high.round(4).tolist()
    ([0.657, nan], [0.8245, nan])
    """
    hits, total = np.asarray(successes, dtype=float), np.asarray(n, dtype=float)
    if (hits < 0).any() or (hits > total).any():
        raise ValueError("successes must lie from 0 to n in every place")
    # It takes most of a second to import, which pages without an interval have no need of.
    from statsmodels.stats.proportion import proportion_confint

    none = total == 0
    low, high = proportion_confint(hits, np.where(none, 1, total), method="wilson")
    # At the ends the interval touches 0 or 1 exactly; rounding may put it a hair beyond.
    low, high = np.where(hits == 0, 0.0, low), np.where(hits == total, 1.0, high)
    low[none] = high[none] = np.nan
    return low, high


def clustered_share(hits: Flags, groups: Groups) -> Estimate:
    """Return a share with Wilson's 95 % interval for rows that come in groups of any size.

    Parameters
    ----------
    hits : bool (n,)
    groups : int (n,)
        Rows of a group share a value. The variance is that of whole groups; see
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
    """Return a share over n rows with Wilson's 95 % interval for a variance of its own.

    Parameters
    ----------
    share : float in [0, 1]
    variance : float, at least 0
        Wilson's interval is taken at the number of independent rows with that variance, and at
        most n: groups whose members err in turn would otherwise seem to tell more than n rows can.
    n, n_groups : int, at least 1
        Rows, and whole groups. Where all rows are alike nothing varies, and the number of
        independent ones is that of the groups.
    widening : float, at least 1
        Factor on the variance, for rows that hang together across groups as well.
    """
    if share in (0, 1):
        independent: float = n_groups
    else:
        independent = min(n, share * (1 - share) / variance) if variance > 0 else n
    independent /= widening
    low, high = wilson_ends([share * independent], [independent])
    return Estimate(share, float(low[0]), float(high[0]), n)


def clustered_variance(residuals: NDArray[np.floating], groups: Groups, n: int) -> float:
    """Return the variance of a sum over n of residuals (n,) that are independent across groups.

    Source: Liang and Zeger, Longitudinal data analysis using generalized linear models (Biometrika
    1986). statsmodels has it as the error of a regression, which would have to be fitted first.
    """
    _, of_row = np.unique(groups, return_inverse=True)
    sums = np.bincount(of_row, weights=residuals)
    return float((sums**2).sum()) / n**2
