"""Accuracy and group score, with intervals that hold whatever members have in common."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpora.core.metrics import (
    accuracy,
    by_subset,
    credits,
    group_credits,
    group_score,
)
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


@pytest.mark.long
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
    with pytest.raises(ValueError, match="groups must have 2 entries as credits, got 1"):
        group_score([True, False], ["a"])
    with pytest.raises(ValueError, match="groups must have 2 entries as credits, got 1"):
        accuracy([True, False], ["a"])
    with pytest.raises(ValueError, match="labels must have 2 entries as credits, got 1"):
        by_subset([True, False], ["a", "a"], ["x"])


@pytest.mark.parametrize("given", [[1, 0], [[True], [False]], ["yes"]])
def test_only_booleans_and_floats_are_credits(given):
    with pytest.raises(ValueError, match="credits must be a one-dimensional array of booleans"):
        accuracy(given, [None] * len(given))


@pytest.mark.parametrize("given", [[1.5, 0.0], [-0.1, 0.0], [np.nan, 0.0]])
def test_credits_are_from_0_to_1(given):
    with pytest.raises(ValueError, match="credits must be from 0 to 1"):
        group_score(given, ["a", "a"])


scored = st.lists(
    st.lists(st.integers(0, 3), min_size=2, max_size=5).flatmap(
        lambda row: st.tuples(st.just(row), st.integers(1, len(row)))
    ),
    max_size=20,
)


@given(scored)
def test_the_highest_scores_share_one_credit(rows):
    expected = [
        1 / row.count(max(row)) if row[answer - 1] == max(row) else 0 for row, answer in rows
    ]
    found = credits([row for row, _ in rows], [answer for _, answer in rows])
    assert found.dtype == np.float64
    assert found.tolist() == pytest.approx(expected)


@given(scored)
def test_the_credits_of_all_options_sum_to_one(rows):
    for row, _ in rows:
        k = len(row)
        assert credits([row] * k, range(1, k + 1)).sum() == pytest.approx(1)


@pytest.mark.parametrize(
    ("scores", "answers", "message"),
    [
        ([[0.1, float("nan")]], [1], "at least 2 finite numbers for each item, got .* at 0"),
        ([[1, 2], [0.1, float("-inf")]], [1, 1], "at least 2 finite numbers .* at 1"),
        ([[0.1]], [1], "at least 2 finite numbers"),
        ([[0.1, 0.2]], [3], "answers must be from 1 to 2 at 0, got 3"),
        ([[0.1, 0.2]], [0], "answers must be from 1 to 2 at 0, got 0"),
        ([[0.1, 0.2]], [1, 2], "answers must be 1 integers"),
        ([[0.1, 0.2]], [1.0], "answers must be 1 integers, got float64"),
    ],
)
def test_a_score_or_answer_that_means_nothing_is_refused(scores, answers, message):
    with pytest.raises(ValueError, match=message):
        credits(scores, answers)


@pytest.mark.parametrize("k", [2, 3, 5])
@pytest.mark.parametrize("size", [2, 3])
def test_a_scorer_that_ties_everything_has_what_a_coin_has(k, size):
    n = 60 * size
    shared = credits(np.zeros((n, k)), np.ones(n, dtype=int))
    groups = np.repeat(np.arange(60), size)
    assert accuracy(shared, groups).value == pytest.approx(1 / k)
    assert group_score(shared, groups).value == pytest.approx(1 / k**size)


def test_credits_are_what_drawing_each_tie_at_random_gives_on_average():
    rng, groups = np.random.default_rng(0), np.repeat(np.arange(200), 3)
    scores = rng.integers(0, 3, (600, 3)).astype(float)  # many ties
    answers = rng.integers(1, 4, 600)
    shared = credits(scores, answers)
    single, whole = [], []
    for _ in range(400):
        broken = scores + rng.random(scores.shape) / 2
        right = broken.argmax(axis=1) + 1 == answers
        single.append(right.mean())
        whole.append(right.reshape(200, 3).all(axis=1).mean())
    assert accuracy(shared, groups).value == pytest.approx(np.mean(single), abs=0.004)
    assert group_score(shared, groups).value == pytest.approx(np.mean(whole), abs=0.004)


def test_a_groups_credit_without_ties_is_its_minimum():
    rng, groups = np.random.default_rng(0), np.repeat(np.arange(50), 3)
    right = (rng.random(150) < 0.7).astype(float)
    expected = right.reshape(50, 3).min(axis=1)
    assert group_credits(right, groups).tolist() == expected.tolist()
    assert group_credits(right > 0, groups).tolist() == expected.tolist()


@pytest.mark.parametrize(
    "n", [20, 200, *(pytest.param(n, marks=pytest.mark.long) for n in (60, 600, 2000))]
)
@pytest.mark.parametrize("size", [1, 2, 3])
@pytest.mark.parametrize("tied", [0.0, 0.3])
def test_intervals_hold_the_true_accuracy_and_group_score_with_ties(n, size, tied):
    # A question is right with probability 0.7, and tied with probability ``tied``. Members share
    # their result in half of the groups, so the true group score is between that of one question
    # and that of independent ones.
    rng, n_groups, times = np.random.default_rng(n + size), n // size, 150
    groups = np.repeat(np.arange(n_groups), size)
    one = 0.7 * (1 - tied) + 0.5 * tied
    alike = 0.7 * (1 - tied) + 0.5**size * tied
    truths = one, (alike + one**size) / 2
    held = np.zeros(2)
    for _ in range(times):
        drawn = rng.random((2, n_groups, size))
        shared = rng.random((n_groups, 1)) < 0.5
        right, tie = np.where(shared, drawn[:, :, :1], drawn)
        values = np.where(tie < tied, 0.5, right < 0.7).astype(float).ravel()
        found = accuracy(values, groups), group_score(values, groups)
        held += [
            each.n == 0 or each.low <= t <= each.high for each, t in zip(found, truths, strict=True)
        ]
    # Wilson's own coverage at n = 20 is 0.93 to 0.98; with 6 groups it may be 0.9.
    assert (held >= 0.87 * times).all()
    assert n_groups < 30 or (held >= 0.9 * times).all()


def test_a_subsets_figures_are_those_of_its_questions():
    correct = np.array([True, True, False, True, True])
    groups, labels = ["a", "a", "b", "b", None], ["x", "x", "x", "y", None]
    found = by_subset(correct, groups, labels)
    assert list(found) == ["x", "y"]
    assert found["x"] == accuracy(correct[:3], groups[:3])
    whole = by_subset(correct, groups, labels, metric=group_score)
    assert whole == {"x": wilson(1, 1), "y": NOTHING}  # "b" has one question in each
    assert by_subset([], [], []) == {}
