"""Human performance: which votes count, and how sure the figure is."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stats.intervals import wilson
from stats.people import NO_PEOPLE
from stats.tables import label_counts
from tests.crowd_data import crowd_votes, needs_crowd_votes
from validation.core.human import first_votes, human_performance
from validation.core.votes import majority_shares


def test_a_crowd_that_validates_nothing_has_no_figure_and_a_few_all_right_are_no_certainty():
    assert performance([], []).majority == NO_PEOPLE
    eight = performance([3] * 8, range(8)).majority
    assert (eight.low, eight.high) == (wilson(8, 8).low, 1)
    assert performance([0] * 8, np.arange(8) // 2).majority.high == wilson(0, 4).high


def test_the_intervals_hold_the_truth_where_authors_and_questions_differ():
    # One author in seven writes twins that mislead; a question's votes share its difficulty.
    rng, n, held, by_votes = np.random.default_rng(2), 60, np.zeros(2), 0
    misled, chance = 1 / 7, {True: 0.2, False: 0.95}
    of_three = {bad: p**3 + 3 * p**2 * (1 - p) for bad, p in chance.items()}
    truths = [misled * its[True] + (1 - misled) * its[False] for its in (of_three, chance)]
    for _ in range(400):
        bad = rng.random(n) < misled
        n_right = rng.binomial(3, np.where(bad, chance[True], chance[False])[:, None], (n, 2))
        found = performance(n_right.ravel(), np.repeat(np.arange(n), 2))
        for place, one in enumerate((found.majority, found.single)):
            held[place] += one.low <= truths[place] <= one.high
        plain = wilson(int(n_right.sum()), 6 * n)
        by_votes += plain.low <= truths[1] <= plain.high
    assert (held >= 0.92 * 400).all()
    assert by_votes < 0.75 * 400  # as if votes were independent: the figure that was not to be


@needs_crowd_votes
def test_three_real_votes_a_question_give_the_known_majority_and_the_share_of_right_votes():
    votes = crowd_votes("d_jn-product")
    right = votes.labels == votes.truths[votes.items]
    chosen = first_votes(votes.items, np.arange(len(right)))
    assert chosen.all()
    n_right = np.bincount(votes.items, weights=right).astype(int)
    found = performance(n_right, np.arange(len(n_right)))
    assert round(found.majority.value, 4) == 0.8966
    assert found.single.value == right.mean()
    assert found.majority.low < 0.8966 < found.majority.high
    assert (found.majority.n, found.single.n) == (8315, 24945)


@settings(deadline=None)
@given(st.lists(st.tuples(st.integers(0, 5), st.integers(0, 9)), max_size=40))
def test_the_three_earliest_votes_of_each_question_are_chosen(votes):
    items, order = [item for item, _ in votes], [at for _, at in votes]
    chosen = first_votes(items, order)
    for item in set(items):
        places = sorted((k for k in range(len(items)) if items[k] == item), key=lambda k: order[k])
        assert sorted(np.flatnonzero(chosen & (np.array(items) == item))) == sorted(places[:3])


def test_an_even_number_of_votes_or_votes_of_nobody_are_refused():
    with pytest.raises(ValueError, match="odd"):
        human_performance([[True, False]], [[1, 2]], [0])
    with pytest.raises(ValueError, match="a person for each vote"):
        human_performance([[True] * 3], [[1, 2]], [0])
    with pytest.raises(ValueError, match="a value for each row"):
        human_performance([[True] * 3], [[1, 2, 3]], [0, 1])


def test_too_few_people_have_no_interval_for_people_like_them():
    right = np.random.default_rng(0).random((60, 3)) < 0.8
    for n_people, known in ((4, False), (5, True)):
        people = np.stack(
            [np.arange(60) % n_people, np.arange(1, 61) % n_people, np.arange(2, 62) % n_people],
            axis=1,
        )
        found = human_performance(right, people, range(60)).single
        assert (found.people_low is not None, found.n_people) == (known, n_people)
    # Five of whom one cast most votes are fewer than five.
    uneven = np.where(np.arange(180).reshape(60, 3) % 9 < 7, 0, people)
    assert human_performance(right, uneven, range(60)).single.people_low is None


def test_both_intervals_are_one_where_people_do_not_differ_and_the_second_grows_as_they_do():
    widths = []
    for skills in (np.full(8, 0.8), np.linspace(0.6, 1.0, 8)):
        rng = np.random.default_rng(4)
        people = rng.random((400, 8)).argsort(axis=1)[:, :3]
        found = human_performance(rng.random((400, 3)) < skills[people], people, range(400))
        for one in (found.majority, found.single):
            assert one.people_low <= one.low <= one.high <= one.people_high
            widths.append((one.people_high - one.people_low) / (one.high - one.low))
    assert max(widths[:2]) < 1.6 < 2.5 < min(widths[2:])


def performance(n_right, twins):
    """Human performance of questions of which a number of votes is right, cast by ten people."""
    n = len(n_right)
    right = np.arange(3) < np.asarray(n_right, dtype=int).reshape(n, 1)
    return human_performance(right, np.arange(3 * n).reshape(n, 3) % 10, twins)


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
