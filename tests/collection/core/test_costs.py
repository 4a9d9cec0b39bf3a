"""What twins cost, against a plain count of everything that is paid."""

from decimal import Decimal
from fractions import Fraction
from statistics import median
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from collection.core.costs import (
    Rates,
    WorkTime,
    affordable,
    hourly_rate,
    preview,
    report,
    twin_cost,
)

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


TIMES = st.builds(
    WorkTime,
    worker=st.text("abcdef", min_size=1, max_size=6),
    pay=st.decimals(0, 50, places=2),
    seconds=st.floats(0, 10_000),
    units=st.integers(1, 100),
)


def time(rate: int, worker: str = "w") -> WorkTime:
    return WorkTime(worker, Decimal(rate), 3600, 1)


def test_forty_cents_for_three_minutes_are_eight_dollars_an_hour() -> None:
    assert hourly_rate(Decimal("0.40"), 180) == Decimal("8.00")
    assert hourly_rate(Decimal("0.40"), 0.5) is None
    with pytest.raises(ValueError, match="seconds"):
        hourly_rate(Decimal(1), -1)


@given(st.lists(TIMES, max_size=30), st.decimals(0, 20, places=2))
def test_a_report_counts_everybody_whose_time_is_known(
    times: list[WorkTime], floor: Decimal
) -> None:
    found = report(times, floor=floor)
    rates = [one.rate for one in times if one.rate is not None]
    assert found.n_workers == len(rates)
    assert len(found.below) == sum(rate < floor for rate in rates)
    if rates:
        assert found.median is not None
        assert abs(found.median - median(rates)) <= Decimal("0.01")
    if found.low is not None and found.high is not None and found.median is not None:
        assert found.low <= found.median <= found.high
    assert report(reversed(times), floor=floor).median == found.median


def test_too_few_workers_have_no_interval_and_six_have_the_whole_range() -> None:
    assert report(time(n) for n in range(5)).low is None
    found = report(time(n) for n in range(6))
    assert (found.low, found.high) == (0, 5)


@pytest.mark.long
def test_the_interval_holds_the_true_median_in_nineteen_of_twenty_samples() -> None:
    rng = np.random.default_rng(4)
    held = 0
    for _ in range(400):
        sample = np.round(rng.lognormal(2, 0.5, 15), 2)
        found = report(WorkTime("w", Decimal(str(x)), 3600, 1) for x in sample)
        assert found.low is not None
        assert found.high is not None
        held += found.low <= Decimal(str(np.exp(2))) <= found.high
    assert held / 400 >= 0.95 - 0.02


def test_who_is_below_the_floor_comes_lowest_first() -> None:
    found = report([time(9, "a"), time(3, "b"), time(0, "c")], floor=Decimal(9))
    assert [one.worker for one in found.below] == ["c", "b"]
    assert report([time(1)]).below == ()
