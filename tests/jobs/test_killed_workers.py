"""Filter runs whose worker dies: they go on by themselves and end as if nothing had happened."""

import os
import signal
from typing import Any

import pytest
from django.db import connection

from evaluation.services import start_pipeline
from filtering import services
from filtering.models import Encoding, FilterRun
from tests.factories import CampaignFactory
from tests.filtering.stages import (
    PUBLISHED,
    TINY,
    assert_done,
    encoding_of,
    frozen,
    leaking,
    published_twins,
)
from tests.jobs.worker import Worker, dispatch_until, wait_until
from winoplatform.runs import attempts, workers_alive
from winoplatform.runs.kinds import execute_here
from winoplatform.runs.models import Run, RunStatus

QUESTIONS = frozen(pairs=160)
# Half of all rows reach a threshold of 0.5, so the run has a dozen phases.
SETTINGS: dict[str, Any] = {"n": 5, "m": 60, "k": 20, "tau": 0.5, **PUBLISHED}
PHASES_BEFORE = 3


@pytest.fixture
def encoding() -> Encoding:
    return encoding_of(QUESTIONS, leaking(QUESTIONS))


@pytest.fixture
def unbroken(encoding: Encoding) -> FilterRun:
    """The same run without a break, carried here, or by the living worker where that is first."""
    run = services.start_filter_run(encoding=encoding, by=None, **SETTINGS)
    execute_here(run)
    wait_until(lambda: has_ended(run), what="the unbroken run has ended")
    run.refresh_from_db()
    assert run.steps.count() > 2 * PHASES_BEFORE
    return run


@pytest.fixture
def under_way(worker: Worker, unbroken: FilterRun) -> FilterRun:
    """A run that a worker has carried through its first phases."""
    run = services.start_filter_run(encoding=unbroken.encoding, by=None, **SETTINGS)
    dispatch_until(lambda: run.steps.count() >= PHASES_BEFORE, what="the run is under way")
    return run


def has_ended(run: FilterRun) -> bool:
    return FilterRun.objects.get(pk=run.pk).has_ended


def dispatched_until_it_ends(run: FilterRun) -> None:
    dispatch_until(lambda: has_ended(run), what="the run has ended")


def assert_equal(run: FilterRun, unbroken: FilterRun) -> None:
    """Ids, phases, and the bytes of all that was found."""
    run.refresh_from_db()
    assert (run.status, run.failure) == (RunStatus.DONE, "")
    assert (run.selection.kept, run.stop_reason) == (unbroken.selection.kept, unbroken.stop_reason)
    found = [list(each.steps.values_list("number", "arrays")) for each in (run, unbroken)]
    assert found[0] == found[1]


@pytest.mark.long
def test_when_only_the_pool_process_dies_the_living_worker_continues(
    worker: Worker, under_way: FilterRun, unbroken: FilterRun
) -> None:
    worker.child().send_signal(signal.SIGKILL)
    dispatched_until_it_ends(under_way)
    assert worker.is_alive()
    assert_equal(under_way, unbroken)
    assert under_way.attempt == 2


@pytest.mark.long
def test_when_the_database_drops_its_connections_the_run_continues(
    worker: Worker, under_way: FilterRun, unbroken: FilterRun
) -> None:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity "
            "WHERE application_name LIKE %s",
            [f"wino %:{worker.child().pid}"],
        )
        assert cursor.fetchone()[0] > 0
    dispatched_until_it_ends(under_way)
    assert_equal(under_way, unbroken)


@pytest.mark.long
def test_a_run_under_way_can_be_cancelled(under_way: FilterRun, unbroken: FilterRun) -> None:
    attempts.request_cancel(under_way)
    wait_until(lambda: has_ended(under_way), what="it has ended")
    under_way.refresh_from_db()
    assert under_way.status == RunStatus.CANCELLED
    assert under_way.steps.count() < unbroken.steps.count()


@pytest.mark.long
def test_a_worker_that_is_told_to_stop_ends_at_once_and_the_next_continues(
    worker: Worker, under_way: FilterRun, unbroken: FilterRun
) -> None:
    os.kill(worker.pid, signal.SIGTERM)
    worker.wait(10)
    under_way.refresh_from_db()
    assert under_way.status == RunStatus.RUNNING
    wait_until(lambda: not worker.left_behind(), what="its child has ended")
    worker.start()
    dispatched_until_it_ends(under_way)
    assert_equal(under_way, unbroken)
    assert under_way.attempt == 2


@pytest.mark.long
def test_when_only_the_main_process_dies_its_child_ends_too_and_the_next_worker_continues(
    worker: Worker, under_way: FilterRun, unbroken: FilterRun
) -> None:
    os.kill(worker.pid, signal.SIGKILL)
    worker.wait()
    wait_until(lambda: not worker.left_behind(), what="the orphan has ended")
    worker.start()
    dispatched_until_it_ends(under_way)
    assert_equal(under_way, unbroken)


def test_after_a_power_cut_the_next_worker_continues_by_itself(
    worker: Worker, under_way: FilterRun, unbroken: FilterRun
) -> None:
    worker.kill_all()
    under_way.refresh_from_db()
    assert under_way.status == RunStatus.RUNNING
    recorded = under_way.steps.count()
    assert PHASES_BEFORE <= recorded < unbroken.steps.count()
    worker.start(beat=True)
    wait_until(lambda: has_ended(under_way), what="the run has ended")
    worker.kill_all()  # others want no beat
    assert_equal(under_way, unbroken)
    assert under_way.steps.filter(attempt=1).count() == recorded
    assert under_way.attempt == 2


@pytest.mark.long
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
