"""Figures of a system on a knowledge set, and those of Table 1."""

from functools import cache

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from knowledge.core.reporting import credits, majority, system_figures
from knowledge.core.statistics import edit_distance, likeness, mean_likeness, tokens

KINDS = ["true", "negation", "true", "swapped"]
LABELS = [True, False, True, False]


def of(answers, kinds=KINDS, labels=LABELS, pairs=(0, 0, 1, 1)):
    return system_figures(answers, labels, kinds=kinds, pairs=pairs, questions=pairs)


def test_figures_of_a_system_are_by_kind_and_over_pairs():
    found = of([1, 0, 1, 1])
    assert found.accuracy.value == 0.75
    assert found.false.value == 0.5
    assert {kind: one.value for kind, one in found.by_kind.items()} == {
        "negation": 1.0,
        "swapped": 0.0,
        "true": 1.0,
    }
    assert (found.pairs.value, found.pairs.n) == (0.5, 2)
    assert found.answered_true == 0.75
    assert not found.is_collapsed


def test_a_tie_counts_half_and_two_ties_give_a_quarter_of_the_pair():
    found = of([0.5, 0.5, 0.5, 0.5])
    assert (found.accuracy.value, found.pairs.value) == (0.5, 0.25)


def test_a_system_that_always_says_true_has_collapsed_and_no_pair_right():
    found = of([1, 1, 1, 1])
    assert found.is_collapsed
    assert (found.accuracy.value, found.pairs.value) == (0.5, 0.0)
    assert of([0, 0, 0, 0]).is_collapsed


def test_a_pair_that_lost_one_of_its_problems_is_left_out_of_pairs():
    found = of([1, 0, 1], KINDS[:3], LABELS[:3], pairs=(0, 0, 1))
    assert (found.pairs.value, found.pairs.n) == (1.0, 1)


def test_guesses_have_half_right_a_quarter_of_pairs_and_intervals_that_cover():
    rng = np.random.default_rng(5)
    n, covered, pairs_covered = 200, 0, 0
    pairs = np.repeat(np.arange(n), 2)
    labels = np.tile([True, False], n)
    kinds = np.where(labels, "true", "negation").tolist()
    for _ in range(300):
        guesses = rng.integers(0, 2, 2 * n)
        found = system_figures(guesses, labels, kinds=kinds, pairs=pairs, questions=pairs)
        covered += found.accuracy.low <= 0.5 <= found.accuracy.high
        pairs_covered += found.pairs.low <= 0.25 <= found.pairs.high
    assert 0.91 <= covered / 300 <= 0.99
    assert 0.91 <= pairs_covered / 300 <= 0.99


def test_a_kind_that_contradicts_its_label_is_refused():
    with pytest.raises(ValueError, match="kinds"):
        of([1, 1, 1, 1], kinds=["true", "true", "true", "swapped"])
    with pytest.raises(ValueError, match="some problems"):
        of([], [], [], pairs=())


def test_the_majority_of_two_that_differ_is_a_tie():
    assert credits(majority([[1, 1], [0, 1]]), [True, False]).tolist() == [0.5, 0.0]
    with pytest.raises(ValueError, match="at least one"):
        majority([])


def test_answers_beyond_0_and_1_are_refused():
    with pytest.raises(ValueError, match="from 0 to 1"):
        credits([2], [True])


WORDS = st.lists(st.sampled_from(["a", "b", "c"]), max_size=6)


def test_tokens_are_lower_case_words_and_punctuation_marks():
    assert tokens("It wouldn’t fit, X says.") == ["it", "wouldn't", "fit", ",", "x", "says", "."]


def test_the_papers_pair_differs_by_three_tokens():
    true = "If X is not strong enough, then it wouldn't be possible for X to lift Y."
    found = likeness(true, true.replace("not strong enough", "way too strong"))
    assert (found.edit_distance, found.length_difference) == (3, 0)
    assert found.jaccard == pytest.approx(15 / 19)


def test_means_are_over_pairs():
    found = mean_likeness([("a b", "a b"), ("a b", "a c d")])
    assert (found.jaccard, found.edit_distance, found.length_difference, found.n) == (
        0.625,
        1.0,
        0.5,
        2,
    )
    assert mean_likeness([]) is None


@given(WORDS, WORDS)
def test_the_edit_distance_equals_the_recursive_definition(first, second):
    @cache
    def distance(i, j):
        if not i or not j:
            return i + j
        changed = distance(i - 1, j - 1) + (first[i - 1] != second[j - 1])
        return min(distance(i - 1, j) + 1, distance(i, j - 1) + 1, changed)

    assert edit_distance(first, second) == distance(len(first), len(second))
