"""Intervals: Wilson's, over groups, of differences, of people; and the bootstrap."""

import math
from functools import partial
from math import sqrt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest
from statsmodels.regression.linear_model import OLS

from benchmarks.coverage import all_rows, share
from benchmarks.coverage_rows import Interval
from stats.bootstrap import bootstrap, resampled
from stats.differences import clustered_difference
from stats.intervals import (
    NOTHING,
    clustered_share,
    clustered_variance,
    independent_rows,
    wilson,
    wilson_with_variance,
)
from stats.people import NO_PEOPLE, People, people_variance, single_votes


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


pairs = st.lists(st.tuples(st.booleans(), st.booleans()), min_size=1, max_size=60)


def two_sides(one, two, groups):
    first = np.repeat([True, False], len(one))
    values = np.concatenate([one, two]).astype(float)
    return clustered_difference(values, first, np.tile(groups, 2))


@given(pairs)
def test_of_single_pairs_it_is_bonett_and_prices_interval(answers):
    one, two = np.array(answers).T
    n = len(answers)
    p12, p21 = ((one & ~two).sum() + 1) / (n + 2), ((two & ~one).sum() + 1) / (n + 2)
    half = 1.959963985 * sqrt((p12 + p21 - (p12 - p21) ** 2) / (n + 2))
    found = two_sides(one, two, np.arange(n))
    assert found.value == pytest.approx(one.mean() - two.mean())
    assert found.low == pytest.approx(max(-1, p12 - p21 - half))
    assert found.high == pytest.approx(min(1, p12 - p21 + half))
    assert found.n == n


@given(pairs, st.integers(1, 4))
def test_rows_that_agree_within_groups_count_as_one(answers, size):
    one, two = np.array(answers).T
    n = len(answers)
    found = two_sides(one.repeat(size), two.repeat(size), np.arange(n).repeat(size))
    single = two_sides(one, two, np.arange(n))
    assert [found.low, found.high, found.n] == pytest.approx([single.low, single.high, n])
    assert found.low <= found.value + 1e-12
    assert found.value <= found.high + 1e-12


def held(truth, draw, *, times):
    found = [two_sides(*draw()) for _ in range(times)]
    return np.mean([each.low <= truth <= each.high for each in found])


@pytest.mark.parametrize("n_groups", [7, 60, pytest.param(300, marks=pytest.mark.long)])
@pytest.mark.parametrize("size", [1, 3])
@pytest.mark.parametrize("related", [True, False])
def test_the_interval_holds_the_true_difference(n_groups, size, related):
    # The truths are 0.8 and 0.6; members of a group share a draw in half of the groups, and so do
    # the two sides where they are related, as two models' answers to the same questions.
    rng = np.random.default_rng(n_groups + size)

    def draw():
        drawn = rng.random((2, n_groups, size))
        alike = rng.random((2, n_groups, 1)) < 0.5
        drawn = np.where(alike, drawn[:, :, :1], drawn)
        if related:
            drawn[1] = np.where(rng.random((n_groups, 1)) < 0.5, drawn[0], drawn[1])
        one, two = drawn[0] < 0.8, drawn[1] < 0.6
        return one.ravel(), two.ravel(), np.arange(n_groups).repeat(size)

    assert held(0.2, draw, times=200) >= 0.91


def test_sides_that_never_differ_still_have_an_interval():
    found = two_sides(np.ones(20), np.ones(20), np.arange(20))
    assert found.value == 0
    assert -0.15 < found.low < -0.1 < 0.1 < found.high < 0.15


def test_an_empty_side_has_no_difference():
    assert clustered_difference(np.ones(2), np.ones(2, dtype=bool), np.arange(2)) == NOTHING
    assert clustered_difference(np.ones(0), np.ones(0, dtype=bool), np.arange(0)) == NOTHING


def test_bad_input_is_named():
    with pytest.raises(ValueError, match="must have the same length, got 2, 1 and 2"):
        clustered_difference(np.ones(2), np.ones(1, dtype=bool), np.arange(2))
    with pytest.raises(ValueError, match="values must be from 0 to 1"):
        clustered_difference(np.array([1, np.nan]), np.array([True, False]), np.arange(2))


def crossed(rng, *, n_people, n_groups, sd):
    """Votes of two questions a group, three a question; the people's effects have this sd."""
    group = np.repeat(np.arange(n_groups), 6)
    people = rng.random((n_groups, n_people)).argsort(axis=1)[:, :6].ravel()
    skill, ease = rng.normal(0, sd, n_people), rng.normal(0, 0.3, n_groups)
    return skill[people] + ease[group] + rng.normal(0, 0.5, len(group)), group, people


def test_the_variance_between_people_is_estimated_without_bias():
    """In 400 sets its mean is the true one, with questions and without differences of people."""
    for sd in (0.0, 0.2):
        rng, found = np.random.default_rng(7), []
        for _ in range(400):
            values, group, people = crossed(rng, n_people=9, n_groups=60, sd=sd)
            everyone = People(np.arange(len(values)), people)
            found.append(people_variance(values, group, everyone, n=len(values)))
        expected = sd**2 / 9  # all have about equal loads
        # Negative estimates count as 0, so without differences the mean is slightly above.
        assert np.mean(found) == pytest.approx(expected, abs=0.0005)


