"""The whole way from valid questions to a first evaluation, by a real worker."""

from typing import Any

from evaluation.services import start_pipeline
from tests.factories import CampaignFactory
from tests.filtering.stages import TINY, assert_done, published_twins
from tests.jobs.worker import Worker, wait_until
from winoplatform.runs import workers_alive
from winoplatform.runs.models import Run


def test_a_worker_executes_every_stage_in_its_turn(worker: Worker, settings: Any) -> None:
    settings.ENCODER = TINY
    campaign = CampaignFactory()
    published_twins(40, campaign=campaign)
    assert ["dispatch", "heavy", "light"] in (workers_alive.alive() or {}).values()
    pipeline = start_pipeline(campaign=campaign, release_name="first", by=None)
    for run in pipeline.runs:
        wait_until(lambda run=run: refreshed(run).has_ended, what=f"{run} has ended")
        assert_done(run)
        assert run.attempt == 1


def refreshed(run: Run) -> Run:
    run.refresh_from_db()
    return run
