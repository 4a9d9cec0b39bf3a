"""What collecting costs: of one twin for certain, of many as a preview.

Money is `Decimal` throughout; a float never enters.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from decimal import ROUND_CEILING, Decimal
from fractions import Fraction

QUESTIONS = 2  # of a twin
CENT = Decimal("0.01")


def votes_cost(*, reward_vote: Decimal, votes: int) -> Decimal:
    """Return what the votes of a whole twin cost.

    Parameters
    ----------
    reward_vote
        What one vote pays.
    votes
        How many a question gets, extra votes not counted.
    """
    return QUESTIONS * votes * reward_vote


def twin_cost(*, reward_twin: Decimal, reward_vote: Decimal, votes: int) -> Decimal:
    """Return what a twin costs for certain: its own pay and that of its votes.

    >>> twin_cost(reward_twin=Decimal("0.40"), reward_vote=Decimal("0.03"), votes=3)
    Decimal('0.58')
    """
    return reward_twin + votes_cost(reward_vote=reward_vote, votes=votes)


@dataclass(frozen=True, slots=True, kw_only=True)
class Rates:
    """What a campaign pays, and what it asks for.

    Parameters
    ----------
    votes
        Of each question.
    extra_votes_max
        Further votes of a question whose validators differ, at most.
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
    """One kind of work in a preview: how often it is paid, at which rate."""

    kind: str
    count: int
    rate: Decimal

    @property
    def amount(self) -> Decimal:
        return self.count * self.rate


@dataclass(frozen=True, slots=True)
class CostPreview:
    """What a number of twins is expected to cost, kind by kind."""

    twins: int
    lines: tuple[CostLine, ...]

    @property
    def total(self) -> Decimal:
        return sum((line.amount for line in self.lines), Decimal("0.00"))

    @property
    def per_twin(self) -> Decimal | None:
        """Everything over the twins, rounded up to a cent; None for no twins."""
        if not self.twins:
            return None
        return (self.total / self.twins).quantize(CENT, ROUND_CEILING)


def preview(
    rates: Rates, *, twins: int, people: int = 0, extra_share: Decimal = Decimal(0)
) -> CostPreview:
    """Say what *twins* twins are expected to cost.

    Parameters
    ----------
    people : int
        How many do the exercise; it is paid once each.
    extra_share : Decimal
        Share of questions, 0 to 1, whose validators differ so that all the extra votes are asked
        for.

    Returns
    -------
    CostPreview
        Of a validator's questions the share ``gold_share`` is gold, so there are g ÷ (1 − g) gold
        answers for each vote. Expected counts are rounded up.

    Raises
    ------
    ValueError
        Where a count is negative or a share lies outside its range.
    """
    if twins < 0 or people < 0:
        raise ValueError(f"twins and people must not be negative, got {twins!r}, {people!r}")
    if not 0 <= extra_share <= 1:
        raise ValueError(f"extra_share must lie from 0 to 1, got {extra_share!r}")
    if not 0 <= rates.gold_share < 1:
        raise ValueError(f"gold_share must lie from 0 to below 1, got {rates.gold_share!r}")
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
    """Return how many twins of *cost* each *left* pays for; None where a twin costs nothing."""
    return max(0, int(left // cost)) if cost else None
