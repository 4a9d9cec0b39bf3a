"""When a goal will be reached, from the counts of the latest days."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt

import numpy as np
from scipy.stats import t

LEAST_DAYS, MOST_DAYS = 3, 14


@dataclass(frozen=True, slots=True)
class Forecast:
    """The days until a goal, with its basis.

    Parameters
    ----------
    per_day : float
        Mean count of the days.
    n_days : int
        Days that it is based on.
    days : float
        Days left at this rate.
    fewest, most : float or None
        Ends of the 95 % interval of the days left; ``most`` is None if the rate may be 0.
    """

    per_day: float
    n_days: int
    days: float
    fewest: float
    most: float | None


def forecast(counts: Sequence[int], *, left: int) -> Forecast | None:
    """Return the days until *left* more are there.

    Parameters
    ----------
    counts : sequence of int, oldest first
        Of whole days, from the first day with work on. The latest ``MOST_DAYS`` are used.
    left : int, above 0

    Returns
    -------
    Forecast or None
        None for fewer than ``LEAST_DAYS`` days, and if nothing was added. The interval is that of
        the mean of independent days (Student's t), not narrower than that of a Poisson count; it
        assumes that work continues as in these days.

    >>> forecast([10, 10], left=100) is None
    True
    >>> round(forecast([9, 11, 10, 10], left=100).days, 1)
    10.0
    """
    used = np.asarray(counts[-MOST_DAYS:], dtype=float)
    if len(used) < LEAST_DAYS or not used.sum():
        return None
    mean = float(used.mean())
    error = sqrt(max(float(used.var(ddof=1)), mean) / len(used))
    half = float(t.ppf(0.975, len(used) - 1)) * error
    low, high = mean - half, mean + half
    return Forecast(mean, len(used), left / mean, left / high, left / low if low > 0 else None)
