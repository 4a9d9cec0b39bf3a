"""Pages with results open with their verdict; runs near the threshold say one thing everywhere."""

import json
import re
from typing import Any

import numpy as np
import pytest
from django.test import Client
from django.urls import reverse

from filtering.provenance import about
from filtering.services import start_filter_run
from frontend.evaluations.verdicts import verdict as of_evaluation
from frontend.findings import verdict as of_filter_run
from tests.factories import EvaluationFactory, FilterRunFactory
from tests.filtering.stages import carried, contents, encoding_of, frozen, read, release_of
from tests.frontend.pages import source, words
from tests.frontend.test_filter_run import measured

UNKNOWN = {"direction": None, "detectable": None}
TOO_FEW = {way: found | {"leak": UNKNOWN} for way, found in measured(0.5).items()}
FOLD = re.compile(r'<details class="fold"(?:(?!<details class="fold").)*?</details>', re.S)


def unfolded(page: str) -> str:
    """Return what a page shows before anything is opened."""
    while FOLD.search(page):
        page = FOLD.sub("", page)
    return page


@pytest.mark.parametrize(
    ("after", "said"),
    [
        (measured(0.62), "above one half on the kept ones: a bias remains."),
        (measured(0.38), "below one half on the kept ones, which leaks as well."),
        (measured(0.505), "or less, would have been found with a probability of 80%."),
        (TOO_FEW, "too few to measure fresh linear models."),
    ],
)
def test_a_filter_run_says_what_is_left_and_what_would_have_been_found(
    after: dict[str, Any], said: str
) -> None:
    run = FilterRunFactory(finished=True, fresh_models={"all": measured(0.61), "kept": after})
    run.encoding.snapshot.n_questions = run.n_kept + 7
    assert of_filter_run(run).startswith(
        f"A bias was found. 7 of {run.n_kept + 7} questions were removed; "
    )
    assert of_filter_run(run).endswith(said)
    run.encoding.snapshot.n_questions = run.n_kept
    assert "Nothing was removed" in of_filter_run(run)


def test_a_run_without_a_result_has_no_verdict() -> None:
    assert of_filter_run(FilterRunFactory()) == ""
    assert of_evaluation(EvaluationFactory()) == ""


@pytest.mark.parametrize("name", ["filter-run", "evidence"])
def test_a_leak_and_its_figures_are_not_folded(name: str, as_dana: Client) -> None:
    figures = {"all": measured(0.61), "kept": measured(0.38)}
    run = FilterRunFactory(finished=True, fresh_models=figures)
    page = unfolded(source(as_dana.get(reverse(name, args=[run.public_id]))))
    if name == "filter-run":
        assert "which leaks as well." in page.partition("</h1>")[2].partition("<dl")[0]
        assert "38.0%" in page
        assert "these questions leak" in page
    assert "Every parameter of the run" not in page


@pytest.mark.parametrize(
    ("low", "high", "said"),
    [
        (0.6, 0.8, "above chance (50.0%)."),
        (0.2, 0.4, "below chance (50.0%)."),
        (0.4, 0.7, "a difference of about 21.4 points would have been found"),
    ],
)
def test_an_evaluation_is_told_from_chance_or_says_what_would_have_been(
    low: float, high: float, said: str
) -> None:
    accuracy = {"value": (low + high) / 2, "low": low, "high": high, "n": 90}
    chance = {"value": 0.5, "low": None, "high": None, "n": 90}
    run = EvaluationFactory(finished=True, metrics={"accuracy": accuracy, "chance": chance})
    assert said in of_evaluation(run)
    assert f"({low:.1%} – {high:.1%}, n = 90)" in of_evaluation(run)


SAYS = {"above": "above one half", "below": "below one half", "none": "nothing found"}
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
