"""Pages with results open with their verdict; what must not be missed is never folded."""

import re
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from frontend.evaluations.verdicts import verdict as of_evaluation
from frontend.findings import verdict as of_filter_run
from tests.factories import EvaluationFactory, FilterRunFactory
from tests.frontend.pages import source
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
    assert of_filter_run(run).startswith(f"7 of {run.n_kept + 7} questions were removed; ")
    assert of_filter_run(run).endswith(said)
    run.encoding.snapshot.n_questions = run.n_kept
    assert of_filter_run(run).startswith("Nothing was removed")


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
