"""The forecast of a goal, against processes whose rate is known."""

import numpy as np
import pytest

from validation.core.forecast import MOST_DAYS, forecast

# The largest share of forecasts without a last day, by days and spread; of others, none.
ENDLESS = {(3, 1): 0.1, (3, 4): 0.55}


@pytest.mark.parametrize("counts", [[], [5], [5, 6], [0, 0, 0, 0]])
def test_too_few_days_or_no_work_give_no_forecast(counts: list[int]) -> None:
    assert forecast(counts, left=10) is None


def test_it_says_the_days_left_at_the_mean_rate_and_its_basis() -> None:
    found = forecast([8, 12, 10], left=50)
    assert found is not None
    assert (found.per_day, found.n_days, found.days) == (10, 3, 5)
    assert found.fewest < 5


def test_only_the_latest_days_count() -> None:
    found = forecast([1000] * 30 + [10] * MOST_DAYS, left=50)
    assert found is not None
    assert (found.per_day, found.n_days) == (10, MOST_DAYS)


def test_a_rate_that_may_be_zero_has_no_last_day() -> None:
    found = forecast([0, 0, 9], left=50)
    assert found is not None
    assert found.most is None


@pytest.mark.parametrize("n_days", [3, 7, 14])
@pytest.mark.parametrize("spread", [1, 4])
def test_the_interval_holds_the_true_day_in_most_simulations(n_days: int, spread: int) -> None:
    """Days with the mean of 20 and a variance of *spread* times it; 1 is a Poisson process."""
    rng = np.random.default_rng([n_days, spread])
    rates = rng.gamma(20 / max(spread - 1, 1e-9), max(spread - 1, 1e-9), size=(400, n_days))
    days = rng.poisson(rates if spread > 1 else 20, size=(400, n_days))
    found = [forecast(counts.tolist(), left=200) for counts in days]
    known = [one for one in found if one is not None]
    assert len(known) == 400
    assert sum(one.fewest <= 10 for one in known) / 400 >= 0.95
    held = [one.fewest <= 10 and (one.most is None or one.most >= 10) for one in known]
    assert sum(held) / 400 >= 0.92
    # An interval with no end says little: with a week of days there must be none.
    endless = sum(one.most is None for one in known) / 400
    assert endless <= ENDLESS.get((n_days, spread), 0)
