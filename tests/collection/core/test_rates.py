"""What an hour pays: the middle, its interval, and who is below the floor."""

from decimal import Decimal
from statistics import median

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from collection.core.costs import WorkTime, hourly_rate, report

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
