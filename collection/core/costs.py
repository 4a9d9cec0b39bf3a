"""Costs of a campaign, and hourly rates."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from decimal import ROUND_CEILING, ROUND_HALF_EVEN, Decimal
from fractions import Fraction
from typing import Literal

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
    rated = [(time.rate, time) for time in times]
    pairs = [(rate, time) for rate, time in rated if rate is not None]
    pairs.sort(key=lambda pair: (pair[0], pair[1].worker))
    rates = [rate for rate, _ in pairs]
    low, high = _interval(rates)
    n_units = sum(time.units for _, time in pairs)
    return RateReport(
        median=median_rate(rates),
        low=low,
        high=high,
        n_workers=len(rates),
        n_units=n_units,
        below=tuple(time for rate, time in pairs if floor is not None and rate < floor),
        seconds_per_unit=sum(time.seconds for _, time in pairs) / n_units if n_units else None,
    )


def median_rate(rates: list[Decimal]) -> Decimal | None:
    """Return the median of hourly rates in order, to the cent; None without any."""
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


QUESTIONS = 2  # of a twin


def votes_cost(*, reward_vote: Decimal, votes: int) -> Decimal:
    """Return the cost of a twin's votes.

    Parameters
    ----------
    reward_vote
        Reward of one vote.
    votes
        Votes per question, without extra votes.
    """
    return QUESTIONS * votes * reward_vote


def twin_cost(*, reward_twin: Decimal, reward_vote: Decimal, votes: int) -> Decimal:
    """Return the cost of a twin: its reward and that of its votes, without extra votes.

    >>> twin_cost(reward_twin=Decimal("0.40"), reward_vote=Decimal("0.03"), votes=3)
    Decimal('0.58')
    """
    return reward_twin + votes_cost(reward_vote=reward_vote, votes=votes)


@dataclass(frozen=True, slots=True, kw_only=True)
class Rates:
    """Rewards and settings of a campaign that determine its costs.

    Parameters
    ----------
    votes
        Votes per question.
    extra_votes_max
        Maximum extra votes of a question whose validators differ.
    gold_share
        Share of a validator's questions that are gold, from 0 to below 1.
    """

    reward_twin: Decimal
    reward_vote: Decimal
    reward_exercise: Decimal
    votes: int
    extra_votes_max: int = 0
    gold_share: Decimal = Decimal(0)


@dataclass(frozen=True, slots=True)
class CostLine:
    """One kind of work in a preview, with its count and rate."""

    kind: Literal["twin", "vote", "extra_vote", "gold", "training"]
    count: int
    rate: Decimal

    @property
    def amount(self) -> Decimal:
        return self.count * self.rate


@dataclass(frozen=True, slots=True)
class CostPreview:
    """The expected cost of a number of twins, by kind of work."""

    twins: int
    lines: tuple[CostLine, ...]

    @property
    def total(self) -> Decimal:
        return sum((line.amount for line in self.lines), Decimal("0.00"))

    @property
    def per_twin(self) -> Decimal | None:
        """Total divided by the number of twins, rounded up to a cent; None for no twins."""
        if not self.twins:
            return None
        return (self.total / self.twins).quantize(CENT, ROUND_CEILING)


def preview(
    rates: Rates, *, twins: int, people: int = 0, extra_share: Decimal = Decimal(0)
) -> CostPreview:
    """Return the expected cost of *twins* twins.

    Parameters
    ----------
    people : int
        Number of people who do the exercise, which is paid once each.
    extra_share : Decimal
        Share of questions, 0 to 1, that get all their extra votes because validators differ.

    Returns
    -------
    CostPreview
        A share g = ``gold_share`` of a validator's questions is gold, so there are g ÷ (1 − g)
        gold answers for each vote. Expected counts are rounded up.

    Raises
    ------
    ValueError
        If a count is negative or a share is outside its range.
    """
    if twins < 0 or people < 0:
        raise ValueError(f"twins and people must not be negative, got {twins!r}, {people!r}")
    if not 0 <= extra_share <= 1:
        raise ValueError(f"extra_share must be from 0 to 1, got {extra_share!r}")
    if not 0 <= rates.gold_share < 1:
        raise ValueError(f"gold_share must be from 0 to below 1, got {rates.gold_share!r}")
    return CostPreview(twins, tuple(_lines(rates, twins, people, extra_share)))


def _lines(rates: Rates, twins: int, people: int, extra_share: Decimal) -> Iterator[CostLine]:
    votes = QUESTIONS * twins * rates.votes
    extra = _up(Fraction(extra_share) * QUESTIONS * twins * rates.extra_votes_max)
    share = Fraction(rates.gold_share)
    gold = _up((votes + extra) * share / (1 - share))
    yield CostLine("twin", twins, rates.reward_twin)
    yield CostLine("vote", votes, rates.reward_vote)
    yield CostLine("extra_vote", extra, rates.reward_vote)
    yield CostLine("gold", gold, rates.reward_vote)
    yield CostLine("training", people, rates.reward_exercise)


def _up(number: Fraction) -> int:
    return -(-number.numerator // number.denominator)


def affordable(left: Decimal, cost: Decimal) -> int | None:
    """Return how many twins of *cost* each *left* pays for; None if a twin costs nothing."""
    return max(0, int(left // cost)) if cost else None
