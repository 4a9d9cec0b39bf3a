"""The evidence page: measurements beside those of the controls, during the run and after."""

from typing import Any
from unittest.mock import Mock

import pytest
from django.core.exceptions import ValidationError
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from filtering import services
from filtering.models import Assessment, AssessmentPart, FilterRun
from filtering.runner.assessments import FORMAT
from frontend.evidence.words import _axis, _features
from tests.factories import ArtifactFactory, AssessmentFactory, FilterRunFactory
from tests.filtering.evidence_made import assessed, assessed_run, figures
from tests.frontend.pages import HTMX, source, words
from winoplatform.runs.models import RunStatus


@pytest.fixture
def run(db: None) -> FilterRun:
    return assessed_run()


def page(client: Client, run: FilterRun, query: str = "", **headers: str) -> Any:
    return client.get(reverse("evidence", args=[run.public_id]) + query, headers=headers)


def test_it_says_in_sentences_what_the_filter_did(as_dana: Client, run: FilterRun) -> None:
    text = words(page(as_dana, run))
    for said in (
        "all questions, the kept ones, and baselines of the same size.",
        "AFLite kept 60 of 100 questions (60.0%).",
        "18 twins of 50 lost one of their questions.",
        "answers 70.0% (66.0% – 74.0%, n = 100) of all questions correctly and "
        "41.0% (37.0% – 45.0%, n = 60) of the kept ones. This is below one half, so the kept "
        "questions leak as well.",
        "is 2.530 (2.490 – 2.570) nats before filtering and 0.120 (0.080 – 0.160) after",
        "For comparison, the effect of size: the whole set has 2.490 (2.290 – 2.690) at n = 60, "
        "by random reduction.",
        "differ from the kept ones in these surface features: Words in the sentence.",
    ):
        assert said in text


def test_the_whole_set_chance_pmi_and_aflite_stand_side_by_side(
    as_dana: Client, run: FilterRun
) -> None:
    response = page(as_dana, run)
    names = [panel.name for panel in response.context["panels"]]
    assert names == ["", "random reduction", "PMI filtering (signed difference)", "AFLite"]
    assert source(response).count('class="dots-second"') == 4 + 1
    text = words(response)
    assert "Whole set n = 100 · KL 2.530 (2.490 – 2.570) · 2.490 (2.290 – 2.690) at n = 60" in text
    assert "Random reduction n = 60 · KL 2.510" in text


def test_plots_tell_the_answers_apart_without_colour_and_stand_beside_their_numbers(
    as_dana: Client, run: FilterRun
) -> None:
    panel = page(as_dana, run).context["panels"][0]
    assert "h0" in panel.scatter.paths[0]
    assert "l4 4m-4 0l4-4" in panel.scatter.paths[1]
    assert panel.histogram.paths[0].endswith("Z")
    text = words(page(as_dana, run))
    assert "−1 – −0.3 1 / 1" in text


def test_a_table_holds_every_set_with_interval_and_direction(
    as_dana: Client, run: FilterRun
) -> None:
    text = words(page(as_dana, run))
    assert "AFLite (this run) 60 41.0% (37.0% – 45.0%) below one half" in text
    assert "Random reduction 60 70.0% (66.0% – 74.0%) above one half" in text
    assert "2.530 (2.490 – 2.570) reduced at random to n = 60: 2.490 (2.290 – 2.690)" in text


def test_answers_too_far_apart_for_their_number_have_a_lower_bound_alone(
    as_dana: Client, run: FilterRun
) -> None:
    part = run.assessments.get().steps.get(name="projection")
    nothing = {"value": None, "low": None, "high": None, "n": 60}
    part.figures["all"]["divergence"] |= {"value": None, "low": 1.5, "high": None}
    part.figures["all"]["reduced"] = nothing
    part.figures["kept_own"] = nothing
    part.save()
    text = words(page(as_dana, run))
    assert "is at least 1.500 nats before filtering and 0.120 (0.080 – 0.160) after" in text
    assert "≥ 1.500" in text
    assert "For comparison, the effect of size" not in text


def test_figures_of_an_older_format_do_not_stand_beside_new_ones(
    as_dana: Client, run: FilterRun
) -> None:
    control = run.controls.get(method="random")
    for part in AssessmentPart.objects.filter(run__filter_run=control):
        part.figures["format"] = FORMAT - 1
        part.save()
    names = [panel.name for panel in page(as_dana, run).context["panels"]]
    assert names == ["", "PMI filtering (signed difference)", "AFLite"]
    text = words(page(as_dana, control))
    assert "This run has not been assessed." in text
    assert "2.510" not in text


