"""Chance levels, accuracies below them, and the baselines: the majority, a linear model."""

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from corpora.core.metrics import accuracy, group_score
from evaluation.core.baselines import linear_predict, majority_predict
from evaluation.core.below_chance import (
    LEVEL,
    Chance,
    below_chance,
    chance,
    chance_of,
    most_frequent,
)

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


def of(credits, groups=None, answers=None, k=2):
    n = len(credits)
    right = answers if answers is not None else np.arange(n) % k + 1
    return below_chance(credits, right, [k] * n, [None] * n if groups is None else groups)


def test_reversed_labels_are_found_and_said_with_their_share():
    found = of(np.random.default_rng(7).random(200) < 0.2)
    assert found is not None
    assert "Are labels reversed" in found.sentence
    assert f"{found.accuracy:.1%}" in found.sentence


@pytest.mark.parametrize(
    "credits", [[], [0.0] * 9, [0.5] * 500, [1.0] * 50, [0.0, 1.0] * 400, [0.45] * 500]
)
def test_few_questions_ties_and_chance_are_not_said(credits):
    assert of(np.array(credits)) is None


def test_a_method_that_always_gives_one_number_is_not_said():
    answers = np.array([1] * 20 + [2] * 180)
    assert of(answers == 1, answers=answers) is None


def test_twins_that_are_wrong_together_count_once():
    wrong = np.zeros(18)
    assert of(wrong) is not None
    assert of(wrong, groups=np.arange(18) // 2) is None


@pytest.mark.parametrize("k", [2, 4])
def test_fewer_evaluations_at_chance_than_the_level_are_said(k):
    groups = np.arange(60) // 2
    rng, n = np.random.default_rng(7), 2_000
    said = sum(of(np.repeat(rng.random(30) < 1 / k, 2), groups, k=k) is not None for _ in range(n))
    assert said / n <= LEVEL * 2


RNG = np.random.default_rng(0)
X = RNG.normal(size=(300, 5)) * [1, 10, 100, 1000, 1]
Y = np.where(X[:, 0] + X[:, 3] / 1000 + 0.3 * RNG.normal(size=300) > 0, 1, 2)


def test_the_majority_answers_everything():
    assert majority_predict([2, 1, 2], [2, 2, 2]).tolist() == [2, 2, 2]


def test_of_equal_answers_the_smallest_is_taken():
    assert majority_predict([2, 1], [2, 2]).tolist() == [1, 1]


def test_no_training_answers_are_refused():
    with pytest.raises(ValueError, match="y_train must hold at least one answer"):
        majority_predict([], [2])


def test_a_question_gets_the_most_frequent_answer_that_it_has():
    assert majority_predict([5, 5, 5, 2, 3, 3], [2, 3, 4, 5]).tolist() == [2, 3, 3, 5]
    assert majority_predict([5], [2]).tolist() == [1]


def test_the_linear_model_is_scikit_learns():
    oracle = make_pipeline(StandardScaler(), LogisticRegression(tol=1e-8, max_iter=1000))
    expected = oracle.fit(X[:200], Y[:200]).predict(X[200:])
    np.testing.assert_array_equal(linear_predict(X[:200], Y[:200], X[200:]), expected)
    assert (expected == Y[200:]).mean() > 0.8


def test_the_scale_of_a_feature_changes_nothing():
    scaled = X * [1e-3, 1, 1e3, 1, 1]
    np.testing.assert_array_equal(
        linear_predict(X[:200], Y[:200], X[200:]),
        linear_predict(scaled[:200], Y[:200], scaled[200:]),
    )


def test_one_class_is_answered_everywhere():
    assert linear_predict(X, np.full(300, 2), X[:4]).tolist() == [2, 2, 2, 2]


def test_constant_features_leave_the_majority():
    y = np.array([1, 2, 2])
    assert linear_predict(np.ones((3, 2)), y, np.ones((2, 2))).tolist() == [2, 2]


def test_no_questions_get_no_answers():
    assert linear_predict(X, Y, np.empty((0, 5))).shape == (0,)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"C": 0}, "C must be above 0, got 0"),
        ({"X": np.full((2, 5), np.nan)}, "contains NaN"),
        ({"X": np.ones((2, 4))}, "X must have 5 features, got 4"),
        ({"y_train": Y[:-1]}, "inconsistent numbers of samples"),
    ],
)
def test_bad_input_of_a_baseline_is_named(changes, message):
    with pytest.raises(ValueError, match=message):
        linear_predict(**{"X_train": X, "y_train": Y, "X": X, **changes})
