"""Accuracy and pair accuracy with Wilson's interval."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest

from evaluation.core.metrics import Estimate, accuracy, pair_accuracy, wilson

answers = st.lists(st.tuples(st.booleans(), st.sampled_from([None, *range(30)])), max_size=60)


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


def test_nothing_asked_has_no_accuracy():
    nothing = Estimate(None, None, None, 0)
    assert accuracy([]) == pair_accuracy([], []) == nothing
    assert pair_accuracy([True, False], ["a", None]) == nothing


def test_accuracy_counts_questions():
    found = accuracy(np.array([True, True, False, True]))
    assert (found.value, found.n) == (0.75, 4)


@given(answers)
def test_pair_accuracy_equals_a_slow_loop(rows):
    seen, kept = {}, []
    for right, twin in rows:
        seen[twin] = seen.get(twin, 0) + 1
        if twin is None or seen[twin] <= 2:
            kept.append((right, twin))
    both = [
        a[0] and b[0]
        for i, a in enumerate(kept)
        for b in kept[i + 1 :]
        if a[1] is not None and a[1] == b[1]
    ]
    found = pair_accuracy([right for right, _ in kept], [twin for _, twin in kept])
    assert found == wilson(sum(both), len(both))


def test_a_model_blind_to_the_trigger_solves_no_pair():
    correct = np.tile([True, False], 50)
    assert accuracy(correct).value == 0.5
    assert pair_accuracy(correct, np.repeat(np.arange(50), 2)).value == 0


def test_three_of_one_twin_are_refused():
    with pytest.raises(ValueError, match="at most two questions, 'a' is by more"):
        pair_accuracy([True] * 3, ["a"] * 3)


def test_lengths_must_agree():
    with pytest.raises(ValueError, match="twins must have 2 entries as correct, got 1"):
        pair_accuracy([True, False], ["a"])


@pytest.mark.parametrize("correct", [[1, 0], [[True], [False]], ["yes"]])
def test_only_booleans_are_right_or_wrong(correct):
    with pytest.raises(ValueError, match="correct must be a flat row of booleans"):
        accuracy(correct)


def test_more_successes_than_trials_are_refused():
    with pytest.raises(ValueError, match="successes must be between 0 and n = 2, got 3"):
        wilson(3, 2)
