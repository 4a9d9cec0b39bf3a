"""Intervals of questions and people: the variance between people, and what they hold."""

import numpy as np
import pytest

from benchmarks.coverage import all_rows, share
from benchmarks.coverage_rows import Interval
from stats.intervals import clustered_share
from stats.people import NO_PEOPLE, People, people_variance, single_votes


def crossed(rng, *, n_people, n_groups, sd):
    """Votes of two questions a group, three a question; the people's effects have this sd."""
    group = np.repeat(np.arange(n_groups), 6)
    people = rng.random((n_groups, n_people)).argsort(axis=1)[:, :6].ravel()
    skill, ease = rng.normal(0, sd, n_people), rng.normal(0, 0.3, n_groups)
    return skill[people] + ease[group] + rng.normal(0, 0.5, len(group)), group, people


def test_the_variance_between_people_is_estimated_without_bias():
    """In 400 sets its mean is the true one, with questions and without differences of people."""
    for sd in (0.0, 0.2):
        rng, found = np.random.default_rng(7), []
        for _ in range(400):
            values, group, people = crossed(rng, n_people=9, n_groups=60, sd=sd)
            everyone = People(np.arange(len(values)), people)
            found.append(people_variance(values, group, everyone, n=len(values)))
        expected = sd**2 / 9  # all have about equal loads
        # Negative estimates count as 0, so without differences the mean is slightly above.
        assert np.mean(found) == pytest.approx(expected, abs=0.0005)


def test_what_questions_contribute_is_that_of_the_plain_formula():
    """The quick sums equal those over a matrix of groups and people."""
    values, group, people = crossed(np.random.default_rng(1), n_people=7, n_groups=20, sd=0.3)
    member = (people[:, None] == np.arange(7)).astype(float)
    rest, centred = values - values.mean(), member - member.mean(axis=0)
    sums = np.array([centred[group == g].T @ rest[group == g] for g in range(20)])
    between = centred.T @ centred
    squares = (centred.T @ rest) @ (centred.T @ rest) - (sums**2).sum()
    expected = max(0, squares) / (between**2).sum() * (member.sum(axis=0) ** 2).sum() / 120**2
    found = people_variance(values, group, People(np.arange(120), people), n=120)
    assert found == pytest.approx(expected)


def test_for_these_people_it_is_the_interval_over_groups():
    right = np.random.default_rng(2).random(90) < 0.8
    groups, people = np.arange(90) // 6, np.arange(90) % 6
    found, plain = single_votes(right, groups, people), clustered_share(right, groups)
    assert (found.value, found.low, found.high, found.n) == (
        plain.value, plain.low, plain.high, plain.n
    )  # fmt: skip
    assert (found.n_people, found.people_low <= found.low) == (6, True)
    assert single_votes(np.zeros(0), np.zeros(0, int), np.zeros(0, int)) == NO_PEOPLE


def test_votes_all_right_give_both_intervals_a_width():
    found = single_votes(np.ones(60, dtype=bool), np.arange(60) // 3, np.arange(60) % 6)
    assert found.people_low < found.low < 1 == found.high == found.people_high


@pytest.mark.parametrize("n_people", [8, 14])
def test_people_like_them_are_held_where_the_interval_over_questions_is_about_others(n_people):
    """Skills have a deviation of ten points; 100 questions, single votes and majorities."""
    setting = f"people like them, {n_people} people with sd 0.10, 300 questions"
    for figure in ("accuracy, single", "accuracy, majority"):
        [row] = [one for one in all_rows(figure) if one.setting == setting]
        before, after = _shares(row, sets=120)
        assert before < 0.85
        assert after >= 0.9


@pytest.mark.long
@pytest.mark.parametrize(
    "row", all_rows("accuracy"), ids=lambda row: f"{row.figure}, {row.setting}"
)
def test_every_interval_of_accuracy_holds_the_truth_or_is_not_given(row):
    _before, after = _shares(row, sets=300)
    if "people like them, 4 people" in row.setting:
        assert after is None
    else:
        assert after >= 0.92 - 0.03  # twice the deviation of 300 sets


def _shares(row: Interval, *, sets: int) -> tuple[float | None, float | None]:
    drawn = [row.draw(np.random.default_rng([9, number])) for number in range(sets)]
    return share(one for one, _ in drawn), share(one for _, one in drawn)
