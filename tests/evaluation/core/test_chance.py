"""Chance levels, against methods that know nothing."""

import numpy as np
import pytest

from corpora.core.metrics import accuracy, group_score
from evaluation.core.below_chance import Chance, chance, chance_of, most_frequent

WORDS = np.array(["cup", "bag", "box", "jar", "tin"])


def make_set(seed, *, n_groups=40):
    """Groups of one to four questions with two to five options in any order."""
    rng = np.random.default_rng(seed)
    options, answers, groups = [], [], []
    for group in range(n_groups):
        k = int(rng.integers(2, 6))
        for _ in range(rng.integers(1, 5)):
            shift = 0 if rng.random() < 0.8 else 1  # some members have other options
            choices = rng.permutation(np.roll(WORDS, shift)[:k])
            options.append(choices.tolist())
            answers.append(int(rng.integers(1, k + 1)))
            groups.append(group)
    return options, answers, groups


def simulate(options, answers, groups, *, trigger_blind, times=400):
    """The mean figures of a method that draws a word for each thing it can tell apart."""
    rng, figures = np.random.default_rng(0), []
    for _ in range(times):
        drawn: dict = {}
        right = np.zeros(len(options), dtype=bool)
        for row, (choices, answer, group) in enumerate(zip(options, answers, groups, strict=True)):
            seen = (group, *sorted(choices)) if trigger_blind else row
            word = drawn.setdefault(seen, choices[int(rng.random() * len(choices))])
            right[row] = word == choices[answer - 1]
        figures.append([accuracy(right, groups).value, group_score(right, groups).value])
    return np.mean(figures, axis=0), np.std(figures, axis=0)


@pytest.mark.parametrize("trigger_blind", [False, True])
@pytest.mark.parametrize("seed", [0, pytest.param(1, marks=pytest.mark.long)])
def test_the_level_is_the_mean_of_a_method_that_knows_nothing(seed, trigger_blind):
    questions = make_set(seed)
    found = chance(*questions, trigger_blind=trigger_blind)
    means, sds = simulate(*questions, trigger_blind=trigger_blind)
    assert abs(found.single - means[0]) <= 4 * sds[0] / 20
    assert abs(found.group - means[1]) <= 4 * sds[1] / 20
    assert not found.single_exact
    assert not found.group_exact


@pytest.mark.parametrize("preference", [0.5, 0.9, 1.0])
def test_on_twins_with_opposite_answers_a_blind_method_has_exactly_one_half_and_nothing(preference):
    options = [["cup", "bag"], ["bag", "cup"]] * 50
    answers, groups = [1, 1] * 50, np.repeat(np.arange(50), 2)
    expected = Chance(single=0.5, group=0.0, single_exact=True, group_exact=True)
    assert chance(options, answers, groups, trigger_blind=True) == expected
    says_cup = np.repeat(np.random.default_rng(0).random(50) < preference, 2)
    right = says_cup == np.tile([True, False], 50)
    assert accuracy(right, groups).value == 0.5
    assert group_score(right, groups).value == 0


def test_on_perturbations_that_keep_the_answer_a_blind_method_may_be_right_throughout():
    kept = ([["cup", "bag"]] * 3, [1, 1, 1], ["a"] * 3)
    assert chance(*kept, trigger_blind=True) == Chance(0.5, 0.5, False, False)
    assert chance(*kept, trigger_blind=False) == Chance(0.5, 0.125, False, False)


def test_three_members_with_three_right_options_are_exactly_one_third():
    triplet = ([["cup", "bag", "box"]] * 3, [1, 2, 3], ["a"] * 3)
    assert chance(*triplet, trigger_blind=True) == Chance(pytest.approx(1 / 3), 0.0, True, True)


def test_members_with_other_options_are_answered_by_themselves():
    pair = ([["cup", "bag"], ["cup", "box"]], [1, 2], ["a", "a"])
    assert chance(*pair, trigger_blind=True) == Chance(0.5, 0.25, False, False)


def test_ungrouped_questions_have_no_group_level():
    single = ([["cup", "bag"], ["cup", "bag", "box"]], [1, 2], [None, None])
    for trigger_blind in (False, True):
        found = chance(*single, trigger_blind=trigger_blind)
        assert found == Chance(pytest.approx(5 / 12), None, False, False)
    assert chance([], [], [], trigger_blind=True) == Chance(None, None, False, False)


@pytest.mark.parametrize(
    ("options", "answers", "groups", "message"),
    [
        ([["cup"]], [1], [None], "options must be at least 2, all different, got .* at 0"),
        ([["cup", "cup"]], [1], [None], "options must be at least 2, all different"),
        (["cu"], [1], [None], "options must be at least 2, all different"),
        ([["cup", "bag"]], [3], [None], "answers must be from 1 to 2 at 0, got 3"),
        ([["cup", "bag"]], [1], [], "groups must have 1 entries as options, got 0"),
    ],
)
def test_bad_input_is_named(options, answers, groups, message):
    with pytest.raises(ValueError, match=message):
        chance(options, answers, groups, trigger_blind=True)


def chosen(*options, k=2):
    return [np.eye(k)[option - 1] for option in options]


def test_the_chance_of_given_choices_is_half_of_the_pairs_that_they_tell_apart():
    answers, groups = [1, 2] * 4, list("aabbccdd")
    told_apart = chance_of(chosen(1, 1, 2, 2, 1, 2, 2, 1), answers, groups)
    assert told_apart == Chance(0.5, 0.25, False, False)
    assert chance_of(chosen(*[1, 1, 2, 2] * 2), answers, groups) == Chance(0.5, 0.0, True, True)
    assert chance_of([np.array([0.5, 0.5])] * 8, answers, groups).group == 0.25


def test_the_chance_of_given_choices_is_their_mean_over_random_answers():
    rng = np.random.default_rng(0)
    sizes = rng.integers(2, 5, 60)
    groups = np.repeat(np.arange(20), 3)
    answers, picked = rng.integers(1, sizes + 1), rng.integers(1, sizes + 1)
    shares = [np.eye(k)[i - 1] for k, i in zip(sizes, picked, strict=True)]
    found = chance_of(shares, answers, groups)
    turned = (answers - 1 + rng.integers(0, 12, (20_000, 20))[:, groups]) % sizes + 1
    right = turned == picked
    assert found.single == pytest.approx(right.mean(), abs=0.002)
    assert found.group == pytest.approx(right.reshape(-1, 20, 3).all(axis=2).mean(), abs=0.002)


def test_an_unanswered_question_is_wrong_by_chance_too():
    found = chance_of([*chosen(1), np.zeros(2)], [1, 2], ["a", "a"])
    assert found == Chance(0.25, 0.0, False, True)


def test_the_most_frequent_answer_is_the_chance_level_of_true_and_false():
    assert most_frequent([2, 2, 2, 1], ["a", "a", "b", "b"]) == Chance(0.75, 0.5, False, False)
    assert most_frequent([], []) == chance_of([], [], []) == Chance(None, None, False, False)
