"""The bootstrap over groups: whole groups, the same draws again, an interval that holds."""

from functools import partial

import numpy as np

from stats.bootstrap import bootstrap, resampled
from stats.intervals import NOTHING, clustered_share


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
