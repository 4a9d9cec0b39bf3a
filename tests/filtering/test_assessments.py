"""Assessments as runs: asked for with every filter run, recorded part by part, the same bytes."""

import json
from typing import Any

import numpy as np
import pytest
from django.core.exceptions import ValidationError

from filtering import services
from filtering.models import Assessment, Encoding, FilterRun
from tests.filtering.stages import (
    PUBLISHED,
    Killed,
    assert_done,
    encoding_of,
    frozen,
    kill_after,
    leaking,
    lease_ends,
    read,
)
from winoplatform.runs.kinds import execute_here
from winoplatform.runs.models import RunStatus

QUESTIONS = frozen(pairs=40, unpaired=10)
PARTS = ["filter_results", "projection", "linear", "nonlinear", "surface"]


@pytest.fixture
def encoding() -> Encoding:
    return encoding_of(QUESTIONS, leaking(QUESTIONS))


@pytest.fixture
def filtered(encoding: Encoding) -> FilterRun:
    run = services.start_filter_run(encoding=encoding, by=None, n=5, m=40, k=8, **PUBLISHED)
    execute_here(run)
    assert_done(run)
    return run


def carried(assessment: Assessment) -> Assessment:
    execute_here(assessment)
    assert_done(assessment)
    return assessment


def report(assessment: Assessment) -> Any:
    return json.loads(read(assessment.report))


@pytest.mark.long
def test_every_filter_run_is_assessed_once_it_is_done(encoding: Encoding) -> None:
    run = services.start_filter_run(encoding=encoding, by=None, method="random", size=50)
    assessment = run.assessments.get()
    execute_here(assessment)
    assessment.refresh_from_db()
    assert assessment.status == RunStatus.QUEUED
    execute_here(run)
    assert [part.name for part in carried(assessment).steps.order_by("number")] == PARTS
    assert (assessment.done, assessment.total) == (5, 5)


@pytest.mark.long
def test_the_report_holds_every_part_and_what_it_was_made_from(filtered: FilterRun) -> None:
    assessment = carried(filtered.assessments.get())
    found = report(assessment)
    assert list(found["parts"]) == sorted(PARTS)
    assert found["kept_sha256"] == filtered.selection.kept_id
    assert found["questions_sha256"] == filtered.encoding.snapshot.questions_id
    assert (found["settings"]["method"], found["settings"]["m"]) == ("aflite", 40)
    assert found["parts"] == {part.name: part.figures for part in assessment.steps.all()}


@pytest.mark.long
def test_the_planted_leak_is_told_before_and_less_after() -> None:
    questions = frozen(pairs=120, unpaired=20)
    encoding = encoding_of(questions, leaking(questions))
    filtered = services.start_filter_run(encoding=encoding, by=None, n=16, m=80, k=40, **PUBLISHED)
    execute_here(filtered)
    assert_done(filtered)
    parts = report(carried(filtered.assessments.get()))["parts"]
    filter_results, linear, drawn = parts["filter_results"], parts["linear"], parts["projection"]
    assert (filter_results["n"], filter_results["kept"]) == (260, filtered.n_kept)
    assert filter_results["twins"]["pairs"] == 120
    assert linear["all"]["grouped"]["leak"]["direction"] == "above"
    assert linear["all"]["grouped"]["leak"]["detectable"] < 0.6
    assert filtered.n_kept < 200
    assert linear["kept"]["grouped"]["leak"]["direction"] is None
    assert drawn["all"]["divergence"]["n"] == 260
    assert drawn["all"]["reduced"]["n"] == drawn["kept"]["divergence"]["n"]
    assert sum(drawn["all"]["answer1"]["histogram"]) == 130
    assert len(drawn["kept"]["answer2"]["points"]) == drawn["kept"]["answer2"]["n"]


@pytest.mark.long
@pytest.mark.parametrize(
    "records", [2, *(pytest.param(n, marks=pytest.mark.long) for n in (0, 1, 3, 4))]
)
def test_killed_after_any_part_it_ends_with_the_same_bytes(
    filtered: FilterRun, records: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    unbroken = carried(filtered.assessments.get())
    report_id = unbroken.report_id
    unbroken.delete()
    again = services.start_assessment(filter_run=filtered, by=None)
    with monkeypatch.context() as patch:
        kill_after(patch, records)
        with pytest.raises(Killed):
            execute_here(again)
    lease_ends(again)
    assert carried(again).report_id == report_id
    assert again.attempt == 2


@pytest.mark.long
def test_what_a_sibling_measured_of_the_whole_set_is_taken_over_unchanged(
    filtered: FilterRun,
) -> None:
    alone = carried(filtered.assessments.get())
    control = services.start_filter_run(
        encoding=filtered.encoding, by=None, method="random", reference=filtered
    )
    execute_here(control)
    beside = report(carried(control.assessments.get()))["parts"]
    first = report(alone)["parts"]
    for kind in ("linear", "nonlinear"):
        assert beside[kind]["all"] == first[kind]["all"]
    assert beside["projection"]["kept"] != first["projection"]["kept"]
    other_seed = carried(services.start_assessment(filter_run=control, by=None, seed=1))
    assert report(other_seed)["parts"]["linear"] == beside["linear"]


@pytest.mark.long
def test_a_run_that_kept_nothing_can_be_assessed(encoding: Encoding) -> None:
    everything = services.start_filter_run(
        encoding=encoding, by=None, n=5, m=2, k=90, tau=0, **PUBLISHED
    )
    execute_here(everything)
    assert_done(everything)
    parts = report(carried(everything.assessments.get()))["parts"]
    assert (everything.n_kept, parts["projection"]["kept_own"]) == (0, None)
    assert parts["linear"]["kept"]["grouped"]["accuracy"]["value"] is None


@pytest.mark.long
def test_a_set_too_small_to_tell_is_assessed_without_figures() -> None:
    questions = frozen(pairs=2)
    run = services.start_filter_run(
        encoding=encoding_of(questions, leaking(questions)), by=None, method="random", size=2
    )
    execute_here(run)
    parts = report(carried(run.assessments.get()))["parts"]
    whole = parts["linear"]["all"]["grouped"]
    assert (whole["accuracy"]["n"], whole["leak"]["direction"]) == (4, None)


def test_features_with_a_hole_fail_the_run_with_a_sentence() -> None:
    matrix = leaking(QUESTIONS)
    matrix[3, 1] = np.nan
    run = services.start_filter_run(
        encoding=encoding_of(QUESTIONS, matrix), by=None, method="random", size=30
    )
    execute_here(run)
    run.refresh_from_db()
    assert (run.status, "NaN" in run.failure) == (RunStatus.FAILED, True)
    assert run.assessments.get().status == RunStatus.FAILED


def test_it_is_not_under_way_twice(filtered: FilterRun) -> None:
    with pytest.raises(ValidationError, match="under way already"):
        services.start_assessment(filter_run=filtered, by=None)
