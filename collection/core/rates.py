"""Hourly rates: of one worker, and over all workers."""

from collections.abc import Iterable
from dataclasses import dataclass
from decimal import ROUND_HALF_EVEN, Decimal

import numpy as np

HOUR = 3600
CENT = Decimal("0.01")
CONFIDENCE = 0.95
LONGEST_SECONDS = 300
"""A longer time on one question means that its validator was away."""


def hourly_rate(pay: Decimal, seconds: float) -> Decimal | None:
    """Return the hourly rate of *pay* for *seconds* of work, to the cent.

    None for less than a second, as the time of work is then unknown.

    >>> hourly_rate(Decimal("0.40"), 180)
    Decimal('8.00')
    """
    if seconds < 0:
        raise ValueError(f"seconds must not be negative, got {seconds!r}")
    if seconds < 1:
        return None
    return (pay * HOUR / Decimal(str(seconds))).quantize(CENT, ROUND_HALF_EVEN)


@dataclass(frozen=True, slots=True)
class WorkTime:
    """One worker's pay for work with a known time."""

    worker: str
    pay: Decimal
    seconds: float
    units: int

    @property
    def rate(self) -> Decimal | None:
        return hourly_rate(self.pay, self.seconds)


@dataclass(frozen=True, slots=True)
class RateReport:
    """The median of the workers' hourly rates, with an interval, and workers below the floor.

    ``low`` and ``high`` are None for fewer than six workers.
    """

    median: Decimal | None
    low: Decimal | None
    high: Decimal | None
    n_workers: int
    n_units: int
    below: tuple[WorkTime, ...]
    seconds_per_unit: float | None = None
    """The mean over all units with a known time; None if there is none."""


def report(times: Iterable[WorkTime], *, floor: Decimal | None = None) -> RateReport:
    """Summarize the hourly rates of workers.

    Parameters
    ----------
    times
        One for each worker; those without time are left out.
    floor
        Workers who earn less are listed, lowest first; None lists none.

    Returns
    -------
    RateReport
        The median of the workers' rates; the interval holds the median of all such workers with
        at least 95 %, whatever their distribution.

    Source: the interval from order statistics, by the binomial distribution (Conover, Practical
    Nonparametric Statistics, section 3.2); computed by SciPy.
    """
    known = [(time.rate, time) for time in times]
    pairs = [(rate, time) for rate, time in known if rate is not None]
    pairs.sort(key=lambda pair: (pair[0], pair[1].worker))
    rates = [rate for rate, _ in pairs]
    low, high = _interval(rates)
    n_units = sum(time.units for _, time in pairs)
    return RateReport(
        median=_median(rates),
        low=low,
        high=high,
        n_workers=len(rates),
        n_units=n_units,
        below=tuple(time for rate, time in pairs if floor is not None and rate < floor),
        seconds_per_unit=sum(time.seconds for _, time in pairs) / n_units if n_units else None,
    )


def _median(rates: list[Decimal]) -> Decimal | None:
    if not rates:
        return None
    middle = len(rates) // 2
    if len(rates) % 2:
        return rates[middle]
    return ((rates[middle - 1] + rates[middle]) / 2).quantize(CENT, ROUND_HALF_EVEN)


def _interval(rates: list[Decimal]) -> tuple[Decimal | None, Decimal | None]:
    """Return the symmetric order statistics that contain the median with the given confidence."""
    from scipy.stats import quantile_test  # takes half a second to import

    if not rates:
        return None, None
    # Computed on ranks, not on rates, which stay decimals.
    places = quantile_test(np.arange(len(rates))).confidence_interval(CONFIDENCE)
    if np.isnan(places.low):
        return None, None
    return rates[int(places.low)], rates[int(places.high)]
