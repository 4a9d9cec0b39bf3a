"""Scores of a blind test: attackers who know how they are made learn little from them."""

from itertools import pairwise

import numpy as np
import pytest

from evaluation.core.leaderboard import (
    SHARE,
    SIZES,
    Noise,
    Shape,
    curve_area,
    labels_told,
    noise,
    score,
    shape_of,
    with_interval,
)

SHAPE = Shape(n_unpaired=200, n_pairs=300)
GROUPS = [f"u{i}" for i in range(200)] + [f"p{i // 2}" for i in range(600)]
EXACT = Noise(accuracy=0.0, pair_accuracy=0.0)


def some_answers(rng):
    first = rng.integers(1, 3, size=500)
    return np.concatenate([first[:200], np.column_stack([first[200:], 3 - first[200:]]).ravel()])


@pytest.mark.parametrize("per_year", [1, 12, 365])
@pytest.mark.parametrize("shape", [SHAPE, Shape(100, 0), Shape(0, 100), Shape(993, 387)])
def test_a_year_tells_one_percent_of_the_labels(shape: Shape, per_year: int) -> None:
    for n_accuracies in (1, 2):
        found = noise(shape, per_year=per_year, n_accuracies=n_accuracies)
        told = per_year * labels_told(shape, found, n_accuracies=n_accuracies)
        assert told == pytest.approx(SHARE * shape.n_questions)


def flips(answers, sd, *, n_rounds, rng):
    """Learn single labels: flip one group's predictions at a time and compare the accuracies."""
    base = np.ones(len(answers), dtype=np.int64)
    base[201::2] = 2  # a pair's answers are opposite
    starts = [*range(200), *range(200, 800, 2)]
    learned = 0
    for start in rng.choice(starts, size=n_rounds - 1, replace=False):
        flipped = base.copy()
        end = start + 1 if start < 200 else start + 2
        flipped[start:end] = 3 - flipped[start:end]
        before, after = (
            score({"": given}, answers, groups=GROUPS, sizes=None, noise=sd, rng=rng).accuracy
            for given in (base, flipped)
        )
        guess = flipped[start] if after > before else base[start]
        learned += guess == answers[start]
    return learned / (n_rounds - 1)


def boosted(answers, sd, *, n_rounds, rng):
    """Submit random predictions and weight them by their scores (Blum and Hardt, 2015)."""
    votes = np.zeros(len(answers))
    for _ in range(n_rounds):
        given = some_answers(rng)
        told = score({"": given}, answers, groups=GROUPS, sizes=None, noise=sd, rng=rng)
        votes += (told.accuracy - 0.5) * np.where(given == 1, 1, -1)
    return ((votes > 0) == (answers == 1)).mean()


def entropy(p: float) -> float:
    return float(-p * np.log2(p) - (1 - p) * np.log2(1 - p))


@pytest.mark.long
@pytest.mark.parametrize("attack", [flips, boosted])
def test_attackers_learn_no_more_than_the_bound(attack) -> None:
    sd, rng = noise(SHAPE, per_year=12), np.random.default_rng(0)
    right = np.mean([attack(some_answers(rng), sd, n_rounds=12, rng=rng) for _ in range(200)])
    # One percent of the information about all labels: at most so many guesses are right.
    most = next(p for p in np.arange(0.5, 1, 0.001) if 1 - entropy(p) >= SHARE)
    assert right < most + 0.01
    assert most == pytest.approx(0.56, abs=0.005)


def test_exact_scores_tell_each_label_that_is_asked_for() -> None:
    rng = np.random.default_rng(1)
    assert flips(some_answers(rng), EXACT, n_rounds=50, rng=rng) == 1.0
    assert boosted(some_answers(rng), EXACT, n_rounds=365, rng=rng) > 0.65


def test_intervals_with_noise_cover_the_truth() -> None:
    rng, sd = np.random.default_rng(2), noise(SHAPE, per_year=12).accuracy
    units = [1] * SHAPE.n_unpaired + [2] * SHAPE.n_pairs
    covered = 0
    for _ in range(2000):  # the twins of a pair are right or wrong together: the worst case
        right = rng.random(500) < 0.8
        value = np.repeat(right, units).mean() + rng.normal(0, sd)
        found = with_interval(float(np.clip(value, 0, 1)), sd=sd, units=units)
        covered += found.low <= 0.8 <= found.high
    assert 0.94 < covered / 2000 < 0.965


def test_scores_without_noise_are_hand_counts() -> None:
    answers = np.array([1, 1, 2, 2, 1])
    groups = ["a", "b", "b", "c", "c"]
    given = np.array([1, 1, 2, 2, 2])
    found = score(
        {"": given}, answers, groups=groups, sizes=None, noise=EXACT, rng=np.random.default_rng(0)
    )
    assert (found.accuracy, found.pair_accuracy, found.area) == (0.8, 0.5, None)


def test_five_sizes_give_the_area_and_the_accuracy_of_the_largest() -> None:
    answers = np.array([1, 1, 1, 1])
    given = {size: np.array([1] * k + [2] * (4 - k)) for k, size in enumerate(SIZES)}
    found = score(
        given, answers, groups=[None] * 4, sizes=[1, 2, 4, 8, 16], noise=EXACT,
        rng=np.random.default_rng(0),
    )  # fmt: skip
    assert (found.accuracy, found.pair_accuracy, found.area) == (1.0, None, 0.5)


def test_the_area_is_a_weighted_mean_so_a_label_moves_it_no_more_than_an_accuracy() -> None:
    sizes = [160, 640, 2558, 10234, 40398]
    unit = [curve_area(row, sizes) for row in np.eye(5).tolist()]
    assert sum(unit) == pytest.approx(1)
    assert min(unit) > 0
    area = curve_area([0.5, 0.5, 0.5, 0.5, 0.9], sizes)
    assert all(before < after for before, after in pairwise([0.5, area, 0.9]))


def test_a_group_of_three_is_refused() -> None:
    with pytest.raises(ValueError, match="at most 2 questions, got 3"):
        shape_of(["a", "a", "a"])


@pytest.mark.parametrize(
    ("sizes", "sentence"), [([1, 2], "sizes must be 3"), ([2, 2, 3], "sizes must increase")]
)
def test_sizes_of_a_curve_increase(sizes: list[int], sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        curve_area([0.5, 0.6, 0.7], sizes)
