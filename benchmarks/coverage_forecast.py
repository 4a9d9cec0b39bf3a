"""Rows of `benchmarks.coverage`: the day on which a goal is reached."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from itertools import product
from math import ceil, sqrt

import numpy as np
from numpy.typing import NDArray
from scipy.special import stdtrit

from benchmarks.coverage_rows import Interval, Pair
from validation.core.forecast import MOST_DAYS, forecast

MEAN = 20.0
HISTORY, LEFT = (3, 7, MOST_DAYS), (5, 20, 60)
KINDS = ("Poisson", "4 times Poisson", "10 times Poisson", "weekends", "few", "correlated 0.3")


def counts(rng: np.random.Generator, kind: str, n: int) -> NDArray[np.int64]:
    """Draw daily counts with a mean of 20, or of 2 for "few"."""
    if kind == "Poisson":
        rate = np.full(n, MEAN)
    elif kind.endswith("times Poisson"):
        times = int(kind.split()[0])
        rate = rng.gamma(MEAN / (times - 1), times - 1, n)
    elif kind == "weekends":
        shape = np.array([1.3, 1.3, 1.3, 1.3, 1.2, 0.3, 0.3])
        rate = MEAN * shape[(np.arange(n) + rng.integers(7)) % 7] * rng.gamma(4, 0.25, n)
    elif kind == "few":
        rate = np.full(n, 2.0)
    else:
        rate = MEAN * np.exp(_correlated(rng, n, float(kind.split()[1])) / 2 - 1 / 8)
    return rng.poisson(rate).astype(np.int64)


def _correlated(rng: np.random.Generator, n: int, r: float) -> NDArray[np.float64]:
    steps = rng.normal(size=n)
    for day in range(1, n):
        steps[day] = r * steps[day - 1] + sqrt(1 - r * r) * steps[day]
    return steps


def _before(history: NDArray[np.int64], left: int) -> tuple[float, float]:
    """Return the interval of the mean rate, as days."""
    n, mean = len(history), float(history.mean())
    error = sqrt(max(float(history.var(ddof=1)), mean) / n)
    half = float(stdtrit(n - 1, 0.975)) * error
    return left / (mean + half), left / (mean - half) if mean > half else float("inf")


def _day(rng: np.random.Generator, *, kind: str, n_days: int, days_left: int) -> Pair:
    mean = 2.0 if kind == "few" else MEAN
    left = int(mean * days_left)
    drawn = counts(rng, kind, n_days + 30 * days_left)
    history, future = drawn[:n_days], np.cumsum(drawn[n_days:])
    found = forecast(history.tolist(), left=left)
    if found is None:
        return None, None
    day = int(np.argmax(future >= left)) + 1 if future[-1] >= left else 30 * days_left + 1
    low, high = _before(history, left)
    before = ceil(low) <= day <= (ceil(high) if high < 1e6 else day)
    return before, found.fewest <= day <= found.most


def rows() -> Iterator[Interval]:
    """Yield the day of the end for every kind of days."""
    for kind, n_days, days_left in product(KINDS, HISTORY, LEFT):
        draw = partial(_day, kind=kind, n_days=n_days, days_left=days_left)
        yield Interval("forecast", f"{kind}, {n_days} days, {days_left} left", draw)
