"""snapshots/, encodings/, filter-runs/, evaluations/ and the pipeline: ask, watch, end."""

from typing import Any

import pytest
from rest_framework.test import APIClient

from collection.models import Campaign
from corpora.models import Release, Snapshot
from filtering.models import FilterRun
from tests.api.calls import API, assert_error, ok
from tests.factories import (
    ArtifactFactory,
    AssessmentFactory,
    DetectionFactory,
    EncodingFactory,
    EvaluationFactory,
    FilterRunFactory,
    FineTuningFactory,
    GridFactory,
    KeyAuditFactory,
    KnowledgeReleaseFactory,
    PhaseFactory,
    PublicationFactory,
    ReleaseFactory,
    ReleasePreviewFactory,
    SentenceEncodingFactory,
    SnapshotFactory,
    SweepFactory,
    TuningEpochFactory,
    TuningFactory,
    TwinFactory,
    UserFactory,
    VerdictFactory,
)
from tests.filtering.stages import published_twins
from winoplatform.api.runs import resources
from winoplatform.runs import workers_alive
from winoplatform.runs.models import RunStatus
from workers.models import User

KINDS = {
    "snapshots": SnapshotFactory,
    "tunings": TuningFactory,
    "encodings": EncodingFactory,
    "sentence-encodings": SentenceEncodingFactory,
    "filter-runs": FilterRunFactory,
    "assessments": AssessmentFactory,
    "releases": ReleaseFactory,
    "evaluations": EvaluationFactory,
    "artifact-detections": DetectionFactory,
    "key-audits": KeyAuditFactory,
    "fine-tunings": FineTuningFactory,
    "grids": GridFactory,
    "sweeps": SweepFactory,
    "knowledge-releases": KnowledgeReleaseFactory,
    "release-previews": ReleasePreviewFactory,
    "publications": PublicationFactory,
}


def test_every_kind_of_run_is_tried() -> None:
    assert KINDS.keys() == {resource.name for resource in resources()}


@pytest.fixture
def validated(campaign: Campaign) -> Campaign:
    """A campaign with two valid questions."""
    for question in TwinFactory(campaign=campaign).questions.all():
        VerdictFactory(question=question)
    return campaign


def test_a_snapshot_waits_for_a_worker(as_dana: APIClient, dana: User, validated: Campaign) -> None:
    run = ok(as_dana.post(f"{API}snapshots/", {"campaign": "winter"}), 201)
    assert (run["status"], run["share"], run["attempt"]) == ("queued", 0.0, 0)
    assert run["created_by"] == dana.public_id
    assert ok(as_dana.get(f"{API}snapshots/{run['id']}/"))["campaign"] == "winter"


def test_the_same_snapshot_or_encoding_is_not_queued_twice(
    as_dana: APIClient, validated: Campaign
) -> None:
    snapshot = ok(as_dana.post(f"{API}snapshots/", {"campaign": "winter"}), 201)
    bodies = {"snapshots/": {"campaign": "winter"}, "encodings/": {"snapshot": snapshot["id"]}}
    ok(as_dana.post(f"{API}encodings/", bodies["encodings/"]), 201)
    for path, body in bodies.items():
        again = as_dana.post(f"{API}{path}", body)
        assert_error(again, 400, "invalid")
        assert "under way already" in again.json()["error"]["message"]


def test_nothing_valid_makes_no_snapshot(as_dana: APIClient, campaign: Campaign) -> None:
    response = as_dana.post(f"{API}snapshots/", {"campaign": "winter"})
    assert_error(response, 409, "no_valid_questions")


def test_an_encoding_has_the_installations_encoder(as_dana: APIClient) -> None:
    snapshot = SnapshotFactory(finished=True)
    run = ok(as_dana.post(f"{API}encodings/", {"snapshot": str(snapshot.public_id)}), 201)
    assert run["encoder"].startswith("pkg:")
    assert run["features"] == "difference"


def test_an_unknown_kind_of_encoder_is_refused(as_dana: APIClient) -> None:
    body = {"snapshot": str(SnapshotFactory().public_id), "encoder": "pkg:../../x"}
    assert_error(as_dana.post(f"{API}encodings/", body), 400, "encoder_unknown")


def test_a_tuning_shows_its_epochs(as_dana: APIClient) -> None:
    snapshot = SnapshotFactory(finished=True, n_questions=47_000)
    run = ok(as_dana.post(f"{API}tunings/", {"snapshot": str(snapshot.public_id)}), 201)
    assert (run["epochs"], run["n_train"], run["status"]) == (3, None, "queued")
    epoch = TuningEpochFactory()
    shown = ok(as_dana.get(f"{API}tunings/{epoch.run.public_id}/"))
    assert [step["accuracy"] for step in shown["steps"]] == [shown["accuracy"]] == [0.75]


