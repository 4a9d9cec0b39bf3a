"""Artifact detectors find planted leaks, and none in clean sets."""

from dataclasses import replace

import numpy as np
import pytest
from sklearn.kernel_ridge import KernelRidge
from sklearn.model_selection import GroupKFold, cross_val_predict

from evaluation.core.artifacts import detection
from evaluation.core.artifacts.contrasts import Contrasts
from evaluation.core.artifacts.detection import detect_artifacts
from evaluation.core.artifacts.permutations import (
    group_credits,
    held_out_predictions,
    relabelled,
)
from evaluation.core.artifacts.results import Measure
from stats.intervals import Estimate
from tests.evaluation.core.artifact_sets import leaky_set
from tests.evaluation.core.fake_scorers import asked, followed


def found(items, **options):
    return {one.name for one in detect_artifacts(items, seed=0, **options).leaks}


def result(artifacts, name):
    return next(one for one in artifacts.detected if one.name == name)


SMALL = {"n_pairs": 70, "n_singles": 0, "strength": 0.8, "seed": 1}


@pytest.fixture
def quick(monkeypatch):
    """Few relabellings, for tests whose results are not about p."""
    monkeypatch.setattr(detection, "RELABELLINGS", 19)


@pytest.fixture(scope="module")
def words_leak():
    return detect_artifacts(leaky_set("trigger_word", **SMALL), seed=0)


@pytest.fixture(scope="module")
def preferred():
    """The results of a set whose answers are a scorer's preferences, with that scorer's scores."""
    items = followed(leaky_set(None, **SMALL), "local_context", strength=1, seed=0)
    return detect_artifacts(items, seed=0, scorers={"The model": asked(items)})


LONG = pytest.mark.long


# Where each leak is seen. Twins share their options and the order of these, so leaks of them are in
# unpaired items.
@pytest.mark.parametrize(
    ("leak", "n_pairs", "n_singles", "detectors"),
    [
        pytest.param("option_string", 0, 200, {"candidates_only"}, marks=LONG),
        pytest.param("option_length", 0, 200, {"candidates_only"}, marks=LONG),
        pytest.param("option_position", 0, 200, {"option_position"}, marks=LONG),
        pytest.param("first_mentioned", 0, 200, {"full_sentence"}, marks=LONG),
        ("association", 70, 0, {"local_context", "part_sentence"}),
        pytest.param("neighbour", 100, 0, {"local_context", "no_candidates"}, marks=LONG),
    ],
)
def test_a_leak_is_found_by_the_detectors_that_see_it(leak, n_pairs, n_singles, detectors):
    items = leaky_set(leak, n_pairs=n_pairs, n_singles=n_singles, strength=0.8, seed=2)
    assert detectors <= found(items)


def test_a_leak_is_not_seen_without_the_part_that_has_it(words_leak):
    assert {one.name for one in words_leak.leaks} == {"full_sentence"}


@pytest.mark.long
def test_a_leak_that_only_a_scorer_knows_is_found_and_named(preferred):
    (leak,) = preferred.leaks
    assert (leak.name, leak.scorer) == ("local_context", "The model")
    assert preferred.verdict.startswith(
        "This set leaks: The model, which sees two words before the blank and what follows, is "
        "right on "
    )
    assert "1 of 10 detectors found a leak." in preferred.verdict


@pytest.mark.long
def test_a_scorer_is_compared_with_the_chance_level_of_its_own_choices(preferred):
    blind, leak = (
        next(one for one in preferred.detected if (one.name, one.scorer) == (name, "The model"))
        for name in ("candidates_only", "local_context")
    )
    assert (blind.single.chance, blind.group.chance, blind.group.detectable) == (0.5, 0.0, None)
    # It tells apart about half of the pairs, and is right on all of these.
    assert leak.group.estimate.value > 0.35
    assert leak.group.chance == pytest.approx(leak.group.estimate.value / 2, abs=0.02)


def test_more_tests_have_more_relabellings_so_that_a_leak_can_be_significant(preferred):
    (leak,) = preferred.leaks
    assert leak.single.p < 0.05 / (2 * len(preferred.detected))


@pytest.mark.long
@pytest.mark.usefixtures("quick")
def test_a_text_that_a_scorer_cannot_be_asked_about_is_named():
    items = leaky_set(None, **SMALL)
    scores = asked(items) | {"candidates_only": "there is none"}
    found = detect_artifacts(items, seed=0, scorers={"The model": scores})
    assert found.not_run == {"candidates_only · The model": "there is none"}
    del scores["local_context"][items[0].id]
    with pytest.raises(ValueError, match="scores of every item, got none for '0-0'"):
        detect_artifacts(items, seed=0, scorers={"The model": scores})


