"""Shares with their 95 % intervals: of independent things, and of such as come in twins."""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt

import numpy as np
from numpy.typing import ArrayLike, NDArray

_Z95 = 1.959963984540054  # the standard normal's 97.5 % quantile

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]
Units = NDArray[np.integer]


@dataclass(frozen=True, slots=True)
class Estimate:
    """A share with its 95 % interval.

    Parameters
    ----------
    value, low, high : float in [0, 1], or None when n is 0
    n : int
        Things counted: questions, votes, or pairs.
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
    share, z2 = successes / n, _Z95**2
    centre = (share + z2 / (2 * n)) / (1 + z2 / n)
    half = _Z95 / (1 + z2 / n) * sqrt(share * (1 - share) / n + z2 / (4 * n * n))
    # At the ends the interval touches 0 or 1 exactly; rounding would put it a hair beyond.
    low = 0.0 if successes == 0 else centre - half
    high = 1.0 if successes == n else centre + half
    return Estimate(share, low, high, n)


def wilson_ends(successes: ArrayLike, n: ArrayLike) -> tuple[Floats, Floats]:
    """Return the lower and upper ends of many of Wilson's intervals at once.

    Parameters
    ----------
    successes, n : int (k,), 0 ≤ successes ≤ n

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
    with np.errstate(invalid="ignore", divide="ignore"):
        share, z2 = hits / total, _Z95**2
        centre = (share + z2 / (2 * total)) / (1 + z2 / total)
        spread = np.sqrt(share * (1 - share) / total + z2 / (4 * total * total))
        half = _Z95 / (1 + z2 / total) * spread
    low = np.where(hits == 0, 0.0, centre - half)
    high = np.where(hits == total, 1.0, centre + half)
    low[total == 0] = high[total == 0] = np.nan
    return low, high


def clustered_share(hits: Flags, units: Units) -> Estimate:
    """Return a share with Wilson's 95 % interval for rows that come in twins.

    Parameters
    ----------
    hits : bool (n,)
    units : int (n,)
        Twins share a value. The variance is that of whole twins; see `wilson_with_variance`.

    Returns
    -------
    Estimate
        n counts rows.
    """
    n = len(hits)
    if n == 0:
        return NOTHING
    share = float(hits.mean())
    variance = clustered_variance(hits - share, units, n)
    return wilson_with_variance(share, variance, n=n, n_units=len(np.unique(units)))


def wilson_with_variance(
    share: float, variance: float, *, n: int, n_units: int, widening: float = 1.0
) -> Estimate:
    """Return a share over n rows with Wilson's 95 % interval for a variance of its own.

    Parameters
    ----------
    share : float in [0, 1]
    variance : float, at least 0
        Wilson's interval is taken at the number of independent rows with that variance, and at
        most n: twins that err in turn would otherwise seem to tell more than n rows can.
    n, n_units : int, at least 1
        Rows, and whole units. Where all rows are alike nothing varies, and the number of
        independent ones is that of the units.
    widening : float, at least 1
        Factor on the variance, for rows that hang together across units as well.
    """
    if share in (0, 1):
        independent: float = n_units
    else:
        independent = min(n, share * (1 - share) / variance) if variance > 0 else n
    independent /= widening
    low, high = wilson_ends([share * independent], [independent])
    return Estimate(share, float(low[0]), float(high[0]), n)


def clustered_variance(residuals: NDArray[np.floating], units: Units, n: int) -> float:
    """Return the variance of a sum over n of residuals (n,) that are independent across units."""
    _, of_row = np.unique(units, return_inverse=True)
    sums = np.bincount(of_row, weights=residuals)
    return float((sums**2).sum()) / n**2
