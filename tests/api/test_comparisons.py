"""filter-runs/ and assessments/: cloned, under other seeds, controlled, compared and assessed."""

from typing import Any
from uuid import uuid4

import numpy as np
import pytest
from rest_framework.test import APIClient

from filtering.models import Assessment, Encoding, FilterRun
from tests.api.calls import API, assert_error, ok
from tests.factories import AssessmentFactory, EncodingFactory, FilterRunFactory, PhaseFactory
from tests.filtering.evidence_made import assessed
from tests.filtering.stages import encoding_of, frozen, leaking
from winoplatform.artifacts import store
from winoplatform.runs.models import RunStatus


def carried(encoding: Encoding, removed: list[int], **fields: Any) -> FilterRun:
    """A run that is done and has removed these rows in one phase."""
    n = encoding.n_questions or 0
    arrays = np.zeros((4, n), dtype=np.int32)
    arrays[0], arrays[1], arrays[2] = np.arange(n), np.arange(n) % 5, 4
    arrays[3, removed] = 1
    run: FilterRun = FilterRunFactory(
        encoding=encoding, finished=True, n_kept=n - len(removed), **fields
    )
    PhaseFactory(run=run, n_before=n, n_removed=len(removed), arrays=store.put_array(arrays))
    return run


@pytest.fixture
def encoding(db: None) -> Encoding:
    questions = frozen(pairs=5)
    return encoding_of(questions, leaking(questions))


def compare(client: APIClient, *runs: Any) -> Any:
    ids = "&".join(f"run={getattr(run, 'public_id', run)}" for run in runs)
    return client.get(f"{API}filter-runs/compare/?{ids}")


# -- clones ----------------------------------------------------------------------------------------
def test_a_clone_has_the_same_settings_but_for_those_sent(as_dana: APIClient) -> None:
    run = FilterRunFactory(n=8, m=40, k=4, seed=7, partition="grouped")
    sent = {"tau": 0.6, "k": 5}
    clone = ok(as_dana.post(f"{API}filter-runs/{run.public_id}/clone/", sent), 201)
    made = FilterRun.objects.get(public_id=clone["id"])
    assert (made.encoding, made.n, made.m, made.seed) == (run.encoding, 8, 40, 7)
    assert (made.k, made.tau, made.partition, made.status) == (5, 0.6, "grouped", "queued")


def test_a_clone_over_another_encoding_and_of_a_control(as_dana: APIClient) -> None:
    other = EncodingFactory()
    control = FilterRunFactory(method="random", size=1, seed=3)
    sent = {"encoding": str(other.public_id)}
    clone = ok(as_dana.post(f"{API}filter-runs/{control.public_id}/clone/", sent), 201)
    made = FilterRun.objects.get(public_id=clone["id"])
    assert (made.encoding, made.method, made.size, made.seed) == (other, "random", 1, 3)


def test_a_clone_is_refused_at_its_field_or_as_a_double(as_dana: APIClient) -> None:
    path = f"{API}filter-runs/{FilterRunFactory().public_id}/clone/"
    assert set(assert_error(as_dana.post(path, {"tau": 2}), 400, "invalid")["fields"]) == {"tau"}
    again = as_dana.post(path, {})
    assert_error(again, 400, "invalid")
    assert "under way already" in again.json()["error"]["message"]


# -- seeds -----------------------------------------------------------------------------------------
def test_other_seeds_are_started_together_with_all_else_the_same(as_dana: APIClient) -> None:
    run = FilterRunFactory(m=40, finished=True)
    made = ok(as_dana.post(f"{API}filter-runs/{run.public_id}/seeds/", {"seeds": [2, 1, 2]}), 201)
    assert [(one["seed"], one["m"], one["status"]) for one in made] == [
        (1, 40, "queued"), (2, 40, "queued")
    ]  # fmt: skip


