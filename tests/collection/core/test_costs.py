"""What twins cost, against a plain count of everything that is paid."""

from decimal import Decimal
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from collection.core.costs import Rates, affordable, preview, twin_cost

MONEY = st.decimals(0, 100, places=2)
RATES = st.builds(
    Rates,
    reward_twin=MONEY,
    reward_vote=MONEY,
    reward_exercise=MONEY,
    votes=st.sampled_from([1, 3, 5, 7, 9]),
    extra_votes_max=st.integers(0, 6),
    gold_share=st.decimals(0, Decimal("0.5"), places=2),
)
PAPER = Rates(
    reward_twin=Decimal("0.40"),
    reward_vote=Decimal("0.03"),
    reward_exercise=Decimal("0.50"),
    votes=3,
)


def test_a_thousand_twins_by_the_papers_rates() -> None:
    cost = preview(PAPER, twins=1000, people=10)
    assert (str(cost.total), str(cost.per_twin)) == ("585.00", "0.59")
    assert {line.kind: line.count for line in cost.lines if line.count} == {
        "twin": 1000,
        "vote": 6000,
        "training": 10,
    }


@given(RATES, st.integers(0, 500), st.integers(0, 50), st.decimals(0, 1, places=2))
def test_a_preview_is_the_sum_of_its_counts_and_never_a_float(
    rates: Rates, twins: int, people: int, extra: Decimal
) -> None:
    cost = preview(rates, twins=twins, people=people, extra_share=extra)
    assert isinstance(cost.total, Decimal)
    assert cost.total == sum(line.count * line.rate for line in cost.lines)
    sure = twins * twin_cost(
        reward_twin=rates.reward_twin, reward_vote=rates.reward_vote, votes=rates.votes
    )
    assert cost.total >= sure + people * rates.reward_exercise
    counts = {line.kind: line.count for line in cost.lines}
    wanted = Fraction(extra) * 2 * twins * rates.extra_votes_max
    assert 0 <= counts["extra_vote"] - wanted < 1
    asked = counts["vote"] + counts["extra_vote"] + counts["gold"]
    # Of all that a validator is asked, gold is the share wanted, rounded up to a whole question.
    assert 0 <= counts["gold"] - Fraction(rates.gold_share) * asked < 1


@given(RATES, st.integers(0, 200), st.integers(0, 200))
def test_more_twins_never_cost_less(rates: Rates, few: int, more: int) -> None:
    low, high = sorted((few, more))
    assert preview(rates, twins=low).total <= preview(rates, twins=high).total


@given(MONEY, MONEY)
def test_what_is_left_pays_for_as_many_twins_as_are_said(left: Decimal, cost: Decimal) -> None:
    n = affordable(left, cost)
    if not cost:
        assert n is None
    else:
        assert n is not None
        assert n * cost <= left < (n + 1) * cost


@pytest.mark.parametrize("wrong", [{"twins": -1}, {"people": -1}, {"extra_share": Decimal("1.1")}])
def test_what_cannot_be_is_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="got"):
        preview(PAPER, **({"twins": 1} | wrong))
