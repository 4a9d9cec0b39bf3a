"""From valid questions to a first evaluation: every stage queued at once, each after the other."""

from typing import Any

import pytest

from evaluation import services
from evaluation.services import Pipeline
from tests.factories import CampaignFactory
from tests.filtering.stages import TINY, assert_done, published_twins
from winoplatform.runs import dispatch
from winoplatform.runs.kinds import execute_here
from winoplatform.runs.models import Run, RunStatus


@pytest.fixture
def dispatched(monkeypatch: pytest.MonkeyPatch) -> list[Run]:
    """The sent that reach a worker, in order."""
    sent: list[Run] = []
    monkeypatch.setattr(dispatch, "_send", sent.append)
    return sent


@pytest.fixture
def pipeline(
    settings: Any, dispatched: list[Run], django_capture_on_commit_callbacks: Any
) -> Pipeline:
    settings.ENCODER = TINY
    campaign = CampaignFactory()
    published_twins(30, campaign=campaign)
    with django_capture_on_commit_callbacks(execute=True):
        return services.start_pipeline(campaign=campaign, release_name="first", by=None)


def test_all_messages_are_sent_at_once_and_only_the_first_stage_starts(
    pipeline: Pipeline, dispatched: list[Run]
) -> None:
    assessment = pipeline.filter_run.assessments.get()
    assert dispatched == [*pipeline.runs[:3], assessment, *pipeline.runs[3:]]
    for run in pipeline.runs[1:]:
        execute_here(run)
        run.refresh_from_db()
        assert run.status == RunStatus.QUEUED


def test_each_end_dispatches_the_next_stage_until_all_are_done(
    pipeline: Pipeline, dispatched: list[Run], django_capture_on_commit_callbacks: Any
) -> None:
    dispatched[:] = [pipeline.snapshot]
    while dispatched:
        with django_capture_on_commit_callbacks(execute=True):
            execute_here(dispatched.pop(0))
    for run in pipeline.runs:
        assert_done(run)
    majority, linear = (run.metrics["accuracy"]["n"] for run in pipeline.evaluations)
    assert majority == linear > 0


def test_a_stage_that_fails_ends_all_that_build_upon_it(
    pipeline: Pipeline, dispatched: list[Run], django_capture_on_commit_callbacks: Any
) -> None:
    type(pipeline.encoding).objects.update(encoder="/no/such/folder")
    dispatched[:] = [pipeline.snapshot]
    while dispatched:
        with django_capture_on_commit_callbacks(execute=True):
            execute_here(dispatched.pop(0))
    snapshot, encoding, *rest = pipeline.runs
    for run in (snapshot, encoding, *rest):
        run.refresh_from_db()
    assert (snapshot.status, encoding.status) == (RunStatus.DONE, RunStatus.FAILED)
    assert {run.status for run in rest} == {RunStatus.FAILED}
    assert str(encoding.public_id) in rest[0].failure