def test_a_seed_that_has_a_run_is_refused_and_nothing_is_started(as_dana: APIClient) -> None:
    run = FilterRunFactory(finished=True)
    FilterRunFactory(encoding=run.encoding, seed=2)
    FilterRunFactory(encoding=run.encoding, seed=3, status=RunStatus.CANCELLED)
    path = f"{API}filter-runs/{run.public_id}/seeds/"
    details = assert_error(as_dana.post(path, {"seeds": [1, 2, 3]}), 409, "seed_taken")
    assert details == {"seeds": [2]}
    assert FilterRun.objects.count() == 3
    assert len(ok(as_dana.post(path, {"seeds": [1, 3]}), 201)) == 2


@pytest.mark.parametrize("seeds", [[], [-1], [2**63], ["x"], list(range(21)), None])
def test_odd_seeds_are_refused(as_dana: APIClient, seeds: Any) -> None:
    path = f"{API}filter-runs/{FilterRunFactory().public_id}/seeds/"
    assert "seeds" in assert_error(as_dana.post(path, {"seeds": seeds}), 400, "invalid")["fields"]


# -- side by side ----------------------------------------------------------------------------------
def test_runs_are_compared_each_with_each(as_dana: APIClient, encoding: Encoding) -> None:
    runs = [carried(encoding, [0, 1]), carried(encoding, [0, 2], seed=1)]
    runs.append(carried(encoding, [5, 6], m=3))
    told = ok(compare(as_dana, *runs))
    assert [run["id"] for run in told["runs"]] == [str(run.public_id) for run in runs]
    assert told["differing"] == ["m", "seed"]
    assert [(pair["a"], pair["b"]) for pair in told["pairs"]] == [(0, 1), (0, 2), (1, 2)]
    kept = told["pairs"][0]["agreement"]["kept"]
    assert (kept["both"], kept["either"], kept["both_by_chance"]) == (7, 9, 6.4)
    assert told["pairs"][0]["agreement"]["first"]["pearson"] == pytest.approx(1)
    (group,) = told["seeds"]
    assert (group["runs"], group["stability"]["rows"]) == ([0, 1], [1, 2, 7])


def test_a_control_is_compared_without_scores(as_dana: APIClient, encoding: Encoding) -> None:
    run = carried(encoding, [0, 1])
    control = carried(encoding, [0, 3], method="random", reference=run)
    arrays = store.load_array(control.steps.get().arrays).copy()
    arrays[1:3] = 0  # nobody was held out
    control.steps.update(arrays=store.put_array(arrays))
    told = ok(compare(as_dana, run, control))
    assert told["runs"][1]["reference"] == str(run.public_id)
    agreement = told["pairs"][0]["agreement"]
    assert (agreement["first"]["n"], agreement["first"]["spearman"]) == (0, None)
    assert agreement["removed"]["both"] == 1


def test_a_run_that_kept_everything_at_once_is_compared_too(
    as_dana: APIClient, encoding: Encoding
) -> None:
    whole = FilterRunFactory(encoding=encoding, finished=True, n_kept=10)
    told = ok(compare(as_dana, whole, carried(encoding, [1], seed=1)))
    assert told["pairs"][0]["agreement"]["kept"]["both"] == 9


def test_what_cannot_be_compared_is_refused_with_the_reason(
    as_dana: APIClient, encoding: Encoding
) -> None:
    run, other = carried(encoding, [0]), carried(encoding, [1], seed=1)
    assert_error(compare(as_dana), 400, "invalid")
    assert_error(compare(as_dana, run, "x"), 400, "invalid")
    assert_error(compare(as_dana, run, run), 400, "too_few_runs")
    assert_error(compare(as_dana, run, *[uuid4() for _ in range(12)]), 400, "too_many_runs")
    assert_error(compare(as_dana, run, uuid4()), 404, "not_found")
    assert_error(compare(as_dana, run, FilterRunFactory(finished=True)), 409, "other_encoding")
    waiting = FilterRunFactory(encoding=encoding, seed=9)
    assert_error(compare(as_dana, run, other, waiting), 409, "run_not_done")


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
