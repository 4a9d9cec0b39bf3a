"""assessments/ and the controls of a run: ask, watch, have the report."""

from rest_framework.test import APIClient

from filtering.models import Assessment, FilterRun
from tests.api.calls import API, assert_error, ok
from tests.factories import AssessmentFactory, FilterRunFactory
from tests.filtering.evidence_made import assessed
from winoplatform.runs.models import RunStatus


def test_a_filter_run_asked_for_is_assessed_too(as_dana: APIClient) -> None:
    run = FilterRunFactory(finished=True)
    body = {"encoding": str(run.encoding.public_id), "m": 50}
    made = ok(as_dana.post(f"{API}filter-runs/", body), 201)
    [assessment] = ok(as_dana.get(f"{API}assessments/?filter_run={made['id']}"))["results"]
    assert (assessment["filter_run"], assessment["status"]) == (made["id"], "queued")


def test_it_is_asked_for_again_under_another_seed(as_dana: APIClient) -> None:
    run = FilterRunFactory(finished=True)
    body = {"filter_run": str(run.public_id), "seed": 4}
    made = ok(as_dana.post(f"{API}assessments/", body), 201)
    assert (made["seed"], made["report_sha256"]) == (4, None)
    assert_error(as_dana.post(f"{API}assessments/", body), 400, "invalid")


def test_one_shows_its_parts_as_they_come(as_dana: APIClient) -> None:
    assessment = assessed(FilterRunFactory(finished=True), status=RunStatus.RUNNING)
    found = ok(as_dana.get(f"{API}assessments/{assessment.public_id}/"))
    names = [part["name"] for part in found["parts"]]
    assert names == ["filter_results", "projection", "linear", "nonlinear", "surface"]
    assert found["parts"][0]["figures"]["kept"] == 60


def test_the_report_is_there_when_it_is_done(as_dana: APIClient) -> None:
    waiting, done = AssessmentFactory(), AssessmentFactory(finished=True)
    path = f"{API}assessments/{waiting.public_id}/report/"
    assert_error(as_dana.get(path), 409, "run_not_done")
    response = as_dana.get(f"{API}assessments/{done.public_id}/report/")
    assert b"".join(response.streaming_content) == b'{"format":1}\n'
    assert response["ETag"] == f'"{done.report_id}"'


def test_a_control_is_asked_for_like_any_filter_run(as_dana: APIClient) -> None:
    run = FilterRunFactory(finished=True, seed=5)
    body = {
        "encoding": str(run.encoding.public_id),
        "method": "pmi",
        "pmi_score": "maximum",
        "reference": str(run.public_id),
    }
    made = ok(as_dana.post(f"{API}filter-runs/", body), 201)
    assert (made["method"], made["pmi_score"], made["seed"]) == ("pmi", "maximum", 5)
    assert (made["reference"], made["size"]) == (str(run.public_id), None)


def test_a_control_without_a_size_is_refused(as_dana: APIClient) -> None:
    body = {"encoding": str(FilterRunFactory().encoding.public_id), "method": "random"}
    answer = as_dana.post(f"{API}filter-runs/", body)
    assert_error(answer, 400, "invalid")
    assert "either a reference run or a size" in answer.json()["error"]["message"]
    elsewhere = {"reference": str(FilterRunFactory().public_id)}
    answer = as_dana.post(f"{API}filter-runs/", body | elsewhere)
    assert_error(answer, 400, "reference_elsewhere")


def test_all_controls_of_a_run_come_at_once(as_dana: APIClient) -> None:
    run = FilterRunFactory(finished=True)
    path = f"{API}filter-runs/{run.public_id}/controls/"
    made = ok(as_dana.post(path), 201)
    assert [(one["method"], one["pmi_score"]) for one in made] == [
        ("random", ""),
        ("pmi", "signed"),
        ("pmi", "absolute"),
        ("pmi", "maximum"),
        ("pmi", "pairs"),
    ]
    assert Assessment.objects.filter(filter_run__reference=run).count() == 5
    assert_error(as_dana.post(path), 409, "controls_known")
    control = FilterRun.objects.get(public_id=made[0]["id"])
    refused = as_dana.post(f"{API}filter-runs/{control.public_id}/controls/")
    assert_error(refused, 400, "reference_is_control")
