"""Accuracy and group score, with intervals that hold whatever members have in common."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.core.metrics import accuracy, group_score
from stats.intervals import NOTHING, wilson

answers = st.lists(st.tuples(st.booleans(), st.sampled_from([None, *range(30)])), max_size=60)


def test_nothing_asked_has_no_accuracy():
    assert accuracy([], []) == group_score([], []) == NOTHING
    assert group_score([True, False], ["a", None]) == NOTHING


def test_accuracy_counts_questions():
    found = accuracy(np.array([True, True, False, True]), ["a", "a", None, None])
    assert (found.value, found.n) == (0.75, 4)


@given(answers)
def test_the_group_score_equals_a_slow_loop(rows):
    groups = {}
    for right, name in rows:
        groups.setdefault(name, []).append(right)
    groups.pop(None, None)
    whole = [all(members) for members in groups.values() if len(members) > 1]
    found = group_score([right for right, _ in rows], [name for _, name in rows])
    assert found == wilson(sum(whole), len(whole))


def test_a_model_blind_to_the_trigger_solves_no_pair():
    correct, twins = np.tile([True, False], 50), np.repeat(np.arange(50), 2)
    assert group_score(correct, twins).value == 0
    # Always one half; its interval promises no more than as many independent questions would.
    assert accuracy(correct, twins) == wilson(50, 100)


def test_questions_without_twins_have_wilsons_interval():
    assert accuracy(np.arange(40) < 25, [None] * 40) == wilson(25, 40)


@pytest.mark.parametrize("n_pairs", [10, 25, 200])
@pytest.mark.parametrize("together", [1.0, 0.6, 0.0, -1.0])
def test_the_interval_holds_the_true_accuracy_however_twins_hang_together(n_pairs, together):
    # The truth is 0.7. ``together``: how often twins share one result; at -1 they never fail both.
    rng, twins, held = np.random.default_rng(7), np.repeat(np.arange(n_pairs), 2), 0
    for _ in range(400):
        hits = rng.random((n_pairs, 2)) < 0.7
        if together < 0:
            fails, which = rng.random(n_pairs) < 0.6, rng.random(n_pairs) < 0.5
            hits = ~(fails[:, None] & np.stack([which, ~which], axis=1))
        else:
            alike = rng.random(n_pairs) < together
            hits[alike, 1] = hits[alike, 0]
        found = accuracy(hits.ravel(), twins)
        held += found.low <= 0.7 <= found.high
    assert held >= 0.91 * 400


def test_one_wrong_answer_fails_its_whole_triplet():
    correct, groups = [True, True, False, True, True, True], ["a"] * 3 + ["b"] * 3
    assert group_score(correct, groups) == wilson(1, 2)
    assert accuracy(correct, groups).n == 6


def test_lengths_must_agree():
    with pytest.raises(ValueError, match="groups must have 2 entries as correct, got 1"):
        group_score([True, False], ["a"])
    with pytest.raises(ValueError, match="groups must have 2 entries as correct, got 1"):
        accuracy([True, False], ["a"])


@pytest.mark.parametrize("correct", [[1, 0], [[True], [False]], ["yes"]])
def test_only_booleans_are_right_or_wrong(correct):
    with pytest.raises(ValueError, match="correct must be a one-dimensional boolean array"):
        accuracy(correct, [None] * len(correct))
