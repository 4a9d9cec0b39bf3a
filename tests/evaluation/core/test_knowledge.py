"""Figures of knowledge evaluations against known truth, and the detector of single sentences."""

import numpy as np
import pytest

from evaluation.core.artifacts import detection
from evaluation.core.knowledge.documents import answers_of, document_of, figures_of
from evaluation.core.knowledge.statements import Statement, detected, pair_items, subset
from knowledge.core.problems import Problem
from knowledge.core.reporting import COLLAPSED, system_figures

WORDS = ("box", "large", "small", "trophy", "suitcase", "fit", "ann", "joan")


def statements(n_pairs, *, cue="", seed=0):
    """Pairs of random sentences, two pairs a question and two questions a group of twins."""
    rng = np.random.default_rng(seed)
    made = []
    for pair in range(n_pairs):
        words, more = list(rng.choice(WORDS, size=6)), rng.permutation(WORDS)
        for label in (True, False):
            said = [*words, cue] if cue and not label else [*words, more[int(label)]]
            made.append(
                Statement(
                    id=f"{pair}-{label}",
                    variant="natural",
                    problem=Problem("it is.", "it", "a", "b", " ".join(map(str, said))),
                    label=label,
                    kind="true" if label else "negation",
                    pair=str(pair),
                    group=str(pair // 4),
                    is_valid=pair % 2 == 0,
                )
            )
    return made


def figures(made, answers):
    found = document_of(made, np.array([answers], dtype=float))
    return figures_of(found, of="all", variant="natural")[0]


def test_a_guesser_is_right_on_both_of_a_quarter_of_the_pairs():
    made = statements(4000)
    guesses = np.random.default_rng(1).integers(0, 2, len(made))
    found = figures(made, guesses)
    assert found.pairs.low < 0.25 < found.pairs.high
    assert found.pairs.value == pytest.approx(0.25, abs=0.03)
    assert found.accuracy.value == pytest.approx(0.5, abs=0.03)


def test_one_who_answers_each_pair_alike_is_right_on_no_pair_and_half_of_the_problems():
    made = statements(100)
    alike = np.repeat(np.random.default_rng(2).integers(0, 2, 100), 2)
    found = figures(made, alike)
    assert (found.accuracy.value, found.pairs.value) == (0.5, 0.0)


@pytest.mark.long
@pytest.mark.parametrize("n", [50, 518])
def test_collapse_is_flagged_for_nearly_constant_answers_and_not_for_a_guesser(n):
    made = statements(n // 2)
    rng = np.random.default_rng(3)
    rows = [[one.label for one in made], [one.kind for one in made], [one.pair for one in made]]

    def flagged(share):
        answers = (rng.random((200, len(made))) < share).astype(float)
        return np.mean(
            [
                system_figures(
                    one, rows[0], kinds=rows[1], pairs=rows[2], questions=rows[2]
                ).is_collapsed
                for one in answers
            ]
        )

    assert flagged(1.0) == flagged(0.0) == 1.0
    assert flagged(COLLAPSED / 5) > 0.95
    assert flagged(0.5) == 0.0
    assert flagged(0.2) < 0.01


@pytest.mark.long
def test_the_interval_over_twins_holds_the_true_accuracy_where_answers_are_alike_in_a_group():
    """Each group has its own ability, so its eight problems are alike; half the width would do
    for independent problems and holds the truth too seldom."""
    made = statements(160)
    labels, kinds = [one.label for one in made], [one.kind for one in made]
    pairs, groups = [one.pair for one in made], [one.group for one in made]
    rng = np.random.default_rng(4)
    covered, narrow = [], []
    for _ in range(300):
        ability = np.repeat(rng.beta(1.5, 1, 40), 8)  # its mean is 0.6
        right = rng.random(320) < ability
        said = np.where(right, labels, ~np.array(labels)).astype(float)
        found = system_figures(said, labels, kinds=kinds, pairs=pairs, questions=groups)
        alone = system_figures(said, labels, kinds=kinds, pairs=pairs, questions=range(320))
        covered.append(found.accuracy.low <= 0.6 <= found.accuracy.high)
        narrow.append(alone.accuracy.low <= 0.6 <= alone.accuracy.high)
    assert 0.91 <= np.mean(covered) <= 0.99
    assert np.mean(narrow) < 0.87


def test_the_detector_finds_a_word_that_only_false_sentences_have(monkeypatch):
    monkeypatch.setattr(detection, "RELABELLINGS", 199)
    leaking, clean = (detected(statements(80, cue=cue), seed=0)["natural"] for cue in ("never", ""))
    assert leaking["leaks"]
    assert leaking["single"]["estimate"]["value"] > 0.95
    assert not clean["leaks"]
    assert clean["n"] == 80


def test_a_pair_that_lost_a_sentence_or_has_two_equal_ones_has_nothing_to_detect():
    made = statements(3)
    assert [item.id for item in pair_items(made[1:])] == ["1", "2"]
    assert [item.options[item.answer - 1] for item in pair_items(made)] == [
        one.problem.knowledge for one in made if one.label
    ]
    same = [one for one in made if one.label] * 2
    assert pair_items(same) == []


def test_a_margin_of_zero_is_a_tie():
    assert answers_of(np.array([-1e-9, 0.0, 3.0])).tolist() == [0.0, 0.5, 1.0]


def test_subsets_are_the_valid_problems_and_an_unknown_one_is_refused():
    made = statements(4)
    assert subset(made, "valid") == [0, 1, 4, 5]
    with pytest.raises(ValueError, match="name must be all, valid or not circular"):
        subset(made, "some")
