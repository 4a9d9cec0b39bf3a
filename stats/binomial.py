"""Exact tests of a fair coin, and the smallest unfairness that they find."""

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
