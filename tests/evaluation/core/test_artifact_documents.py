"""The results of detectors as a document, and the verdict over a set."""

import json
from dataclasses import replace

import pytest

from corpora.core.clues.results import Family
from corpora.core.clues.results import Tested as Clue
from evaluation.core.artifacts import detection
from evaluation.core.artifacts.detection import TEXTS, detect_artifacts
from evaluation.core.artifacts.examples import examples_of
from evaluation.core.artifacts.results import Artifacts, Detected, Measure, document, results
from stats.intervals import Estimate
from tests.evaluation.core.artifact_sets import leaky_set

ITEMS = leaky_set(None, n_pairs=15, n_singles=0, strength=0, seed=0)


def measure(value, *, p=1.0, chance=0.5, detectable=0.08, n=200):
    return Measure(Estimate(value, value - 0.05, value + 0.05, n), chance, p, p, detectable)


def detected(name, single, group=None):
    return Detected(name, 200, 100, single, group)


def test_a_document_gives_the_results_back(monkeypatch):
    monkeypatch.setattr(detection, "RELABELLINGS", 19)
    found = detect_artifacts(ITEMS, seed=0)
    assert results(json.loads(json.dumps(document(found, examples_of(ITEMS))))) == found


def test_every_detector_has_the_same_item_as_its_example_without_its_answer():
    # Its twin is left out with it, so the example is of the next group.
    bare = replace(ITEMS[0], sentence="Nothing _ here.")
    examples = examples_of([bare, *ITEMS[1:]])
    assert set(examples) == {*TEXTS, "option_position"}
    assert {tuple(one["options"]) for one in examples.values()} == {ITEMS[2].options}
    assert examples["full_sentence"] == {
        "sentence": ITEMS[2].sentence,
        "options": list(ITEMS[2].options),
    }
    assert examples["candidates_only"]["sentence"] == "_"


def test_no_items_have_no_examples():
    assert examples_of([]) == {}


def test_another_format_is_refused():
    with pytest.raises(ValueError, match="format must be 2, got 3"):
        results({"format": 3})


def test_a_document_from_before_single_clues_says_nothing_of_them(monkeypatch):
    monkeypatch.setattr(detection, "RELABELLINGS", 19)
    old = document(detect_artifacts(ITEMS, seed=0), {}) | {"format": 1}
    del old["clues"]
    assert results(old).clues == ()
    assert "which twin" not in results(old).verdict


def family(name, p, detectable=0.8123):
    test = Clue(f"clue of {name}", 40, 35, p, p, 0.8)
    found, nearest = ((test,), ()) if p <= 0.05 else ((), (test,))
    return Family(name, 0.05, 40, "pairs", 9, len(found), (detectable, 0.84), found, nearest)


def test_the_verdict_names_a_clue_and_the_kinds_without_one():
    quiet = detected("local_context", measure(0.5))
    few = family("options", 1.0, None)
    found = Artifacts((quiet,), {}, (family("words", 0.6), family("lengths", 0.002), few))
    assert found.is_leaking
    assert found.verdict == (
        "This set leaks. Clue found: clue of lengths: right on 35 of 40 pairs (corrected p = "
        "0.002). 1 of 3 searches found one, among: which twin has more words, characters or marks. "
        "No clue found among: single words, their lengths and places (81.3% of 40 pairs). In "
        "brackets: the accuracy of one clue of the kind that would have been found with a "
        "probability of 80%. Too rare here for any clue to be found: order, length and form of the "
        "options. No leak found by a simple model that sees two words before the blank "
        "and what follows. One of 8.0 points (in the accuracy over items) would have been found "
        "with a probability of 80%."
    )


def test_the_verdict_names_the_most_certain_leak():
    weak = detected("full_sentence", measure(0.58, p=0.04))
    clear = detected("local_context", measure(0.62, p=0.002), measure(0.3, p=0.002, n=100))
    quiet = detected("candidates_only", measure(0.51))
    assert Artifacts((weak, clear, quiet), {}).verdict == (
        "This set leaks: a simple model that sees two words before the blank and what follows is "
        "right on 62.0% of 200 items, 12.0 points above chance (50.0%; corrected p = 0.002). "
        "2 of 3 detectors found a leak."
    )


def test_a_leak_of_groups_alone_is_stated_for_groups():
    found = detected("pkg:encoder", measure(0.5), measure(0.1, p=0.01, chance=0.3, n=100))
    assert Artifacts((found,), {}).verdict == (
        "This set leaks: a simple model that sees the encoding by pkg:encoder is right on 10.0% of "
        "100 groups, 20.0 points below chance (30.0%; corrected p = 0.01). 1 of 1 detectors found "
        "a leak. Below chance is a leak too: the answers can be reversed."
    )


def test_the_verdict_of_a_quiet_set_states_what_would_have_been_found():
    found = (
        detected("local_context", measure(0.5, detectable=0.081)),
        detected("full_sentence", measure(0.5, detectable=0.064)),
        detected("candidates_only", measure(0.5, detectable=None)),
    )
    assert Artifacts(found, {}).verdict == (
        "No leak found by a simple model that sees two words before the blank and what follows; a "
        "simple model that sees the whole sentence. One of 6.4 to 8.1 points (in the accuracy over "
        "items, depending on the model) would have been found with a probability of 80%."
    )
    assert (
        "One of 8.1 points (in the accuracy over items) would" in Artifacts(found[:1], {}).verdict
    )


def test_a_set_on_which_nothing_can_be_found_is_not_called_clean():
    nothing = "No leak could be found or excluded: no detector can tell these items apart."
    assert Artifacts((), {"full_sentence": "fewer than 10 groups"}).verdict == nothing
    assert Artifacts((detected("a", measure(0.5, detectable=None)),), {}).verdict == nothing
