"""Shares with their intervals: Wilson's, and over groups."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest
from statsmodels.regression.linear_model import OLS

from stats.intervals import (
    NOTHING,
    clustered_share,
    clustered_variance,
    independent_rows,
    wilson,
    wilson_with_variance,
)


@given(n=st.integers(1, 5000), data=st.data())
def test_the_interval_is_wilsons(n, data):
    successes = data.draw(st.integers(0, n))
    found = wilson(successes, n)
    expected = binomtest(successes, n).proportion_ci(method="wilson")
    assert found.value == successes / n
    assert math.isclose(found.low, expected.low, abs_tol=1e-9)
    assert math.isclose(found.high, expected.high, abs_tol=1e-9)
    assert 0 <= found.low <= found.value <= found.high <= 1


def test_the_interval_solves_its_own_equation():
    # Both ends p satisfy |share - p| = z * sqrt(p (1 - p) / n), Wilson's definition.
    found = wilson(7, 20)
    for end in (found.low, found.high):
        assert math.isclose(abs(0.35 - end), 1.959963985 * math.sqrt(end * (1 - end) / 20))


def test_more_successes_than_trials_are_refused():
    with pytest.raises(ValueError, match="successes must be between 0 and n = 2, got 3"):
        wilson(3, 2)


def test_of_rows_alone_it_is_wilsons_interval() -> None:
    hits = np.arange(40) < 25
    found, plain = clustered_share(hits, np.arange(40)), wilson(25, 40)
    assert [found.value, found.low, found.high] == pytest.approx(
        [plain.value, plain.low, plain.high]
    )


def test_rows_that_agree_within_twins_count_as_one() -> None:
    hits = np.repeat(np.arange(20) < 12, 2)
    found, half = clustered_share(hits, np.arange(40) // 2), wilson(12, 20)
    assert (found.low, found.high) == pytest.approx((half.low, half.high))


def test_twins_that_err_in_turn_tell_no_more_than_as_many_rows() -> None:
    found, plain = clustered_share(np.tile([True, False], 20), np.arange(40) // 2), wilson(20, 40)
    assert (found.low, found.high) == pytest.approx((plain.low, plain.high))


def test_hits_all_alike_tell_as_much_as_there_are_twins() -> None:
    found, few = clustered_share(np.ones(20, dtype=bool), np.arange(20) // 2), wilson(10, 10)
    assert (found.low, found.high) == pytest.approx((few.low, few.high))


def test_a_widened_interval_is_that_of_fewer_rows() -> None:
    found = wilson_with_variance(0.6, 0.6 * 0.4 / 80, n=80, n_groups=80, widening=2)
    fewer = wilson(24, 40)
    assert (found.value, found.n) == (fewer.value, 80)
    assert (found.low, found.high) == pytest.approx((fewer.low, fewer.high))


@pytest.mark.parametrize("size", [1, 3, 6])
def test_the_interval_over_groups_of_any_size_holds_the_truth(size: int) -> None:
    # The truth is 0.7, and members of a group share their result in six cases of ten.
    rng, groups, held = np.random.default_rng(size), np.repeat(np.arange(60), size), 0
    for _ in range(400):
        hits, alike = rng.random((60, size)) < 0.7, rng.random(60) < 0.6
        hits[alike] = hits[alike, :1]
        found = clustered_share(hits.ravel(), groups)
        held += found.low <= 0.7 <= found.high
    assert held >= 0.92 * 400


def test_the_variance_is_that_of_a_cluster_robust_regression() -> None:
    rng, groups = np.random.default_rng(0), np.repeat(np.arange(40), [1, 2, 3, 4] * 10)
    values = rng.normal(size=100) + rng.normal(size=40)[groups]
    fitted = OLS(values, np.ones(100)).fit(
        cov_type="cluster", cov_kwds={"groups": groups, "use_correction": False}
    )
    found = clustered_variance(values - values.mean(), groups, 100)
    assert found == pytest.approx(fitted.bse[0] ** 2)


def test_no_rows_have_no_share() -> None:
    assert clustered_share(np.zeros(0, dtype=bool), np.zeros(0, dtype=int)) == NOTHING


@given(n=st.integers(1, 5000), data=st.data())
def test_wilsons_interval_tells_its_n(n, data):
    assert independent_rows(wilson(data.draw(st.integers(0, n)), n)) == pytest.approx(n)


@pytest.mark.parametrize("size", [2, 3, 5])
def test_rows_that_agree_in_groups_of_any_size_are_as_many_as_the_groups(size):
    found = clustered_share(np.repeat(np.arange(60) < 40, size), np.arange(60 * size) // size)
    assert found.n == 60 * size
    assert independent_rows(found) == pytest.approx(60)


def test_without_an_interval_there_is_no_number_of_rows():
    with pytest.raises(ValueError, match="found must have an interval"):
        independent_rows(NOTHING)