def test_a_small_snapshot_is_not_tuned_on(as_dana: APIClient) -> None:
    body = {"snapshot": str(SnapshotFactory(finished=True).public_id)}
    assert_error(as_dana.post(f"{API}tunings/", body), 409, "snapshot_too_small")


def test_an_encoding_names_its_tuning(as_dana: APIClient) -> None:
    tuning = TuningFactory(finished=True)
    body = {"snapshot": str(tuning.snapshot.public_id), "tuning": str(tuning.public_id)}
    run = ok(as_dana.post(f"{API}encodings/", body), 201)
    assert (run["tuning"], run["encoder"]) == (str(tuning.public_id), tuning.encoder)
    assert ok(as_dana.get(f"{API}encodings/?campaign={tuning.snapshot.campaign.slug}"))["results"]
    body["snapshot"] = str(SnapshotFactory().public_id)
    assert_error(as_dana.post(f"{API}encodings/", body), 400, "tuning_of_other_snapshot")


@pytest.mark.parametrize(
    ("asked", "expected"),
    [
        ({}, ["neutral", 64, 9_400, 470, "together"]),
        ({"preset": "published"}, ["published", 64, 10_000, 500, "individual"]),
        ({"preset": "published", "k": 40}, ["published", 64, 10_000, 40, "individual"]),
    ],
)
def test_a_filter_run_has_its_presets_settings_where_none_are_given(
    asked: dict[str, Any], expected: list[Any], as_dana: APIClient
) -> None:
    encoding = EncodingFactory(finished=True, snapshot__n_questions=47_000)
    body = {"encoding": str(encoding.public_id), **asked}
    run = ok(as_dana.post(f"{API}filter-runs/", body), 201)
    assert [run[name] for name in ("stop", "n", "m", "k", "removal")] == expected
    assert (run["fresh_models"], run["warnings"]) == (None, [])


def test_the_same_filter_run_is_not_queued_twice(as_dana: APIClient) -> None:
    body = {"encoding": str(EncodingFactory().public_id)}
    ok(as_dana.post(f"{API}filter-runs/", body), 201)
    response = as_dana.post(f"{API}filter-runs/", body)
    assert_error(response, 400, "invalid")
    assert "under way already" in response.json()["error"]["message"]


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("n", 0),
        ("n", 2**40),
        ("m", 1),
        ("k", -1),
        ("tau", 1.01),
        ("tau", "nan"),
        ("tau", 10**400),
        ("C", "inf"),
        ("C", 0),
        ("tol", [1]),
        ("seed", 2**70),
        ("seed", -1),
        ("partition", "thirds"),
        ("encoding", "109ec84e-f0aa-4e11-a815-75a68c96ba6b"),
        ("encoding", "x\x00"),
        ("encoding", None),
        ("encoding", {"id": 1}),
    ],
)
def test_a_setting_out_of_range_is_refused(as_dana: APIClient, field: str, value: Any) -> None:
    body = {"encoding": str(EncodingFactory().public_id), field: value}
    details = assert_error(as_dana.post(f"{API}filter-runs/", body), 400, "invalid")
    assert set(details["fields"]) == {field}
    assert not FilterRun.objects.exists()


def test_infinity_in_the_body_is_no_json(as_dana: APIClient) -> None:
    for number in ("Infinity", "NaN", "1e999"):
        response = as_dana.generic(
            "POST", f"{API}filter-runs/", f'{{"C": {number}}}', content_type="application/json"
        )
        assert response.status_code == 400


def test_a_filter_run_tells_what_each_phase_removed(as_dana: APIClient) -> None:
    phase = PhaseFactory(n_before=10, n_removed=8)
    run = ok(as_dana.get(f"{API}filter-runs/{phase.run.public_id}/"))
    assert (run["status"], run["share"], run["n_kept"]) == ("done", 1.0, 2)
    assert [(p["n_before"], p["n_removed"], p["n_left"]) for p in run["phases"]] == [(10, 8, 2)]
    assert run["kept_sha256"] == phase.run.selection.kept_id


def test_the_ids_kept_are_plain_lines(as_dana: APIClient) -> None:
    run = FilterRunFactory(finished=True)
    response = as_dana.get(f"{API}filter-runs/{run.public_id}/kept/", HTTP_ACCEPT="text/plain")
    assert response["Content-Type"].startswith("text/plain")
    assert b"".join(response.streaming_content) == b"aaaa\nbbbb\n"
    waiting = as_dana.get(f"{API}filter-runs/{FilterRunFactory().public_id}/kept/")
    assert_error(waiting, 409, "run_not_done")


