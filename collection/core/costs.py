"""Costs of collection: exact for one twin, a preview for many.

Money is always `Decimal`, never a float.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from decimal import ROUND_CEILING, Decimal
from fractions import Fraction
from typing import Literal

QUESTIONS = 2  # of a twin
CENT = Decimal("0.01")


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
