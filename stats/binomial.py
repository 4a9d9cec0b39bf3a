"""Exact tests of shares, and the smallest unfairness of a coin that they find."""

from __future__ import annotations

from bisect import bisect_left

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import bdtr, bdtrc, betaincinv

Floats = NDArray[np.float64]


def fair_p(hits: ArrayLike, n: ArrayLike) -> Floats:
    """Test exactly whether hits and misses are equally likely.

    Parameters
    ----------
    hits, n : int (k,), 0 ≤ hits ≤ n

    Returns
    -------
    float in (0, 1] (k,)
        Two-sided p-values: twice the smaller tail of the binomial distribution.

    Examples
    --------
    >>> fair_p([9, 5, 0], [10, 10, 0]).round(4).tolist()
    [0.0215, 1.0, 1.0]
    """
    found, total = np.asarray(hits, dtype=np.int64), np.asarray(n, dtype=np.int64)
    fewer = np.minimum(found, total - found)
    p = 2.0 * np.asarray(bdtr(fewer.astype(np.float64), total, 0.5), dtype=np.float64)
    return np.minimum(1.0, p)


def fewer_p(hits: ArrayLike, n: ArrayLike, *, share: float) -> Floats:
    """Test exactly whether hits are at least as likely as a share.

    Parameters
    ----------
    hits, n : int (k,), 0 ≤ hits ≤ n
    share : float in [0, 1]

    Returns
    -------
    float in (0, 1] (k,)
        One-sided p-values: the probability of so few hits or fewer.

    Examples
    --------
    >>> fewer_p([3, 10], [10, 10], share=0.7).round(4).tolist()
    [0.0106, 1.0]
    """
    found, total = np.asarray(hits, dtype=np.float64), np.asarray(n, dtype=np.int64)
    return np.asarray(bdtr(found, total, share), dtype=np.float64)


def share_p(hits: ArrayLike, n: ArrayLike, share: ArrayLike) -> Floats:
    """Test exactly whether hits are as likely as a share.

    Parameters
    ----------
    hits, n : int (k,), 0 ≤ hits ≤ n
    share : float in (0, 1) (k,)

    Returns
    -------
    float in (0, 1] (k,)
        Two-sided p-values: twice the smaller tail of the binomial distribution.

    Examples
    --------
    >>> share_p([9, 3], [10, 9], [0.5, 1 / 3]).round(4).tolist()
    [0.0215, 1.0]
    """
    found, total = np.asarray(hits, dtype=np.float64), np.asarray(n, dtype=np.int64)
    chance = np.asarray(share, dtype=np.float64)
    tails = np.minimum(bdtr(found, total, chance), bdtrc(found - 1, total, chance))
    return np.minimum(1.0, 2 * np.asarray(tails, dtype=np.float64))


def fewer_than_rest_p(hits: ArrayLike, n: ArrayLike) -> Floats:
    """Test exactly, for each of several people, whether the others hit no more often.

    Parameters
    ----------
    hits, n : int (k,), 0 ≤ hits ≤ n
        Of each person.

    Returns
    -------
    float in (0, 1] (k,)
        One-sided p-values of Fisher's exact test of each person against all others together.

    Examples
    --------
    >>> fewer_than_rest_p([12, 19, 18], [20, 20, 20]).round(3).tolist()
    [0.004, 0.993, 0.944]
    """
    from scipy.stats import hypergeom  # takes a second to import

    found, total = np.asarray(hits, dtype=np.int64), np.asarray(n, dtype=np.int64)
    p = hypergeom.cdf(found, total.sum(), found.sum(), total)
    return np.asarray(p, dtype=np.float64)


def fewest_hits(n: int, *, level: float) -> int | None:
    """Return the fewest hits above n / 2 that `fair_p` rejects at the level; None if none are.

    Examples
    --------
    >>> fewest_hits(10, level=0.05), fewest_hits(5, level=0.05)
    (9, None)
    """
    above = range(n // 2 + 1, n + 1)
    place = bisect_left(above, True, key=lambda hits: 2 * bdtrc(hits - 1.0, n, 0.5) <= level)
    return above[place] if place < len(above) else None


def detectable_share(n: int, *, level: float, power: float) -> float | None:
    """Return the smallest share of hits above one half that `fair_p` finds with a given power.

    Parameters
    ----------
    n : int, at least 0
        Number of independent trials.
    level : float in (0, 1)
        Of the two-sided test.
    power : float in (0, 1)

    Returns
    -------
    float in (0.5, 1] or None
        None if n trials are too few to reject at all.

    Examples
    --------
    >>> round(detectable_share(1000, level=0.05, power=0.8), 3)
    0.545
    """
    fewest = fewest_hits(n, level=level)
    return None if fewest is None else float(betaincinv(fewest, n - fewest + 1, power))