def test_predictions_are_json_lines_for_curators(as_dana: APIClient, as_carol: APIClient) -> None:
    line = b'{"qID": "x-1", "prediction": 2}\n'
    run = EvaluationFactory(finished=True, predictions=ArtifactFactory(content=line))
    url = f"{API}evaluations/{run.public_id}/predictions/"
    response = as_dana.get(url, HTTP_ACCEPT="application/x-ndjson")
    assert response["Content-Type"] == "application/x-ndjson"
    assert b"".join(response.streaming_content) == line
    assert_error(as_carol.get(url), 404, "not_found")
    waiting = as_dana.get(f"{API}evaluations/{EvaluationFactory().public_id}/predictions/")
    assert_error(waiting, 409, "run_not_done")


@pytest.mark.parametrize("kind", ["evaluations", "artifact-detections"])
def test_runs_of_a_name_are_those_of_the_release_that_holds_it(
    as_dana: APIClient, kind: str
) -> None:
    lost = ReleaseFactory(name="v1", status=RunStatus.FAILED)
    KINDS[kind](release=lost, status=RunStatus.FAILED)
    run = KINDS[kind](release=ReleaseFactory(name="v1", finished=True))
    listed = ok(as_dana.get(f"{API}{kind}/?release=v1"))["results"]
    assert [row["id"] for row in listed] == [str(run.public_id)]


@pytest.mark.parametrize("kind", KINDS)
def test_a_waiting_run_is_cancelled_once(as_dana: APIClient, kind: str) -> None:
    run = KINDS[kind]()
    url = f"{API}{kind}/{run.public_id}/cancel/"
    assert ok(as_dana.post(url))["status"] == "cancelled"
    assert_error(as_dana.post(url), 409, "run_ended")


@pytest.mark.parametrize("kind", KINDS)
def test_a_cancelled_run_is_resumed_once(as_dana: APIClient, kind: str) -> None:
    run = KINDS[kind](status=RunStatus.CANCELLED)
    url = f"{API}{kind}/{run.public_id}/resume/"
    assert ok(as_dana.post(url))["status"] == "queued"
    assert_error(as_dana.post(url), 409, "run_open")


@pytest.mark.parametrize("kind", KINDS)
def test_runs_are_listed_newest_first_and_filtered_by_status(as_dana: APIClient, kind: str) -> None:
    waiting, done = KINDS[kind](), KINDS[kind](finished=True)
    listed = [row["id"] for row in ok(as_dana.get(f"{API}{kind}/"))["results"]]
    assert listed[:2] == [str(done.public_id), str(waiting.public_id)]
    queued = ok(as_dana.get(f"{API}{kind}/?status=queued"))["results"]
    assert [row["id"] for row in queued] == [str(waiting.public_id)]
    assert_error(as_dana.get(f"{API}{kind}/?status=lost"), 400, "invalid")


# Workers may list these, and see the published ones alone.
PUBLISHED = {"releases", "evaluations", "knowledge-releases"}


@pytest.mark.parametrize("kind", sorted(KINDS.keys() - PUBLISHED))
def test_runs_are_hidden_from_workers(as_carol: APIClient, kind: str) -> None:
    run = KINDS[kind](finished=True)
    assert_error(as_carol.get(f"{API}{kind}/"), 403, "permission_denied")
    assert_error(as_carol.get(f"{API}{kind}/{run.public_id}/"), 403, "permission_denied")


def test_a_failed_run_says_why(as_dana: APIClient) -> None:
    run = SnapshotFactory(status=RunStatus.FAILED, failure="The disk is full.")
    assert ok(as_dana.get(f"{API}snapshots/{run.public_id}/"))["failure"] == "The disk is full."


def test_an_evaluation_shows_its_metrics_with_n_and_interval(as_dana: APIClient) -> None:
    run = EvaluationFactory(finished=True)
    metrics = ok(as_dana.get(f"{API}evaluations/{run.public_id}/"))["metrics"]
    assert metrics["accuracy"] == {"value": 0.5, "low": 0.1, "high": 0.9, "n": 2}


def test_an_evaluation_is_asked_for_by_release_and_model(as_dana: APIClient) -> None:
    release = ReleaseFactory(finished=True)
    body = {"release": str(release.public_id), "method": "linear"}
    run = ok(as_dana.post(f"{API}evaluations/", body), 201)
    assert (run["method"], run["split"], run["metrics"]) == ("linear", "dev", None)
    assert_error(as_dana.post(f"{API}evaluations/", body), 400, "invalid")


