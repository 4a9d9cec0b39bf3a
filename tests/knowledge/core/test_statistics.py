"""The figures of Table 1, against an obvious version."""

from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

from knowledge.core.statistics import edit_distance, likeness, mean_likeness, tokens

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
