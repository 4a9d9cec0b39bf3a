"""From valid questions to a first evaluation: every stage queued at once, each after the other."""

from typing import Any

import pytest

from evaluation import services
from evaluation.services import Pipeline
from tests.factories import CampaignFactory
from tests.filtering.stages import TINY, assert_done, published_twins
from winoplatform.runs import ring
from winoplatform.runs.kinds import execute_here
from winoplatform.runs.models import Run, RunStatus

pytestmark = pytest.mark.django_db


@pytest.fixture
def rung(monkeypatch: pytest.MonkeyPatch) -> list[Run]:
    """The bells that reach a worker, in order."""
    bells: list[Run] = []
    monkeypatch.setattr(ring, "_send", bells.append)
    return bells


@pytest.fixture
def pipeline(settings: Any, rung: list[Run], django_capture_on_commit_callbacks: Any) -> Pipeline:
    settings.ENCODER = TINY
    campaign = CampaignFactory()
    published_twins(30, campaign=campaign)
    with django_capture_on_commit_callbacks(execute=True):
        return services.start_pipeline(campaign=campaign, release_name="first", by=None)


def test_all_bells_ring_at_once_and_only_the_first_stage_starts(
    pipeline: Pipeline, rung: list[Run]
) -> None:
    assessment = pipeline.filter_run.assessments.get()
    assert rung == [*pipeline.runs[:3], assessment, *pipeline.runs[3:]]
    for run in pipeline.runs[1:]:
        execute_here(run)
        run.refresh_from_db()
        assert run.status == RunStatus.QUEUED


def test_each_end_rings_the_next_stage_until_all_are_done(
    pipeline: Pipeline, rung: list[Run], django_capture_on_commit_callbacks: Any
) -> None:
    rung[:] = [pipeline.snapshot]
    while rung:
        with django_capture_on_commit_callbacks(execute=True):
            execute_here(rung.pop(0))
    for run in pipeline.runs:
        assert_done(run)
    majority, linear = (run.metrics["accuracy"]["n"] for run in pipeline.evaluations)
    assert majority == linear > 0


def test_a_stage_that_fails_ends_all_that_build_upon_it(
    pipeline: Pipeline, rung: list[Run], django_capture_on_commit_callbacks: Any
) -> None:
    type(pipeline.encoding).objects.update(encoder="/no/such/folder")
    rung[:] = [pipeline.snapshot]
    while rung:
        with django_capture_on_commit_callbacks(execute=True):
            execute_here(rung.pop(0))
    snapshot, encoding, *rest = pipeline.runs
    for run in (snapshot, encoding, *rest):
        run.refresh_from_db()
    assert (snapshot.status, encoding.status) == (RunStatus.DONE, RunStatus.FAILED)
    assert {run.status for run in rest} == {RunStatus.FAILED}
    assert str(encoding.public_id) in rest[0].failure