@pytest.mark.long
def test_a_clean_set_has_no_leak_and_states_what_would_have_been_found():
    quiet = result(detect_artifacts(leaky_set(None, **SMALL), seed=0), "local_context")
    assert not quiet.leaks
    assert 0 < quiet.single.detectable < 1


@pytest.mark.usefixtures("quick")
def test_what_twins_share_is_right_on_half_of_them_and_on_no_pair():
    blind = result(detect_artifacts(leaky_set("option_string", **SMALL), seed=0), "candidates_only")
    assert (blind.single.estimate.value, blind.single.chance, blind.single.p) == (0.5, 0.5, 1.0)
    assert (blind.group.estimate.value, blind.group.chance) == (0.0, 0.0)
    assert (blind.single.detectable, blind.group.detectable) == (None, None)


def test_the_chance_of_a_group_is_half_of_the_pairs_that_are_told_apart(words_leak):
    full = result(words_leak, "full_sentence")
    assert full.single.chance == pytest.approx(0.5, abs=0.02)
    assert 0.2 < full.group.chance <= 0.5
    assert full.group.estimate.value > full.group.chance


@pytest.mark.long
def test_an_encoding_with_the_answer_leaks_and_noise_does_not():
    items = leaky_set(None, **SMALL)
    rng = np.random.default_rng(0)
    noise = rng.normal(size=(len(items), 2, 16))
    right = np.array([[item.answer == 1, item.answer == 2] for item in items])
    leak = noise.copy()
    leak[:, :, 3] += 0.8 * right
    assert found(items, encodings={"noise": noise, "leak": leak}) == {"leak"}


@LONG
def test_below_chance_is_a_leak():
    # Names are right in one item and wrong in the next, so other items tell the opposite.
    items = [
        replace(item, options=(f"name{row // 2}", f"other{row // 2}"), answer=1 + row % 2)
        for row, item in enumerate(leaky_set(None, n_pairs=0, n_singles=120, strength=0, seed=0))
    ]
    below = result(detect_artifacts(items, seed=0), "candidates_only").single
    assert below.leaks
    assert below.distance < -0.2


@pytest.mark.long
@pytest.mark.usefixtures("quick")
def test_results_do_not_depend_on_the_order_in_which_options_are_listed():
    items = leaky_set("association", **SMALL)
    turned = [
        replace(item, options=item.options[::-1], answer=3 - item.answer) if row % 3 else item
        for row, item in enumerate(items)
    ]
    one, other = (
        result(detect_artifacts(each, seed=0), "full_sentence") for each in (items, turned)
    )
    assert one.single.estimate == other.single.estimate
    assert one.group.estimate == other.group.estimate


@LONG
def test_items_may_have_different_numbers_of_options():
    two = leaky_set("option_length", n_pairs=0, n_singles=60, strength=0.8, seed=0)
    four = [
        replace(item, id=f"four-{item.id}", group=f"four-{item.group}")
        for item in leaky_set("option_length", n_pairs=0, n_singles=60, strength=0.8, seed=1, k=4)
    ]
    seen = result(detect_artifacts([*two, *four], seed=0), "candidates_only")
    assert seen.leaks
    assert seen.single.chance == pytest.approx(3 / 8, abs=0.02)
    assert seen.group is None


@pytest.mark.usefixtures("quick")
def test_items_that_cannot_be_transformed_are_counted():
    items = leaky_set(None, **SMALL)
    hidden = replace(items[0], sentence="Nothing _ here.")
    seen = result(detect_artifacts([hidden, *items[1:]], seed=0), "no_candidates")
    assert seen.n == len(items) - 2
    assert sum(seen.dropped.values()) == 2


@pytest.mark.usefixtures("quick")
def test_a_detector_with_too_few_groups_is_not_run():
    items = leaky_set(None, n_pairs=12, n_singles=0, strength=0, seed=0)
    bare = [replace(item, sentence=item.sentence.replace(",", " ")) for item in items]
    bare = [replace(item, sentence=item.sentence.replace("because", "as")) for item in bare]
    found = detect_artifacts(bare, seed=0)
    assert found.not_run == {"part_sentence": "fewer than 10 groups have such a text"}
    assert detect_artifacts([], seed=0).detected == ()


