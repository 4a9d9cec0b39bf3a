"""Runs near the threshold: gate, page, report and card say one thing, whatever it is."""

import json

import numpy as np
import pytest
from django.urls import reverse

from filtering.provenance import about
from filtering.services import start_filter_run
from tests.filtering.stages import carried, contents, encoding_of, frozen, read, release_of
from tests.frontend.pages import words

SAYS = {"above": "above one half", "below": "below one half", "none": "no side found"}
CARD = {
    "above": "above one half",
    "below": "below one half",
    "none": "neither above nor below one half was found",
}


def planted(questions, *, strength, apart, seed):
    """Features of which the first is moved towards the answer in a quarter of the twins."""
    rng = np.random.default_rng(seed)
    groups = np.unique([question.group for question in questions], return_inverse=True)[1]
    x = rng.normal(size=(groups.max() + 1, 16))[groups]
    x += apart * rng.normal(size=x.shape)
    sign = np.array([3 - 2 * question.answer for question in questions])
    biased = rng.random(groups.max() + 1)[groups] < 0.25
    x[:, 0] += strength * sign * biased
    return x.astype(np.float32)


def check(run, as_dana, name):
    """Assert that all places agree; return the gate's direction."""
    whole, after = (run.fresh_models[which]["grouped"] for which in ("all", "kept"))
    gate, direction = whole["leak"]["direction"], after["leak"]["direction"]
    assert (run.stop_reason == "no_bias") == (gate == "none")
    assert (run.stop_reason == "below_half") == (gate == "below")
    assert (run.n_kept == 323) >= (gate != "above")
    for one in (whole, after):
        inside = one["accuracy"]["low"] <= 0.5 <= one["accuracy"]["high"]
        assert inside == (one["leak"]["direction"] == "none")
    page = words(as_dana.get(reverse("filter-run", args=[run.public_id])))
    assert f"{SAYS[gate]}" in page[page.index("Before ") : page.index("After ")]
    assert ("found neither above nor below one half" in page) == (gate == "none")
    assert ("of all kept questions correctly:" in page) == (direction != "none")
    assessment = carried(run.assessments.get())
    report = json.loads(read(assessment.report))
    assert report["parts"]["linear"] == run.fresh_models
    evidence = words(as_dana.get(reverse("evidence", args=[run.public_id])))
    start, end = (evidence.index(f"A fresh {kind}") for kind in ("linear", "non-linear"))
    summary = evidence[start:end]
    assert ("no leak to this model was found" in summary) == (direction == "none")
    assert ("would have been found with a probability of 80%" in summary) == (direction == "none")
    facts = about(run, kept=run.selection.kept, n_kept=run.n_kept)["filter"]["fresh_models"]
    assert [facts[when]["direction"] for when in ("before", "after")] == [gate, direction]
    card = contents(carried(release_of(run, name)))["README.md"]
    lines = card[card.index("Fresh linear models before: ") :].splitlines()
    assert lines[0].startswith(f"Fresh linear models before: {CARD[gate]}")
    assert lines[1].startswith(f"- after: {CARD[direction]}")
    assert f"{whole['accuracy']['value']:.3f}" not in "".join(lines[:2])
    return gate


@pytest.mark.long
@pytest.mark.parametrize("seed", range(10))
@pytest.mark.parametrize("pairs", [0, 150])
def test_a_run_near_the_threshold_is_described_alike_in_all_places(pairs, seed, as_dana) -> None:
    questions = frozen(pairs=pairs, unpaired=323 - 2 * pairs)
    strength, apart = (0.25 * seed, 0.0) if not pairs else (0.08 * seed, 0.3)
    matrix = planted(questions, strength=strength, apart=apart, seed=seed)
    run = carried(start_filter_run(encoding=encoding_of(questions, matrix), by=None))
    gate = check(run, as_dana, f"near-{pairs}-{seed}")
    assert gate == "above" or seed < 9
    assert gate == "none" or seed > 0