def test_what_questions_contribute_is_that_of_the_plain_formula():
    """The quick sums equal those over a matrix of groups and people."""
    values, group, people = crossed(np.random.default_rng(1), n_people=7, n_groups=20, sd=0.3)
    member = (people[:, None] == np.arange(7)).astype(float)
    rest, centred = values - values.mean(), member - member.mean(axis=0)
    sums = np.array([centred[group == g].T @ rest[group == g] for g in range(20)])
    between = centred.T @ centred
    squares = (centred.T @ rest) @ (centred.T @ rest) - (sums**2).sum()
    expected = max(0, squares) / (between**2).sum() * (member.sum(axis=0) ** 2).sum() / 120**2
    found = people_variance(values, group, People(np.arange(120), people), n=120)
    assert found == pytest.approx(expected)


def test_for_these_people_it_is_the_interval_over_groups():
    right = np.random.default_rng(2).random(90) < 0.8
    groups, people = np.arange(90) // 6, np.arange(90) % 6
    found, plain = single_votes(right, groups, people), clustered_share(right, groups)
    assert (found.value, found.low, found.high, found.n) == (
        plain.value, plain.low, plain.high, plain.n
    )  # fmt: skip
    assert (found.n_people, found.people_low <= found.low) == (6, True)
    assert single_votes(np.zeros(0), np.zeros(0, int), np.zeros(0, int)) == NO_PEOPLE


def test_votes_all_right_give_both_intervals_a_width():
    found = single_votes(np.ones(60, dtype=bool), np.arange(60) // 3, np.arange(60) % 6)
    assert found.people_low < found.low < 1 == found.high == found.people_high


@pytest.mark.parametrize("n_people", [8, 14])
def test_people_like_them_are_held_where_the_interval_over_questions_is_about_others(n_people):
    """Skills have a deviation of ten points; 100 questions, single votes and majorities."""
    setting = f"people like them, {n_people} people with sd 0.10, 300 questions"
    for figure in ("accuracy, single", "accuracy, majority"):
        [row] = [one for one in all_rows(figure) if one.setting == setting]
        before, after = _shares(row, sets=120)
        assert before < 0.85
        assert after >= 0.9


@pytest.mark.long
@pytest.mark.parametrize(
    "row", all_rows("accuracy"), ids=lambda row: f"{row.figure}, {row.setting}"
)
def test_every_interval_of_accuracy_holds_the_truth_or_is_not_given(row):
    _before, after = _shares(row, sets=300)
    if "people like them, 4 people" in row.setting:
        assert after is None
    else:
        assert after >= 0.92 - 0.03  # twice the deviation of 300 sets


def _shares(row: Interval, *, sets: int) -> tuple[float | None, float | None]:
    drawn = [row.draw(np.random.default_rng([9, number])) for number in range(sets)]
    return share(one for one, _ in drawn), share(one for _, one in drawn)


def test_groups_are_drawn_whole_and_as_many_as_there_are() -> None:
    groups = np.array([0, 1, 1, 2, 2, 2])
    for often in resampled(groups, times=50, rng=np.random.default_rng(0)):
        by_group = [often[groups == name] for name in range(3)]
        assert all((members == members[0]).all() for members in by_group)
        assert sum(members[0] for members in by_group) == 3


def test_the_interval_of_a_share_is_nearly_that_over_groups() -> None:
    rng, groups = np.random.default_rng(0), np.repeat(np.arange(200), 3)
    hits = np.repeat(rng.random(200) < 0.7, 3) ^ (rng.random(600) < 0.1)
    found = bootstrap(lambda often: np.average(hits, weights=often), groups, seed=0)
    expected = clustered_share(hits, groups)
    assert (found.value, found.n) == (expected.value, 200)
    np.testing.assert_allclose([found.low, found.high], [expected.low, expected.high], atol=0.01)


def ratio(drawn: np.ndarray, often: np.ndarray) -> float:
    one, two = drawn @ often
    return one / two


def test_it_holds_the_truth_for_a_figure_without_a_formula() -> None:
    # The truth is 1: the ratio of two sums over pairs that hang together.
    rng, groups, held = np.random.default_rng(1), np.repeat(np.arange(80), 2), 0
    for _ in range(200):
        drawn = rng.exponential(size=(2, 80)).repeat(2, axis=1) + rng.random((2, 160))
        found = bootstrap(partial(ratio, drawn), groups, seed=0, times=200)
        held += found.low <= 1 <= found.high
    assert held >= 0.9 * 200


def test_samples_in_which_a_figure_is_not_known_are_left_out() -> None:
    found = bootstrap(lambda often: often[0] if often[1] else np.nan, np.arange(9), seed=0)
    assert (found.value, found.low) == (1, 0)


def test_no_rows_have_no_figure_and_a_seed_gives_the_same_again() -> None:
    assert bootstrap(np.sum, np.zeros(0, dtype=int), seed=0) == NOTHING
    one, two = (bootstrap(lambda w: w[0] - w[1], np.arange(9), seed=3) for _ in range(2))
    assert one == two
