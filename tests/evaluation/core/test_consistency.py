"""Consistency over switched candidates."""

import numpy as np
import pytest

from corpora.core.metrics import accuracy, credits
from evaluation.core.consistency import consistency

N = 400
ANSWERS = np.tile([1, 2], N // 2)
UNGROUPED = [None] * N


def test_a_model_that_understands_follows_every_switch():
    before, after = np.eye(2)[ANSWERS - 1], np.eye(2)[2 - ANSWERS]
    found = consistency(before, after, ANSWERS, 3 - ANSWERS, UNGROUPED)
    assert [found.consistency.value, found.before.value, found.after.value] == [1, 1, 1]


def test_a_model_that_always_prefers_one_name_never_changes_its_answer():
    scores = np.tile([1.0, 0.0], (N, 1))
    found = consistency(scores, scores, ANSWERS, 3 - ANSWERS, UNGROUPED)
    assert [found.consistency.value, found.before.value, found.after.value] == [0, 0.5, 0.5]


def test_a_model_that_always_chooses_the_first_place_is_consistent_and_half_right():
    # Its answer changes with the switch although it understands nothing.
    before, after = np.tile([1.0, 0.0], (N, 1)), np.tile([0.0, 1.0], (N, 1))
    found = consistency(before, after, ANSWERS, 3 - ANSWERS, UNGROUPED)
    assert [found.consistency.value, found.before.value, found.after.value] == [1, 0.5, 0.5]


def test_the_order_in_which_options_are_listed_does_not_matter():
    rng = np.random.default_rng(0)
    before, after = rng.random((2, N, 2))
    by_name = consistency(before, after, ANSWERS, 3 - ANSWERS, UNGROUPED)
    by_place = consistency(before, after[:, ::-1], ANSWERS, ANSWERS, UNGROUPED)
    assert by_name == by_place


def test_with_two_options_it_is_the_share_of_items_right_or_wrong_in_both():
    rng = np.random.default_rng(1)
    before, after = rng.random((2, N, 2))
    found = consistency(before, after, ANSWERS, 3 - ANSWERS, UNGROUPED)
    one, two = credits(before, ANSWERS), credits(after, 3 - ANSWERS)
    assert found.consistency == accuracy(one == two, UNGROUPED)
    assert (found.before, found.after) == (accuracy(one, UNGROUPED), accuracy(two, UNGROUPED))


@pytest.mark.parametrize("k", [2, 3, 5])
def test_ties_are_as_consistent_as_a_coin(k):
    ties = np.zeros((N, k))
    found = consistency(ties, ties, ANSWERS, 3 - ANSWERS, UNGROUPED)
    assert found.consistency.value == pytest.approx(1 / k)
    assert found.after.value == pytest.approx(1 / k)


def test_the_interval_holds_the_true_consistency():
    # The truth is 0.8: how often the scores are exchanged with the candidates. Twins are alike.
    rng, held, n = np.random.default_rng(2), 0, 120
    for _ in range(60):
        before = rng.random((n, 2))
        follows = np.repeat(rng.random((n // 2, 1)) < 0.8, 2, axis=0)
        after = np.where(follows, before[:, ::-1], before)
        found = consistency(before, after, ANSWERS[:n], 3 - ANSWERS[:n], np.arange(n) // 2)
        held += found.consistency.low <= 0.8 <= found.consistency.high
    assert held >= 52


def test_bad_input_is_named():
    with pytest.raises(ValueError, match="after must have as many items"):
        consistency([[1, 0]], [[1, 0, 0]], [1], [2], [None])
    with pytest.raises(ValueError, match="answers_after must be from 1 to 2 at 0, got 3"):
        consistency([[1, 0]], [[1, 0]], [1], [3], [None])
    assert consistency([], [], [], [], []).consistency.n == 0
