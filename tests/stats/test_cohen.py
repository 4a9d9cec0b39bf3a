"""Cohen's kappa, against scikit-learn and a known truth."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import cohen_kappa_score

from stats.cohen import cohen, mean_kappa


@settings(deadline=None)
@given(st.lists(st.tuples(st.integers(0, 2), st.integers(0, 2)), max_size=30))
def test_cohens_kappa_is_scikit_learns(pairs):
    one, two = [a for a, _ in pairs], [b for _, b in pairs]
    found = cohen(np.array(one, int), np.array(two, int), np.arange(len(pairs)), n_labels=3)
    undefined = len({*pairs}) < 2 and one == two
    assert (found.estimate.value is None) == undefined
    if not undefined:
        assert found.estimate.value == pytest.approx(cohen_kappa_score(one, two), abs=1e-9)
        assert found.estimate.low <= found.estimate.value + 1e-9
        assert found.estimate.value <= found.estimate.high + 1e-9
        # What things add to kappa sums to nothing, as kappa is their mean's function.
        assert found.rest.sum() == pytest.approx(0, abs=1e-9)


def test_the_intervals_hold_the_kappa_of_one_and_the_mean_of_several():
    """Six people are right on 85 % of pairs of problems, in which both have one difficulty."""
    rng, held, sets = np.random.default_rng(5), np.zeros(2), 300
    groups, truth = np.arange(200) // 2, np.tile([0, 1], 100)
    for _ in range(sets):
        ease = rng.choice([0.75, 0.95], 100)[groups]
        found = [
            cohen(truth, np.where(rng.random(200) < ease, truth, 1 - truth), groups)
            for _ in range(6)
        ]
        one, mean = found[0].estimate, mean_kappa(found)
        held += [one.low <= 0.7 <= one.high, mean.low <= 0.7 <= mean.high]
    assert (held / sets >= 0.92).all(), held / sets
    assert mean.people_low <= mean.low
    assert mean_kappa(found[:4]).people_low is None