def test_examples_mark_the_trigger_and_say_what_became_of_either(
    as_dana: Client, run: FilterRun
) -> None:
    text = source(page(as_dana, run))
    assert "<mark>large" in text
    assert text.count('<details class="folded" open>') == 1
    assert "kept</span>" in text
    assert "removed</span>" in text


def test_of_too_few_trigger_words_nothing_is_said(as_dana: Client, run: FilterRun) -> None:
    part = run.assessments.get().steps.get(name="surface")
    nothing = {"value": None, "low": None, "high": None, "n": 0}
    part.figures["features"]["trigger_pmi"] |= {"all": nothing, "difference": None, "p": None}
    part.figures["words"] = []
    part.save()
    text = words(page(as_dana, run))
    assert "PMI of the trigger words with the answer too few" in text
    assert "Too few trigger words: none occurs 20 times" in text
    assert "Trigger words associated with an answer" not in text


def test_the_page_of_a_control_shows_the_same_figures(as_dana: Client, run: FilterRun) -> None:
    control = run.controls.get(method="random")
    response = page(as_dana, control)
    assert [one.name for one in response.context["panels"]][-1] == "AFLite"
    assert "Random reduction (this run)" in words(response)
    assert "Run baselines" not in words(response)


def test_it_asks_little_however_many_controls_there_are(as_dana: Client, run: FilterRun) -> None:
    with CaptureQueriesContext(connection) as captured:
        page(as_dana, run)
    assert len(captured) <= 15


@pytest.mark.long
def test_it_asks_as_little_while_all_controls_are_under_way(as_dana: Client) -> None:
    run = FilterRunFactory(finished=True)
    AssessmentFactory(filter_run=run)
    poll = "?seen=" + page(as_dana, run).context["seen"]
    with CaptureQueriesContext(connection) as alone:
        page(as_dana, run, poll, **HTMX)
    as_dana.post(reverse("start-controls", args=[run.public_id]))
    shown = page(as_dana, run)
    assert len(shown.context["under_way"]) == 11
    with CaptureQueriesContext(connection) as captured:
        page(as_dana, run, "?seen=" + shown.context["seen"], **HTMX)
    assert len(captured) == len(alone)


def test_a_run_that_was_never_assessed_says_what_to_do(as_dana: Client) -> None:
    bare = FilterRunFactory(finished=True)
    assert "This run has not been assessed." in words(page(as_dana, bare))
    assert "baselines of the same size" not in words(page(as_dana, bare))
    as_dana.post(reverse("assess", args=[bare.public_id]))
    assert bare.assessments.get().status == RunStatus.QUEUED
    again = as_dana.post(reverse("assess", args=[bare.public_id]), follow=True)
    assert "under way already" in words(again)
    assert bare.assessments.count() == 1


def test_an_assessment_is_asked_for_once_and_resumed_where_it_ended(as_dana: Client) -> None:
    run = FilterRunFactory(finished=True)
    assessment = AssessmentFactory(filter_run=run)
    assert 'id="assess"' not in source(page(as_dana, run))
    Assessment.objects.update(status=RunStatus.FAILED, ended_at=timezone.now())
    assert "Resume assessment" in words(page(as_dana, run))
    path = reverse("resume-run", args=["assessment", assessment.public_id])
    assert path in source(page(as_dana, run))
    back = {"back": reverse("evidence", args=[run.public_id])}
    assert 'id="assess"' not in source(as_dana.post(path, back, follow=True))
    assert run.assessments.get().status == RunStatus.QUEUED
    Assessment.objects.all().delete()
    assessed(run)
    assert 'id="assess"' not in source(page(as_dana, run))


def test_while_it_is_measured_each_part_loads_the_page_again_and_so_does_the_end(
    as_dana: Client,
) -> None:
    run = FilterRunFactory(finished=True)
    assessment = AssessmentFactory(
        filter_run=run, status=RunStatus.RUNNING, done=2, total=5, activity="linear model"
    )
    response = page(as_dana, run)
    assert "2 of 5 parts · linear model" in words(response)
    seen = f"?seen={assessment.pk}.2"
    assert seen in source(response)
    still = page(as_dana, run, seen, **HTMX)
    assert "<html" not in source(still)
    Assessment.objects.update(done=3)
    assert page(as_dana, run, seen, **HTMX)["HX-Refresh"] == "true"
    seen = f"?seen={assessment.pk}.3"
    assert "HX-Refresh" not in page(as_dana, run, seen, **HTMX)
    Assessment.objects.update(status=RunStatus.CANCELLED)
    assert page(as_dana, run, seen, **HTMX)["HX-Refresh"] == "true"


