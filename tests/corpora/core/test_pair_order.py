"""The balance of pairs, and the order in which one person gets them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpora.core.pair_order import annotators_order, unbalanced_pairs


def nearest(order, pairs):
    """The smallest distance between the two of a pair."""
    place = {row: k for k, row in enumerate(order)}
    rows = {}
    for row, pair in enumerate(pairs):
        rows.setdefault(pair, []).append(place[row])
    return min(abs(two[0] - two[1]) for two in rows.values() if len(two) == 2)


def test_pairs_without_one_true_and_one_false_problem_are_named():
    assert unbalanced_pairs(["a", "b", "a", "b"], [True, False, False, True]) == []
    assert unbalanced_pairs(["a", "b", "a", "c"], [True, False, True, True]) == [0, 1, 3]


@pytest.mark.parametrize("n_pairs", [20, 21, 30, 50, 281, 1000])
def test_the_two_of_a_pair_are_at_least_twenty_apart(n_pairs):
    pairs = [k // 2 for k in range(2 * n_pairs)]
    for annotator in range(6):
        order = annotators_order(pairs, seed=7, annotator=annotator)
        assert sorted(order) == list(range(2 * n_pairs))
        assert nearest(order, pairs) >= 20


@given(st.integers(1, 19), st.integers(0, 5), st.integers(0, 99))
def test_few_pairs_are_as_far_apart_as_all_can_be(n_pairs, n_alone, seed):
    pairs = [k // 2 for k in range(2 * n_pairs)] + [f"alone {k}" for k in range(n_alone)]
    order = annotators_order(pairs, seed=seed, annotator=1)
    assert sorted(order) == list(range(len(pairs)))
    assert nearest(order, pairs) >= n_pairs


def test_each_annotator_has_an_own_order_that_the_seed_gives_again():
    pairs = [k // 2 for k in range(562)]
    orders = [annotators_order(pairs, seed=3, annotator=k) for k in range(6)]
    assert len(set(map(tuple, orders))) == 6
    assert annotators_order(pairs, seed=3, annotator=4) == orders[4]
    assert annotators_order(pairs, seed=4, annotator=4) != orders[4]


def test_either_problem_of_a_pair_can_come_first():
    pairs = [k // 2 for k in range(562)]
    n_first = 0
    for annotator in range(40):
        place = {r: k for k, r in enumerate(annotators_order(pairs, seed=1, annotator=annotator))}
        n_first += sum(place[row] < place[row + 1] for row in range(0, 562, 2))
    assert abs(n_first / (40 * 281) - 0.5) < 0.02


def test_three_problems_are_no_pair():
    with pytest.raises(ValueError, match="at most two"):
        annotators_order(["a", "a", "a"], seed=1, annotator=1)


def test_no_problems_have_an_empty_order():
    assert annotators_order([], seed=1, annotator=1) == []
