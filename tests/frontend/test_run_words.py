"""What pages say of runs, whatever they build upon."""

from typing import Any

from django.test import Client

from corpora.models import ReferenceSet, Release
from evaluation.models import Evaluation
from frontend.runs.reads import campaign_of, origin_of
from frontend.runs.words import stages, words_of
from frontend.urls import load_words
from tests.factories import EvaluationFactory
from tests.frontend.pages import words

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
        "snapshot", "tuning", "encoding", "filterrun", "release", "evaluation", "artifactdetection",
    ]  # fmt: skip