def test_the_pipeline_refuses_too_few_pairs(as_dana: APIClient, validated: Campaign) -> None:
    response = as_dana.post(f"{API}campaigns/winter/pipeline/", {"release_name": "v1"})
    assert_error(response, 409, "too_few_pairs")
    assert not Snapshot.objects.exists()


def test_the_pipeline_queues_every_stage(as_dana: APIClient, validated: Campaign) -> None:
    published_twins(9, campaign=validated)
    url = f"{API}campaigns/winter/pipeline/"
    stages = ok(as_dana.post(url, {"release_name": "v1"}), 201)
    assert list(stages) == ["snapshot", "encoding", "filter_run", "release", "evaluations"]
    assert stages["encoding"]["snapshot"] == stages["snapshot"]["id"]
    assert {run["method"] for run in stages["evaluations"]} == {"majority", "linear"}


def test_a_pipeline_that_cannot_end_leaves_nothing_behind(
    as_dana: APIClient, validated: Campaign
) -> None:
    published_twins(9, campaign=validated)
    ReleaseFactory(name="v1")
    before = Snapshot.objects.count()
    response = as_dana.post(f"{API}campaigns/winter/pipeline/", {"release_name": "v1"})
    assert_error(response, 400, "invalid")
    assert (Snapshot.objects.count(), Release.objects.count()) == (before, 1)


def test_the_funnel_counts_written_validated_and_kept(
    as_dana: APIClient, validated: Campaign
) -> None:
    TwinFactory(campaign=validated)
    encoding = EncodingFactory(snapshot__campaign=validated, finished=True)
    run = FilterRunFactory(encoding=encoding, finished=True)
    ReleaseFactory(filter_run=run, finished=True)
    assert ok(as_dana.get(f"{API}campaigns/winter/funnel/")) == {
        "twins": 2, "written": 4, "validated": 2, "valid": 2, "filtered": 2, "kept": 2,
        "run": str(run.public_id),
    }  # fmt: skip


def test_live_workers_are_told_by_queue(
    as_dana: APIClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(workers_alive, "alive", lambda: {"celery@host": ["light"]})
    told = ok(as_dana.get(f"{API}system/workers/"))
    assert told["served"] == {"light": True, "heavy": False}
    assert told["workers"] == [{"name": "celery@host", "queues": ["light"]}]


def test_a_silent_broker_is_told_and_no_failure(
    as_dana: APIClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(workers_alive, "alive", lambda: None)
    told = ok(as_dana.get(f"{API}system/workers/"))
    assert told == {
        "broker_answers": False, "served": {"light": False, "heavy": False}, "workers": []
    }  # fmt: skip


@pytest.mark.parametrize("kind", KINDS)
def test_a_run_of_each_kind_is_named_found_by_its_star_and_deleted(
    as_dana: APIClient, kind: str
) -> None:
    run = KINDS[kind](status="cancelled")
    where = f"{API}{kind}/{run.public_id}/"
    changed = ok(as_dana.patch(where, {"caption": "first try", "is_starred": True}))
    assert (changed["caption"], changed["is_starred"]) == ("first try", True)
    assert len(ok(as_dana.get(f"{API}{kind}/?is_starred=true&is_archived=false"))["results"]) == 1
    assert ok(as_dana.get(f"{API}{kind}/?is_archived=true"))["results"] == []
    assert as_dana.delete(where).status_code == 204
    assert_error(as_dana.get(where), 404, "not_found")


def test_a_curator_chooses_the_run_that_a_campaign_shows(as_dana: APIClient) -> None:
    run = FilterRunFactory(finished=True)
    where = f"{API}campaigns/{run.encoding.snapshot.campaign.slug}/"
    assert ok(as_dana.get(f"{where}funnel/"))["run"] is None
    ok(as_dana.post(f"{API}filter-runs/{run.public_id}/choose/"))
    assert ok(as_dana.get(f"{where}funnel/"))["run"] == str(run.public_id)
    assert as_dana.delete(f"{where}chosen-run/").status_code == 204
    assert ok(as_dana.get(f"{where}funnel/"))["run"] is None


def test_a_snapshot_names_the_writers_whose_twins_it_leaves_out(
    as_dana: APIClient, validated: Campaign
) -> None:
    ben = UserFactory()
    TwinFactory(campaign=validated, author=ben)
    left_out = [ben.public_id]
    body = {"campaign": "winter", "without_writers": left_out}
    run = ok(as_dana.post(f"{API}snapshots/", body), 201)
    assert run["without_writers"] == left_out
    nobody = body | {"without_writers": ["nobody"]}
    refused = ok(as_dana.post(f"{API}snapshots/", nobody), 400)
    assert "No twin in this campaign is by nobody." in str(refused)
