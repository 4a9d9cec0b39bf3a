"""A search for artifacts as a run: what it finds, what it reads, and what it stores."""

import json

import numpy as np
import pytest

from corpora.models import Release
from corpora.services import build_release
from evaluation import services
from evaluation.core.artifacts.results import results
from evaluation.runner import detections
from evaluation.selectors import to_examine
from filtering.models import Encoding
from tests.evaluation.core.artifact_sets import leaky_set
from tests.evaluation.detection_sets import CLEAN, QUESTIONS, built, labelled_in
from tests.evaluation.sets import small_set
from tests.filtering.stages import (
    carried,
    encoding_of,
    leaking,
)


@pytest.mark.long
def test_a_planted_leak_is_found_and_the_run_says_what_it_depends_on() -> None:
    leaky = leaky_set("trigger_word", n_pairs=60, n_singles=0, strength=0.9, seed=1)
    run = carried(services.detect(reference_set=small_set(leaky), by=None, seed=3))
    assert (run.split, run.done, run.total) == ("test", 6, 6)
    assert results(run.result).verdict.startswith("This set leaks: a simple model that sees ")
    assert (run.result["n_items"], run.result["n_examined"]) == (120, 120)
    assert len(run.data_sha256) == 64
    assert " scikit-learn==" in run.code_version
    json.dumps(run.result, allow_nan=False)


@pytest.mark.long
@pytest.mark.parametrize("features", Encoding.Features.values)
@pytest.mark.usefixtures("few_relabellings")
def test_an_encoding_of_a_release_is_read_in_its_published_order(features: str) -> None:
    """Published options changed places at random: features must follow, or this is chance."""
    matrix = leaking(QUESTIONS, every=1)
    if features == Encoding.Features.CONCATENATION:
        matrix = np.concatenate([matrix, np.zeros_like(matrix)], axis=1)
    encoding = encoding_of(QUESTIONS, matrix, features=features)
    release: Release = release_without_filter(encoding)
    run = carried(services.detect(release=release, encoding=encoding, by=None))
    [found] = [one for one in results(run.result).detected if one.name.startswith("pkg:")]
    assert found.single.estimate.value is not None
    assert found.single.estimate.value > 0.9


def release_without_filter(encoding: Encoding) -> Release:
    release = build_release(snapshot=encoding.snapshot, name="unfiltered", by=None)
    return carried(release)  # type: ignore[no-any-return]


@pytest.mark.usefixtures("few_relabellings")
def test_a_snapshot_is_examined_whole_with_its_encoding() -> None:
    encoding = encoding_of(QUESTIONS, leaking(QUESTIONS, every=1))
    run = carried(services.detect(snapshot=encoding.snapshot, encoding=encoding, by=None))
    assert (run.split, run.result["n_items"]) == ("all", len(QUESTIONS))
    assert run.result["detected"][-1]["single"]["estimate"]["value"] > 0.9


@pytest.mark.usefixtures("few_relabellings")
def test_the_same_seed_gives_the_same_result_on_another_attempt() -> None:
    data = small_set(CLEAN)
    first, again = (carried(services.detect(reference_set=data, by=None)) for _ in range(2))
    assert (first.result, first.data_sha256) == (again.result, again.data_sha256)


@pytest.mark.usefixtures("few_relabellings")
def test_of_a_large_set_a_sample_of_whole_groups_is_examined(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(detections, "MOST_ITEMS", 25)
    run = carried(services.detect(reference_set=small_set(CLEAN), by=None))
    assert (run.result["n_items"], run.result["n_examined"]) == (30, 24)
    chosen = detections.sample(CLEAN, most=25, seed=0)
    assert {item.group for item in chosen} & {
        item.group for item in CLEAN if item not in chosen
    } == set()
    assert detections.sample(CLEAN[::-1], most=25, seed=0) == chosen[::-1]
    assert detections.sample(CLEAN, most=25, seed=1) != chosen
    assert detections.sample(CLEAN, most=30, seed=0) == CLEAN


@pytest.mark.long
def test_of_a_release_the_blind_labels_are_not_read() -> None:
    release = built()
    assert labelled_in(release, "test")
    for split, parts in {
        "": ("train", "dev"), "train": ("train",), "dev": ("dev",)
    }.items():  # fmt: skip
        run = services.detect(release=release, split=split, by=None)
        found = {item.id for item in to_examine(run).items}
        assert found == labelled_in(release, *parts) != set()
        assert not found & labelled_in(release, "test")
        assert not set(to_examine(run).origins) & labelled_in(release, "test")
