"""Single clues in the search for artifacts, and intervals of its models."""

from dataclasses import replace

import numpy as np
import pytest

from benchmarks.clue_plants import planted
from benchmarks.clue_texts import items_of
from corpora.core.leaks.files import PublishedFile
from corpora.core.leaks.report import leak_report
from evaluation.core.artifacts import detection
from evaluation.core.artifacts.detection import detect_artifacts
from tests.data_dir import needs_data
from tests.evaluation.core.artifact_sets import leaky_set
from tests.winogrande_data import winogrande_questions

TRAIN_CLUE = "more words in the sentence: option that is first in the sentence"
DEV_CLUE = "more characters in the sentence: option that is first in the sentence"


@pytest.fixture(autouse=True)
def few_relabellings(monkeypatch, request):
    if "long" not in request.keywords:
        monkeypatch.setattr(detection, "RELABELLINGS", 19)


@pytest.mark.long
@pytest.mark.parametrize("seed", [0, 1])
@pytest.mark.parametrize(
    "kind", ["full stop at the end", "exclamation mark", "trailing space", "capital of the option"]
)
def test_a_mark_that_tells_the_option_is_found_though_no_model_of_words_sees_it(kind, seed):
    found = detect_artifacts(items_of(planted(kind, 150, strength=1, seed=seed)), seed=0)
    assert found.is_leaking
    assert found.verdict.startswith("This set leaks. Clue found: ")


def test_a_clean_set_names_each_kind_with_what_would_have_been_found():
    found = detect_artifacts(items_of(planted("", 100, strength=0, seed=0)), seed=0)
    assert not found.is_leaking
    assert "No clue found among: which twin has more words, characters or marks (" in found.verdict
    assert "No leak found by a simple model that sees the whole sentence; " in found.verdict


def test_clues_are_counted_in_the_whole_set_and_models_see_its_sample():
    items = items_of(planted("exclamation mark", 150, strength=0.6, seed=1))
    found = detect_artifacts(items[:60], seed=0, whole=items)
    assert found.detected[0].n == 60
    assert {one.n for one in found.clues if one.name == "characters"} == {150}
    assert next(one for one in found.clues if one.name == "characters").found


@pytest.mark.long
def test_twins_that_list_their_options_in_other_orders_are_one_throw_as_well():
    items = items_of(planted("exclamation mark", 100, strength=1, seed=1))
    turned = [
        replace(item, options=item.options[::-1], answer=3 - item.answer) if row % 2 else item
        for row, item in enumerate(items)
    ]
    one, other = (
        next(one for one in detect_artifacts(part, seed=0).clues if one.name == "characters")
        for part in (items, turned)
    )
    assert by_mention(one) == by_mention(other) != set()


def by_mention(family):
    return {(x.clue, x.right, x.throws) for x in family.found if "first in the sentence" in x.clue}


def test_items_with_more_options_have_no_single_clues():
    items = leaky_set(None, n_pairs=0, n_singles=30, strength=0, seed=0, k=4)
    assert detect_artifacts(items, seed=0).clues == ()


@pytest.mark.long
@pytest.mark.timeout(3600)
@pytest.mark.parametrize(("n_pairs", "n_singles"), [(0, 150), (0, 300), (100, 0), (60, 60)])
def test_intervals_of_clean_sets_contain_chance(n_pairs, n_singles, monkeypatch):
    """Without the dependence across folds, unpaired sets had 84 % of 225."""
    monkeypatch.setattr(detection, "RELABELLINGS", 199)
    hits = []
    for seed in range(50):
        items = leaky_set(None, n_pairs=n_pairs, n_singles=n_singles, strength=0, seed=seed)
        detected = detect_artifacts(items, seed=seed).detected
        both = (measure for one in detected for measure in (one.single, one.group))
        measures = [m for m in both if m is not None and m.detectable is not None]
        hits += [m.estimate.low <= m.chance <= m.estimate.high for m in measures]
    assert np.mean(hits) >= 0.92


@pytest.mark.long
@needs_data
@pytest.mark.timeout(3600)
def test_the_clue_of_winogrande_s_training_set_is_found_by_both_reports():
    items = winogrande_questions("train_l")
    found = detect_artifacts(items[:100], seed=0, whole=items)
    (lengths,) = [one for one in found.clues if one.name == "lengths"]
    assert TRAIN_CLUE in {one.clue for one in lengths.found}
    of_file = next(one for one in reported(items).text if one.name == "lengths")
    clue = next(one for one in of_file.found if one.clue == TRAIN_CLUE)
    assert clue.p < 1e-6
    assert 0.40 < clue.right / clue.throws < 0.43


@pytest.mark.long
@needs_data
def test_the_clue_of_winogrande_s_dev_set_is_reported_with_its_corrected_p():
    items = winogrande_questions("dev")
    found = detect_artifacts(items[:100], seed=0, whole=items)
    for families in (found.clues, reported(items).text):
        (lengths,) = [one for one in families if one.name == "lengths"]
        clue = next(one for one in (*lengths.found, *lengths.nearest) if one.clue == DEV_CLUE)
        assert clue.p < 0.001 < clue.p_corrected


def reported(items):
    rows = [
        {"qID": f"{item.group}-{1 + row % 2}", "sentence": item.sentence,
         "option1": item.options[0], "option2": item.options[1]}
        for row, item in enumerate(items)
    ]  # fmt: skip
    answers = [item.answer for item in items]
    return leak_report([PublishedFile("dev.jsonl", rows, answers, len(rows))]).sections[0]
