"""When an accuracy is said to be far below chance."""

import numpy as np
import pytest

from evaluation.core.below_chance import LEVEL, below_chance


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
