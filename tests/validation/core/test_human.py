"""Human performance: which votes count, and how sure the figure is."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.crowd_data import crowd_votes, needs_crowd_votes
from validation.core.human import bootstrap, first_votes, human_performance
from validation.core.intervals import wilson


def slow_bootstrap(scores, *, draws: int, seed: int) -> tuple[float, float]:
    """Draw the questions themselves, again and again."""
    rng = np.random.default_rng(seed)
    values = np.repeat(list(scores), list(scores.values()))
    means = [rng.choice(values, len(values)).mean() for _ in range(draws)]
    return tuple(np.percentile(means, [2.5, 97.5]))


@pytest.mark.parametrize("scores", [{1.0: 188, 0.0: 12}, {0.0: 5, 0.5: 6, 1.0: 19}])
def test_drawing_counts_is_drawing_questions(scores):
    found, slow = bootstrap(scores), slow_bootstrap(scores, draws=4000, seed=1)
    assert (found.low, found.high) == pytest.approx(slow, abs=0.02)


def test_the_same_seed_gives_the_same_interval_and_n_is_the_questions():
    scores = {1.0: 94, 0.0: 6}
    assert bootstrap(scores, seed=3) == bootstrap(scores, seed=3)
    assert bootstrap(scores).n == 100
    assert bootstrap({1.0: 9_400, 0.0: 600}).low > bootstrap(scores).low


def test_nothing_judged_has_no_figure_and_a_few_all_right_are_no_certainty():
    assert bootstrap({1.0: 0}).value is None
    assert bootstrap({1.0: 8, 0.0: 0}) == wilson(8, 8)
    assert bootstrap({0.0: 8}) == wilson(0, 8)
    assert bootstrap({0.5: 8}).low == 0.5


@needs_crowd_votes
def test_three_real_votes_a_question_give_the_known_majority_and_the_share_of_right_votes():
    votes = crowd_votes("d_jn-product")
    right = votes.labels == votes.truths[votes.items]
    chosen = first_votes(votes.items, np.arange(len(right)))
    assert chosen.all()
    histogram = np.bincount(np.bincount(votes.items, weights=right).astype(int)).tolist()
    found = human_performance(dict(enumerate(histogram)))
    assert round(found.majority.value, 4) == 0.8966
    assert found.single.value == right.mean()
    assert found.majority.low < 0.8966 < found.majority.high
    assert (found.majority.n, found.single.n) == (8315, 24945)


@settings(deadline=None)
@given(st.lists(st.tuples(st.integers(0, 5), st.integers(0, 9)), max_size=40))
def test_three_votes_are_chosen_of_each_question_that_has_them_the_earliest(votes):
    items, order = [item for item, _ in votes], [at for _, at in votes]
    chosen = first_votes(items, order)
    for item in set(items):
        places = sorted((k for k in range(len(items)) if items[k] == item), key=lambda k: order[k])
        expected = places[:3] if len(places) >= 3 else []
        assert sorted(np.flatnonzero(chosen & (np.array(items) == item))) == sorted(expected)


def test_a_question_of_more_right_votes_than_three_or_an_even_number_is_refused():
    with pytest.raises(ValueError, match="0 to 3"):
        human_performance({4: 1})
    with pytest.raises(ValueError, match="odd"):
        human_performance({1: 1}, votes=2)