@pytest.mark.usefixtures("quick")
def test_the_same_seed_gives_the_same_results():
    items = leaky_set(None, n_pairs=15, n_singles=0, strength=0, seed=0)
    assert detect_artifacts(items, seed=3) == detect_artifacts(items, seed=3)


@pytest.mark.usefixtures("quick")
def test_progress_is_reported_for_every_detector():
    steps = []
    items = leaky_set(None, n_pairs=12, n_singles=0, strength=0, seed=0)
    detect_artifacts(items, seed=0, progress=lambda done, total: steps.append((done, total)))
    assert steps == [(step, 6) for step in range(1, 7)]


@pytest.mark.usefixtures("quick")
def test_bad_input_is_refused():
    items = leaky_set(None, n_pairs=12, n_singles=0, strength=0, seed=0)
    with pytest.raises(ValueError, match="items must have answers, got none for"):
        detect_artifacts([replace(items[0], answer=None), *items[1:]], seed=0)
    encoding = np.zeros((len(items), 2, 3))
    with pytest.raises(ValueError, match="must have 24 entries, got 23"):
        detect_artifacts(items, seed=0, encodings={"e": encoding[1:]})
    with pytest.raises(ValueError, match="must have 2 rows"):
        detect_artifacts(items, seed=0, encodings={"e": encoding[:, :1]})
    with pytest.raises(ValueError, match="NaN"):
        detect_artifacts(items, seed=0, encodings={"e": encoding * np.nan})


def test_predictions_of_all_folds_are_those_of_scikit_learn():
    rng = np.random.default_rng(0)
    features, targets = rng.normal(size=(60, 90)), rng.choice([-1.0, 1.0], (60, 7))
    kernel, groups = features @ features.T, np.repeat(np.arange(30), 2)
    folds = GroupKFold(10, shuffle=True, random_state=0)
    tests = [test for _, test in folds.split(kernel, groups=groups)]
    model = KernelRidge(alpha=np.trace(kernel) / 60, kernel="precomputed")
    expected = cross_val_predict(model, kernel, targets, groups=groups, cv=folds)
    assert np.allclose(held_out_predictions(kernel, targets, tests), expected)


def test_relabellings_keep_the_structure_of_groups():
    sizes, groups = np.array([2, 2, 3, 3, 3, 2]), np.array([0, 0, 1, 1, 1, 2])
    answers = np.array([0, 1, 0, 0, 2, 1])
    moved = relabelled(answers, sizes, groups, times=600, seed=0)
    assert (moved[:, 0] == answers).all()
    assert (moved[0] != moved[1]).all()
    assert (moved[2] == moved[3]).all()
    assert ((moved[4] - moved[2]) % 3 == 2).all()
    assert (moved < sizes[:, None]).all()
    for row, size in enumerate(sizes):
        shares = np.bincount(moved[row, 1:], minlength=size) / 600
        assert np.allclose(shares, 1 / size, atol=0.08)


def test_contrasts_score_options_as_their_features_do():
    sizes = np.array([2, 4, 3])
    contrasts, rng = Contrasts(sizes), np.random.default_rng(0)
    features, weights = rng.normal(size=(9, 5)), rng.normal(size=(5, 1))
    predicted = (contrasts.matrix @ features) @ weights
    best = [int(np.argmax(part)) for part in np.split(features @ weights, [2, 6])]
    answers = np.array(best)[:, None]
    assert contrasts.credits(predicted, answers).tolist() == [[1.0], [1.0], [1.0]]
    assert contrasts.credits(predicted, (answers + 1) % sizes[:, None]).sum() == 0
    assert contrasts.credits(0 * predicted, answers)[:, 0].tolist() == [1 / 2, 1 / 4, 1 / 3]
    assert contrasts.credits(contrasts.targets(answers), answers).sum() == 3


def test_a_tied_group_is_not_right():
    credits = np.array([[1.0], [1.0], [0.5], [0.5], [1.0]])
    assert group_credits(credits, np.array([0, 0, 1, 1, 2])).tolist() == [[1.0], [0.0]]


def test_a_measure_leaks_at_the_corrected_level():
    estimate = Estimate(0.4, 0.3, 0.5, 100)
    assert Measure(estimate, 0.5, 0.001, 0.05, 0.1).leaks
    assert not Measure(estimate, 0.5, 0.001, 0.051, 0.1).leaks
