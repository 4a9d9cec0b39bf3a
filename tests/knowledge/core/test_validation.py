"""Answers about problems, reasons, and the texts and names in a release's records."""

from collections import Counter
from decimal import Decimal

import numpy as np
import pytest

from knowledge.core.bundle.records import VoteRecord
from knowledge.core.problems import Problem, read_problem
from knowledge.core.reasons import AskedItem, Flag, flags, folds, validity_of
from knowledge.core.validation import (
    Answers,
    Policy,
    figures,
    is_valid,
    valid_problems,
)
from tests.crowd_data import crowd_votes, needs_crowd_votes
from validation.core.human import first_votes

N, ANNOTATORS = 562, 6


def simulated(seed, accuracy, n=N):
    """Labels of balanced pairs, and the answers of annotators who are right at a known rate."""
    rng = np.random.default_rng(seed)
    labels = np.tile([True, False], n // 2)
    problem, annotator = np.repeat(np.arange(n), ANNOTATORS), np.tile(np.arange(ANNOTATORS), n)
    right = rng.random(len(problem)) < accuracy
    return labels, Answers.of(problem, annotator, labels[problem] == right)


def of(labels, answers, **changes):
    n = len(labels)
    given = {"kinds": ["true", "negation"] * (n // 2), "pairs": np.arange(n) // 2}
    return figures(labels, answers, **given | changes)


def test_the_papers_share_of_right_answers_gives_its_kappa():
    labels = np.tile([True, False], N // 2)
    problem, annotator = np.repeat(np.arange(N), ANNOTATORS), np.tile(np.arange(ANNOTATORS), N)
    right = np.ones(len(problem), dtype=bool)
    right[np.random.default_rng(1).choice(3372, size=3372 - 3165, replace=False)] = False
    answers = Answers.of(problem, annotator, labels[problem] == right)
    found = of(labels, answers)
    assert (found.raw.n, round(found.raw.value, 4)) == (3372, 0.9386)
    assert round(found.mean_kappa.value, 4) == 0.8772


@needs_crowd_votes
def test_six_real_votes_an_item_give_the_stated_figures():
    votes = crowd_votes("rte")
    rows = first_votes(votes.items, np.arange(len(votes.items)), n=6)
    answers = Answers.of(votes.items[rows], votes.workers[rows], votes.labels[rows])
    n = len(votes.truths)
    found = of(votes.truths, answers, kinds=["all"] * n, pairs=range(n))
    assert (found.n_valid, found.n_complete) == (487, 800)
    assert round(found.raw.value, 4) == 0.7756
    assert (round(found.mean_kappa.value, 3), found.mean_kappa.n) == (0.653, 73)
    assert found.raw.people_low < found.raw.low < found.raw.high < found.raw.people_high


@pytest.mark.long
@pytest.mark.parametrize("accuracy", [0.7, 0.94])
def test_figures_find_the_accuracy_and_the_share_of_valid_problems_that_are_true(accuracy):
    expected_valid = 6 * accuracy**5 * (1 - accuracy) + accuracy**6
    covered, shares, kappas = 0, [], []
    for seed in range(100):
        labels, answers = simulated(seed, accuracy)
        found = of(labels, answers)
        covered += found.raw.low <= accuracy <= found.raw.high
        shares.append(found.n_valid / found.n_complete)
        kappas.append(found.mean_kappa.value)
    assert 0.89 <= covered / 100 <= 1
    assert np.mean(shares) == pytest.approx(expected_valid, abs=0.01)
    assert np.mean(kappas) == pytest.approx(2 * accuracy - 1, abs=0.01)


def test_annotators_without_knowledge_agree_as_chance_does():
    labels, answers = simulated(1, 0.5, n=2000)
    found = of(labels, answers)
    for one in (found.mean_kappa, found.among.kappa, found.among.alpha):
        assert abs(one.value) < 0.05
        assert one.low < 0 < one.high


def test_five_of_six_make_a_problem_valid_and_four_do_not():
    problem = np.repeat([0, 1], 6)
    yes = [1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 1, 1]
    valid, complete = valid_problems([True, False], Answers.of(problem, [*range(6)] * 2, yes))
    assert (valid.tolist(), complete.tolist()) == ([True, False], [True, True])


def test_a_problem_without_all_its_answers_is_not_valid_yet():
    valid, complete = valid_problems([True], Answers.of([0] * 5, range(5), [1] * 5))
    assert not valid[0]
    assert not complete[0]


def test_both_numbers_are_settings():
    assert is_valid(3, policy=Policy(annotators=4, needed=3))
    for annotators, needed in [(6, 3), (6, 7), (5, 2), (0, 0)]:
        with pytest.raises(ValueError, match="needed"):
            Policy(annotators, needed)


def test_a_seventh_answer_is_refused():
    with pytest.raises(ValueError, match="at most 6"):
        valid_problems([True], Answers.of([0] * 7, range(7), [1] * 7))


def test_an_annotator_with_few_answers_is_left_out_of_the_mean():
    problem = [*range(20), *range(19)]
    answers = Answers.of(problem, [0] * 20 + [1] * 19, [k % 2 for k in problem])
    found = of([k % 2 == 1 for k in range(20)], answers)
    assert [one.n for one in found.annotators] == [20, 19]
    assert (found.mean_kappa.value, found.mean_kappa.n) == (1.0, 1)


def test_figures_by_kind_and_seconds_are_of_their_own_answers():
    answers = Answers.of([0, 1, 0, 1], [0, 0, 1, 1], [1, 1, 1, 0], [3, 5, np.nan, np.nan])
    found = of([True, False], answers, policy=Policy(2, 2))
    assert (found.by_kind["true"].value, found.by_kind["negation"].value) == (1.0, 0.5)
    assert found.valid_by_kind == {"negation": (0, 1), "true": (1, 1)}
    assert [one.seconds for one in found.annotators] == [4.0, None]
    assert [one.yes for one in found.annotators] == [1.0, 0.5]


def test_a_set_without_answers_has_no_figures():
    found = of([True, False], Answers.of([], [], []))
    assert (found.raw.value, found.mean_kappa.value, found.n_complete) == (None, None, 0)


CUP = AskedItem("The cup fell on the table and", "it", "didn't break.", "the cup", "the table")


@pytest.mark.parametrize(
    ("reason", "expected"),
    [
        ("the table didn't break", {Flag.CIRCULAR, Flag.CONTRADICTING}),
        ("the table did break", {Flag.CIRCULAR}),
        ("the table is what did not break", {Flag.CIRCULAR, Flag.CONTRADICTING}),
        ("the cup fell, so the table didn't break", {Flag.CIRCULAR}),
        ("the table didn't break, being of oak", set()),
        ("THE CUP FELL.", {Flag.CIRCULAR}),
        ("it was thrown", {Flag.IRRELEVANT}),
        ("cups break", set()),
        ("it is not so", set()),
        ("", set()),
    ],
)
def test_faults_are_seen_in_the_words(reason, expected):
    assert flags(reason, CUP) == expected


def test_a_share_beyond_0_and_1_is_refused():
    for share in ("-0.2", "1.2"):
        with pytest.raises(ValueError, match="share"):
            validity_of(Decimal(share))


def test_folds_hold_groups_together_and_are_even():
    groups = [f"g{k // 3}" for k in range(300)]
    found = folds(groups, seed=2)
    assert len(set(zip(groups, found.tolist(), strict=True))) == 100
    assert set(Counter(found.tolist()).values()) == {60}
    assert folds(groups, seed=2).tolist() == found.tolist()
    assert folds(groups, seed=3).tolist() != found.tolist()


def test_more_folds_than_groups_are_refused():
    with pytest.raises(ValueError, match="number of groups, 2"):
        folds(["a", "b"], seed=1)


def test_the_parts_of_a_problem_are_read_back():
    problem = Problem("Jo saw Al because he ran.", "he", "Jo", "Al", "runners see.\nAll.")
    assert read_problem(problem.text) == problem
    assert problem.swapped.claim == "The he is more likely to refer to Al than Jo"


def test_other_text_is_no_problem():
    with pytest.raises(ValueError, match="not a problem"):
        read_problem("The he refers to Al.")


@pytest.mark.parametrize("name", ["0123456789abcdef", "p123456789012345"])
def test_a_vote_has_each_name_that_a_publisher_gives(name: str) -> None:
    assert VoteRecord(id="a", annotator=name, yes=True, fails="", seconds=None).annotator == name


@pytest.mark.parametrize("name", ["123", "0123456789abcdeg", "pp23456789012345"])
def test_another_name_is_refused(name: str) -> None:
    with pytest.raises(ValueError, match="annotator"):
        VoteRecord(id="a", annotator=name, yes=True, fails="", seconds=None)
