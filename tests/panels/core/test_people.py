"""The accuracy of people against known truths: oracles by hand, and coverage over sizes."""

from functools import cache

import numpy as np
import pytest
from numpy.typing import NDArray

from panels.core import people as module
from panels.core.people import EMPTY, leaning, people_scores
from stats.agreement import Agreement
from stats.intervals import NOTHING, Estimate

PEOPLE, ROUNDS = 24, 1000


def votes_of(
    rng: np.random.Generator, n: int, *, k: int, votes: int
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """Return votes, people, answers and groups of *n* items in pairs; people have known skills.

    The items of a pair are equally hard, and those who answer an item are different people.
    """
    groups = np.arange(n) // 2
    ease = rng.normal(0, 0.8, n // 2 + 1)[groups]  # (n,)
    skill = np.linspace(0.5, 3, PEOPLE)
    people = rng.random((n, PEOPLE)).argsort(axis=1)[:, :votes]  # (n, votes)
    answers = rng.integers(1, k + 1, n)
    right = rng.random((n, votes)) < 1 / (1 + np.exp(-(skill[people] + ease[:, None])))
    other = (answers[:, None] - 1 + rng.integers(1, k, (n, votes))) % k + 1
    return np.where(right, answers[:, None], other), people, answers, groups


@cache
def truth(*, k: int, votes: int) -> tuple[float, float]:
    """Individual and majority accuracy over very many items of the same kind."""
    chosen, _, answers, _ = votes_of(np.random.default_rng(99), 400_000, k=k, votes=votes)
    counts = (chosen[:, :, None] == np.arange(1, k + 1)).sum(axis=1)  # (n, k)
    best = counts == counts.max(axis=1, keepdims=True)
    rows = np.arange(len(counts)), answers - 1
    return float((counts[rows] / votes).mean()), float((best[rows] / best.sum(axis=1)).mean())


def covers(found: Estimate, value: float) -> bool:
    assert found.low is not None
    assert found.high is not None
    return found.low <= value <= found.high


@pytest.mark.long
@pytest.mark.parametrize(("k", "votes"), [(2, 3), (2, 5), (4, 3)])
@pytest.mark.parametrize("n_items", [50, 500])
def test_intervals_cover_the_truth_in_at_least_93_percent(
    k: int, votes: int, n_items: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    nothing = Agreement(NOTHING, NOTHING, NOTHING, 0)  # takes most of the time
    monkeypatch.setattr(module, "agreement", lambda *_, **__: nothing)
    single, majority = truth(k=k, votes=votes)
    hits = np.zeros(2)
    for seed in range(ROUNDS):
        rng = np.random.default_rng([seed, n_items])
        chosen, people, answers, groups = votes_of(rng, n_items, k=k, votes=votes)
        found = people_scores(chosen, people, answers, [*groups], n_options=[k] * n_items)
        hits += [covers(found.individual, single), covers(found.majority, majority)]
    assert (hits / ROUNDS >= 0.93).all(), hits / ROUNDS


def scores(votes, answers, groups, k=2):
    """The scores of votes by people who answer one item each."""
    people = np.arange(np.asarray(votes).size).reshape(np.shape(votes))
    return people_scores(votes, people, answers, groups, n_options=[k] * len(votes))


def test_counts_by_hand() -> None:
    votes = [[1, 1, 1], [1, 2, 2], [2, 2, 2], [1, 1, 2]]
    found = scores(votes, [1, 1, 2, 2], ["a", "a", "b", "b"])
    assert found.individual.value == pytest.approx(8 / 12)
    assert (found.individual.n, found.majority.n, found.group.n) == (12, 4, 2)
    assert (found.majority.value, found.group.value) == (0.5, 0.0)
    assert found.raw.value == pytest.approx((1 + 1 / 3 + 1 + 1 / 3) / 4)


def test_a_tie_shares_the_credit() -> None:
    found = scores([[1, 1, 2, 2, 3], [1, 2, 3, 4, 4]], [1, 1], ["a", "b"], k=4)
    assert found.majority.value == pytest.approx((1 / 2 + 0) / 2)
    assert found.alpha.value is None


def test_guessing_people_agree_by_chance_and_are_right_half_the_time() -> None:
    rng = np.random.default_rng(5)
    found = scores(rng.integers(1, 3, (4000, 3)), rng.integers(1, 3, 4000), range(4000))
    assert found.majority.value == pytest.approx(0.5, abs=0.03)
    assert found.alpha.value == pytest.approx(0, abs=0.03)
    assert found.alpha.low < 0 < found.alpha.high


def test_nothing_gives_no_figure_and_unequal_votes_are_refused() -> None:
    assert people_scores([], [], [], [], n_options=[]) == EMPTY
    with pytest.raises(ValueError, match="equally many votes"):
        people_scores([[1, 1, 1]], [[1, 2]], [1], ["a"], n_options=[2])
    for votes in ([[1, 3, 1]], [[0, 1, 1]]):
        with pytest.raises(ValueError, match="votes must be from 1"):
            scores(votes, [1], ["a"])


@pytest.mark.long
def test_the_second_interval_holds_the_accuracy_of_all_people_where_the_first_does_not() -> None:
    """Eight of many people answer 200 pairs: the first interval is about these eight."""
    rng, held, sets = np.random.default_rng(8), np.zeros((3, 2)), 100
    of_three = 3 * 0.8**2 - 2 * 0.8**3
    truths = (0.8, of_three, of_three**2)
    for _ in range(sets):
        skill = rng.choice([0.7, 0.9], 8)
        people = rng.random((200, 8)).argsort(axis=1)[:, :6].reshape(400, 3)
        votes = np.where(rng.random((400, 3)) < skill[people], 1, 2)
        found = people_scores(votes, people, [1] * 400, np.arange(400) // 2, n_options=[2] * 400)
        for row, (one, truth) in enumerate(
            zip((found.individual, found.majority, found.group), truths, strict=True)
        ):
            held[row] += [one.low <= truth <= one.high, one.people_low <= truth <= one.people_high]
    assert (held[:, 0] < 0.85 * sets).all(), held
    assert (held[:, 1] >= 0.9 * sets).all(), held


def test_who_follows_the_order_of_options_is_noted_and_readers_rarely_are() -> None:
    rng, pages = np.random.default_rng(2), 300
    noted = 0
    for _ in range(pages):
        votes = [[(bool(first), 0.5) for first in rng.random(25) < 0.5] for _ in range(14)]
        noted += any(leaning(votes))
    assert noted <= 0.05 * pages + 2 * (0.0475 * pages) ** 0.5
    votes[3] = [(True, 0.5)] * 25
    assert leaning(votes)[3]
    assert leaning([]) == []
