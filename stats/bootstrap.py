"""The bootstrap over whole groups of rows.

SciPy's bootstrap resamples single rows and passes the resampled rows to the statistic. Here rows
come in groups of different sizes, and a statistic gets the weight of each row, so that many
samples can be computed at once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
from numpy.typing import NDArray

from stats.intervals import NOTHING, Estimate

Floats = NDArray[np.float64]
Groups = NDArray[np.integer]


def resampled(groups: Groups, *, times: int, rng: np.random.Generator) -> Iterator[Floats]:
    """Yield the number of times that each row is drawn when as many groups are drawn as exist.

    Parameters
    ----------
    groups : int (n,)
        Rows of a group have the same value and are drawn together.
    times : int
        Number of samples.
    rng : Generator

    Yields
    ------
    float (n,)
    """
    names, of_row = np.unique(groups, return_inverse=True)
    for _ in range(times):
        drawn = rng.integers(0, len(names), len(names))
        yield np.bincount(drawn, minlength=len(names)).astype(float)[of_row]


def bootstrap(
    statistic: Callable[[Floats], float], groups: Groups, *, seed: int, times: int = 1000
) -> Estimate:
    """Return a statistic with its 95 % percentile interval over groups.

    Parameters
    ----------
    statistic : callable
        Takes row weights (n,); may return nan if undefined for a sample, which is then ignored.
    groups : int (n,)
        As in `resampled`.
    seed : int, at least 0
    times : int, at least 1

    Returns
    -------
    Estimate
        n counts groups.

    Source: Efron and Tibshirani, An Introduction to the Bootstrap (1993), ch. 13; of groups,
    Field and Welsh, Bootstrapping clustered data (JRSS B 2007).

    Examples
    --------
    >>> rows, groups = np.array([0.0, 1.0, 1.0, 1.0]), np.array([0, 0, 1, 1])
    >>> found = bootstrap(lambda often: np.average(rows, weights=often), groups, seed=0)
    >>> found.value, found.low, found.high, found.n
    (0.75, 0.5, 1.0, 2)
    """
    if len(groups) == 0:
        return NOTHING
    samples = resampled(groups, times=times, rng=np.random.default_rng(seed))
    drawn = np.array([statistic(often) for often in samples])
    low, high = np.nanpercentile(drawn, [2.5, 97.5])
    value = float(statistic(np.ones(len(groups))))
    return Estimate(value, float(low), float(high), len(np.unique(groups)))
