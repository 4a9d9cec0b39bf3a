"""How often detectors find planted leaks, and flag clean sets: simulations with a known truth."""

from time import process_time

import numpy as np
import pytest

from benchmarks.preset_artifacts import encoded, kept_by, read
from evaluation.core.artifacts.detection import detect_artifacts
from tests.data_dir import needs_data
from tests.evaluation.core.artifact_sets import leaky_set
from tests.evaluation.core.fake_scorers import asked, followed
from tests.winogrande_data import winogrande_questions

pytestmark = pytest.mark.long
SEEDS = 100


def measures(artifacts):
    for one in artifacts.detected:
        yield from (each for each in (one.single, one.group) if each is not None)


@pytest.mark.timeout(1200)
def test_clean_sets_are_flagged_in_at_most_ten_of_a_hundred_seeds():
    shapes = [(70, 60, 2), (100, 0, 2), (0, 150, 2), (30, 40, 4)]  # pairs, singles, options
    flagged, p = 0, []
    for seed in range(SEEDS):
        pairs, singles, k = shapes[seed % len(shapes)]
        items = leaky_set(None, n_pairs=pairs, n_singles=singles, strength=0, seed=seed, k=k)
        found = detect_artifacts(items, seed=seed)
        flagged += found.is_leaking
        p += [one.p for one in measures(found) if one.detectable is not None]
    assert flagged <= 10
    # Each test by itself is at its level; those of a set are dependent.
    assert np.mean(np.array(p) <= 0.05) <= 0.06


@pytest.mark.timeout(1200)
def test_clean_sets_are_flagged_as_seldom_if_scorers_are_asked_too():
    flagged, p = 0, []
    for seed in range(SEEDS):
        items = leaky_set(None, n_pairs=25, n_singles=20, strength=0, seed=seed)
        scorers = {name: asked(items, salt=f"{seed} {name}") for name in ("one",)}
        found = detect_artifacts(items, seed=seed, scorers=scorers)
        assert len(found.detected) == 10
        flagged += found.is_leaking
        p += [
            each.p
            for one in found.detected
            for each in (one.single, one.group)
            if one.scorer and each.detectable is not None
        ]
    assert flagged <= 10
    assert np.mean(np.array(p) <= 0.05) <= 0.06


@pytest.mark.timeout(1200)
def test_a_preference_of_a_scorer_is_found_in_most_seeds_and_by_no_model_trained_on_the_set():
    by_scorer, by_trained = 0, 0
    for seed in range(10):
        clean = leaky_set(None, n_pairs=150, n_singles=0, strength=0, seed=seed)
        items = followed(clean, "local_context", strength=0.5, seed=seed)
        found = detect_artifacts(items, seed=seed, scorers={"The model": asked(items)})
        by_scorer += any(one.scorer for one in found.leaks)
        by_trained += any(not one.scorer for one in found.leaks)
    assert by_scorer >= 9
    assert by_trained <= 1


@pytest.mark.timeout(1200)
@pytest.mark.parametrize(
    ("leak", "n_pairs", "n_singles", "strength"),
    [
        ("option_string", 0, 300, 0.5),
        ("option_length", 0, 300, 0.4),
        ("option_position", 0, 300, 0.4),
        ("first_mentioned", 0, 300, 0.5),
        ("association", 150, 0, 0.5),
        ("trigger_word", 150, 0, 0.5),
        ("neighbour", 150, 0, 0.8),
    ],
)
def test_leaks_of_every_kind_are_found_in_most_seeds(leak, n_pairs, n_singles, strength):
    shape = {"n_pairs": n_pairs, "n_singles": n_singles, "strength": strength}
    artifacts = [
        detect_artifacts(leaky_set(leak, **shape, seed=seed), seed=seed) for seed in range(10)
    ]
    assert sum(bool(each.leaks) for each in artifacts) >= 7
    assert sum(each.is_leaking for each in artifacts) >= 9


@pytest.mark.timeout(1200)
def test_a_leak_of_the_detectable_size_is_found_with_the_stated_power():
    # Of many leaks of various sizes, those about as large as stated are found in about 80 %.
    near = []
    for seed in range(60):
        rng = np.random.default_rng(seed)
        items = leaky_set(None, n_pairs=100, n_singles=0, strength=0, seed=seed)
        right = np.array([[item.answer == 1, item.answer == 2] for item in items])
        encoding = rng.normal(size=(len(items), 2, 4))
        encoding[:, :, 0] += 0.66 * right
        (one,) = (
            each
            for each in detect_artifacts(items, seed=seed, encodings={"leak": encoding}).detected
            if each.name == "leak"
        )
        near.append((one.single.distance, one.single.detectable, one.single.leaks))
    distance, detectable, leaks = np.array(near).T
    assert distance.mean() == pytest.approx(detectable.mean(), abs=0.015)
    assert 0.7 <= leaks.mean() <= 0.95


@needs_data
@pytest.mark.timeout(600)
def test_winogrande_dev_has_no_leak_that_cheap_models_see():
    start = process_time()
    found = detect_artifacts(winogrande_questions("dev"), seed=0)
    assert process_time() - start < 60
    assert found.leaks == ()
    assert not found.not_run
    singles = {one.name: one.single for one in found.detected}
    assert all(0.47 <= one.estimate.value <= 0.54 for one in singles.values())
    assert all(one.detectable < 0.07 for one in singles.values())
    local = next(one for one in found.detected if one.name == "local_context")
    assert (local.n, local.n_groups, local.group.estimate.n) == (1267, 983, 284)


@needs_data
@pytest.mark.timeout(1200)
def test_what_published_rules_remove_from_knowref_makes_the_encoding_leak_the_opposite():
    items = read("knowref")
    vectors = encoded(items)
    found, kept = {}, {}
    for preset in ("neutral", "published"):
        kept[preset] = np.flatnonzero(kept_by(preset, items, vectors, seed=0))
        found[preset] = detect_artifacts(
            [items[row] for row in kept[preset]],
            seed=0,
            encodings={"encoding": list(vectors[kept[preset]])},
        )
    by_encoding = {
        preset: next(one.single for one in each.detected if one.name == "encoding")
        for preset, each in found.items()
    }
    assert len(items) == 1267
    assert len(kept["neutral"]) > 1200
    assert 1100 < len(kept["published"]) < 1200
    assert not by_encoding["neutral"].leaks
    assert by_encoding["published"].leaks
    assert by_encoding["published"].distance < -0.05
    # What the words tell, no preset removes.
    assert all("full_sentence" in {one.name for one in each.leaks} for each in found.values())
