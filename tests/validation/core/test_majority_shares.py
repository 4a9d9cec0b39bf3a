"""The majority, and what a tie is worth."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from stats.tables import label_counts
from tests.crowd_data import crowd_votes, needs_crowd_votes
from validation.core.votes import majority_shares

tables = st.lists(
    st.tuples(st.integers(0, 5), st.integers(0, 5), st.integers(0, 5)), min_size=1, max_size=20
)


@needs_crowd_votes
@pytest.mark.parametrize(
    ("name", "known", "ties"), [("d_jn-product", 0.8966, 0), ("rte", 0.8969, 65)]
)
def test_its_accuracy_on_real_votes_is_the_known_one_where_a_tie_counts_half(name, known, ties):
    votes = crowd_votes(name)
    counts = label_counts(votes.items, votes.labels, n_labels=2)
    credits = majority_shares(counts)[np.arange(len(counts)), votes.truths]
    assert (credits == 0.5).sum() == ties
    assert round(float(credits.mean()), 4) == known


@needs_crowd_votes
def test_other_tie_rules_give_other_figures_on_rte():
    votes = crowd_votes("rte")
    counts = label_counts(votes.items, votes.labels, n_labels=2)
    first = (counts.argmax(axis=1) == votes.truths).mean()
    last = ((1 - counts[:, ::-1].argmax(axis=1)) == votes.truths).mean()
    assert (round(float(first), 4), round(float(last), 4)) == (0.9187, 0.875)


@given(tables)
def test_shares_sum_to_one_and_are_those_of_fair_draws_among_the_most_frequent(rows):
    shares = majority_shares(rows)
    for row, share in zip(rows, shares, strict=True):
        top = [label for label in range(3) if row[label] == max(row)]
        expected = [1 / len(top) if label in top else 0.0 for label in range(3)]
        assert share.tolist() == pytest.approx(expected)


def test_counts_that_are_not_whole_are_refused():
    with pytest.raises(ValueError, match="integers from 0"):
        majority_shares([[1.5, 0.5]])
