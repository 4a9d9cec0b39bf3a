"""What pages say of runs, and of the size at which people's level is reached."""

from typing import Any

import pytest
from django.test import Client

from corpora.models import ReferenceSet, Release
from evaluation.models import Evaluation
from frontend.fine_tunings.words import reach_words
from frontend.runs.reads import campaign_of, origin_of
from frontend.runs.words import stages, words_of
from frontend.urls import load_words
from tests.factories import EvaluationFactory
from tests.frontend.pages import words
from training.core.reach import ByLaws, Reach

load_words()  # as the first request does


def test_an_evaluation_on_a_reference_set_needs_no_campaign(
    as_dana: Client, django_assert_max_num_queries: Any
) -> None:
    reference_set = ReferenceSet.objects.create(name="wsc273", title="WSC273")
    for seed in range(9):
        run = Evaluation.objects.create(
            reference_set=reference_set, method="random", split="test", seed=seed
        )
    assert campaign_of(run) is None
    with django_assert_max_num_queries(15):
        text = words(as_dana.get("/"))
    assert text.count("· WSC273 · test waiting") == 9


def test_an_evaluation_names_the_release_that_it_is_about() -> None:
    run = Evaluation(release=Release(name="first"), method="random", split="dev")
    assert words_of(Evaluation).about(run) == "random answers · first · dev"


def test_a_chain_that_begins_at_a_snapshot_has_its_campaign() -> None:
    run = EvaluationFactory()
    assert origin_of(run) == run.release.snapshot
    assert campaign_of(run) == run.release.snapshot.campaign


def test_a_campaigns_page_lists_its_stages_in_order() -> None:
    names = [model._meta.model_name for model in stages()]
    assert names == [
        "snapshot", "tuning", "encoding", "filterrun", "release", "evaluation", "keyaudit",
        "artifactdetection",
    ]  # fmt: skip


POWER = ByLaws(("power",), 50_000.0, None)


def said(low: int | None, high: int | None, by_laws: ByLaws | None = POWER) -> list[str]:
    return [text for text, _ in reach_words(Reach(low, high, by_laws, 160, 40_960))]


@pytest.mark.parametrize(
    ("low", "high", "text"),
    [
        (640, 2560, "Reached between 640 and 2,560 questions."),
        (0, 160, "Reached by 160 questions."),
        (40_960, None, "Not reached by 40,960 questions, the largest size measured: more are"),
        (640, None, "Not reached by 640 questions. Whether it is by 40,960, the largest size"),
        (0, None, "Not clear: no size measured is clearly above or below people’s level."),
        (None, None, "With one seed for each size the interval is unknown"),
    ],
)
def test_a_size_for_any_curve_is_between_sizes_that_were_measured(
    low: int | None, high: int | None, text: str
) -> None:
    assert said(low, high)[0].startswith(text)


@pytest.mark.parametrize(
    ("found", "text"),
    [
        (
            ByLaws(("power",), 61_234.0, 79_876.0),
            "with a floor: between 61,000 and 80,000",
        ),
        (POWER, "50,000 questions or more, or never. Nothing is said beyond 81,920, twice"),
        (ByLaws(("line",), 81_920.0, None), "more than 81,920 questions, twice the largest size"),
        (ByLaws(("power", "line"), 50.0, 99.0), "a power law with a floor or a straight line in"),
        (ByLaws((), None, None), "nothing is extrapolated, since none of those compared (a power"),
        (None, "By a law: at least three sizes are needed."),
    ],
)
def test_an_extrapolation_names_its_laws_and_its_end(found: ByLaws | None, text: str) -> None:
    assert text in said(40_960, None, found)[1]


def test_what_the_points_cannot_show_stands_beside_an_extrapolation() -> None:
    terms = [terms for _, terms in reach_words(Reach(40_960, None, POWER, 160, 40_960))]
    assert "for every curve that does not fall" in terms[0]
    assert "a second stage after the largest size" in terms[1]
    refused = reach_words(Reach(40_960, None, ByLaws((), None, None), 160, 40_960))
    assert refused[1][1] == ""