def test_an_assessment_that_waits_for_its_run_says_so(as_dana: Client) -> None:
    run = FilterRunFactory()
    AssessmentFactory(filter_run=run)
    text = words(page(as_dana, run))
    assert "waiting for the filter run" in text
    assert "starts automatically when the filter run is done" in text


@pytest.mark.parametrize(
    ("status", "said"),
    [("failed", "The assessment failed: No space."), ("cancelled", "The assessment was cancelled")],
)
def test_one_without_an_end_says_why_and_shows_what_it_has(
    status: str, said: str, as_dana: Client
) -> None:
    run = FilterRunFactory(finished=True)
    assessment = assessed(run, status=status)
    Assessment.objects.filter(pk=assessment.pk).update(failure="No space.")
    text = words(page(as_dana, run))
    assert said in text
    assert "AFLite kept 60 of 100 questions" in text


def test_the_report_is_downloaded_as_it_was_stored(as_dana: Client) -> None:
    run = FilterRunFactory(finished=True)
    path = reverse("evidence-report", args=[run.public_id])
    assert as_dana.get(path).status_code == 404
    report = ArtifactFactory(content=b'{"format":1}\n')
    AssessmentFactory(filter_run=run, finished=True, report=report)
    response = as_dana.get(path)
    assert b"".join(response.streaming_content) == b'{"format":1}\n'
    assert response["Content-Type"] == "application/json"


@pytest.mark.long
def test_all_controls_are_started_with_one_button(as_dana: Client) -> None:
    run = FilterRunFactory(finished=True)
    path = reverse("start-controls", args=[run.public_id])
    assert "5 baselines are queued." in words(as_dana.post(path, follow=True))
    assert "already has all its baselines" in words(as_dana.post(path, follow=True))
    text = words(page(as_dana, run))
    assert text.count("waiting for a worker") == 5
    assert run.controls.count() == 5


@pytest.mark.long
def test_only_controls_that_are_missing_are_offered(as_dana: Client) -> None:
    run = FilterRunFactory(finished=True)
    services.start_controls(run=run, by=None)
    paths = [reverse(name, args=[run.public_id]) for name in ("evidence", "filter-run")]
    for path in paths:
        assert 'id="controls"' not in source(as_dana.get(path))
    run.controls.filter(method="pmi").update(status=RunStatus.FAILED)
    run.controls.filter(pmi_score="signed").update(status=RunStatus.RUNNING)
    for path in paths:
        assert "Run the 3 missing baselines" in words(as_dana.get(path))


def test_what_prevents_it_is_reported_and_not_an_error(
    as_dana: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = FilterRunFactory(status=RunStatus.CANCELLED)
    answer = as_dana.post(reverse("assess", args=[run.public_id]), follow=True)
    assert "was cancelled. Resume that one first." in words(answer)
    rule = Mock(side_effect=ValidationError("A run with these settings is under way already."))
    monkeypatch.setattr(services, "start_controls", rule)
    answer = as_dana.post(reverse("start-controls", args=[run.public_id]), follow=True)
    assert "is under way already." in words(answer)


def test_the_page_of_the_run_leads_to_its_evidence(as_dana: Client, run: FilterRun) -> None:
    text = source(as_dana.get(reverse("filter-run", args=[run.public_id])))
    assert reverse("evidence", args=[run.public_id]) in text
    assert reverse("start-controls", args=[run.public_id]) in text


def test_only_features_that_were_compared_are_said_not_to_differ() -> None:
    features = figures()["surface"]["features"]
    features = {name: found | {"p": 0.4} for name, found in features.items()}
    features["trigger_pmi"]["p"] = features["polarity_pattern"]["p"] = None
    assert "None of the 6 surface features that could be compared" in _features(features)


@pytest.mark.parametrize("method", ["aflite", "random"])
def test_models_and_cutoffs_are_said_of_aflite_alone(as_dana: Client, method: str) -> None:
    assessed_run()
    text = words(page(as_dana, FilterRun.objects.get(method=method)))
    assert "Both questions kept" in text
    assert ("A question that no model held out" in text) == (method == "aflite")


def test_what_cannot_be_measured_along_the_axis_is_said() -> None:
    drawn = figures()["projection"]
    nothing = {"value": None, "low": None, "high": None, "n": 3}
    kept = drawn | {"kept": drawn["kept"] | {"divergence": nothing}}
    assert _axis(kept).startswith("Too few questions of each answer are kept")
    one_class = kept | {"all": drawn["all"] | {"divergence": nothing}}
    assert _axis(one_class).startswith("There are too few questions of each answer")
