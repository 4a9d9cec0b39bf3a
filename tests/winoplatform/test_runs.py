"""The frame of a long job, tried on snapshots and filter runs."""

from datetime import timedelta
from typing import Any

import psycopg
import pytest
from django.db import IntegrityError, OperationalError, transaction
from django.utils import timezone

from corpora.models import Snapshot
from filtering.models import FilterRun, Phase
from tests.factories import (
    EncodingFactory,
    SnapshotFactory,
)
from tests.winoplatform.attempts import claimed, finish, lease_ends, phase, raising
from winoplatform.errors import DomainError
from winoplatform.runs import attempts, pace
from winoplatform.runs.attempts import Attempt, Cancelled, LeaseLost
from winoplatform.runs.models import Run, RunStatus
from winoplatform.runs.pace import Pace


# -- steps and ends --------------------------------------------------------------------------------
def test_a_recorded_step_stores_the_attempt_and_the_progress() -> None:
    attempt = claimed()
    attempt.record(phase(attempt), done=2, activity="phase 2")
    run = FilterRun.objects.get()
    assert (run.done, run.activity, run.stalled_attempts) == (2, "phase 2", 0)
    assert Phase.objects.get().attempt == 1


def test_what_a_run_began_with_is_written_down_before_its_first_step() -> None:
    attempt = claimed()
    attempt.note(device_used="cpu")
    run = FilterRun.objects.get()
    assert (run.device_used, attempt.run.device_used) == ("cpu", "cpu")
    attempts.request_cancel(run)
    with pytest.raises(Cancelled):
        attempt.note(device_used="cuda")
    lease_ends(run)
    FilterRun.objects.update(cancel_requested=False)
    claimed(run).note(device_used="cuda")
    with pytest.raises(LeaseLost):
        attempt.note(device_used="cpu")
    assert FilterRun.objects.get().device_used == "cuda"


def test_a_step_is_recorded_once() -> None:
    attempt = claimed()
    attempt.record(phase(attempt), done=2)
    with (
        pytest.raises(IntegrityError, match="filtering_phase_is_recorded_once"),
        transaction.atomic(),
    ):
        attempt.record(phase(attempt), done=2)


def test_a_step_that_cannot_be_stored_leaves_no_progress_either() -> None:
    attempt = claimed()
    attempt.record(phase(attempt), done=2)
    with pytest.raises(IntegrityError), transaction.atomic():
        attempt.record(phase(attempt), done=99)
    assert FilterRun.objects.get().done == 2


def test_a_finished_run_has_its_results_and_no_lease() -> None:
    run = SnapshotFactory()
    attempts.execute(Snapshot, run.pk, finish)
    run.refresh_from_db()
    assert (run.status, run.leased_until, run.n_questions) == (RunStatus.DONE, None, 0)
    assert run.started_at <= run.ended_at


@pytest.mark.parametrize(
    "error", [ValueError("m must be at least 2."), DomainError("odd", "This is odd.")]
)
def test_a_refusal_fails_the_run_with_its_own_sentence(
    error: Exception, caplog: pytest.LogCaptureFixture
) -> None:
    run = SnapshotFactory()
    attempts.execute(Snapshot, run.pk, raising(error))
    run.refresh_from_db()
    assert (run.status, run.failure) == (RunStatus.FAILED, str(error))
    assert caplog.records[-1].exc_info  # people are told the sentence, the log its cause


def test_a_surprise_fails_the_run_and_surfaces() -> None:
    run = SnapshotFactory()
    dependent = EncodingFactory(snapshot=run)
    with pytest.raises(ZeroDivisionError):
        attempts.execute(Snapshot, run.pk, lambda attempt: 1 / 0)
    run.refresh_from_db()
    dependent.refresh_from_db()
    assert dependent.status == RunStatus.FAILED
    assert run.status == RunStatus.FAILED
    assert "ZeroDivisionError" in run.failure


@pytest.mark.parametrize("kind", [OperationalError, psycopg.OperationalError])
def test_a_database_that_went_away_fails_nothing_and_the_run_continues_later(
    kind: type[Exception],
) -> None:
    run = SnapshotFactory()
    with pytest.raises(kind):
        attempts.execute(Snapshot, run.pk, raising(kind("terminating connection")))
    run.refresh_from_db()
    assert (run.status, run.failure) == (RunStatus.RUNNING, "")
    lease_ends(run)
    attempts.execute(Snapshot, run.pk, finish)
    run.refresh_from_db()
    assert run.status == RunStatus.DONE


def test_steps_come_back_in_order_and_a_gap_is_refused() -> None:
    attempt = claimed()
    for number in (2, 1, 4):
        attempt.record(phase(attempt, number), done=0)
    steps = Phase.objects.filter(run=attempt.run)
    with pytest.raises(ValueError, match="have a gap"):
        attempts.steps_done(steps)
    assert [step.number for step in attempts.steps_done(steps.exclude(number=4))] == [1, 2]


# -- cancelling ------------------------------------------------------------------------------------
def test_a_waiting_run_is_cancelled_at_once() -> None:
    run = SnapshotFactory()
    attempts.request_cancel(run)
    assert (run.status, run.ended_at is not None) == (RunStatus.CANCELLED, True)


def test_a_running_run_sees_the_wish_at_its_next_word() -> None:
    attempt = claimed()
    attempts.request_cancel(attempt.run)
    assert attempt.run.status == RunStatus.RUNNING
    with pytest.raises(Cancelled):
        attempt.record(phase(attempt), done=1)
    assert not Phase.objects.exists()


def test_a_cancelled_run_ends_as_cancelled() -> None:
    run = SnapshotFactory()

    def work(attempt: Attempt[Snapshot]) -> None:
        attempts.request_cancel(Snapshot.objects.get(pk=run.pk))
        attempt.report(1)

    attempts.execute(Snapshot, run.pk, work)
    run.refresh_from_db()
    assert (run.status, run.leased_until) == (RunStatus.CANCELLED, None)


def test_a_wish_to_cancel_outlives_the_worker() -> None:
    run = claimed(SnapshotFactory()).run
    attempts.request_cancel(run)
    lease_ends(run)
    attempts.execute(Snapshot, run.pk, finish)
    run.refresh_from_db()
    assert run.status == RunStatus.CANCELLED


def test_a_run_that_nothing_executes_any_more_is_cancelled_at_once() -> None:
    attempt = claimed(SnapshotFactory())
    lease_ends(attempt.run)
    attempts.request_cancel(attempt.run)
    assert (attempt.run.status, attempt.run.leased_until) == (RunStatus.CANCELLED, None)
    with pytest.raises(LeaseLost):
        finish(attempt)


def test_at_the_start_of_the_only_workers_every_run_can_be_taken_up() -> None:
    run, ended = claimed(SnapshotFactory()).run, SnapshotFactory(finished=True)
    attempts.release_all_leases()
    assert claimed(run).attempt == 2
    ended.refresh_from_db()
    assert ended.leased_until is None


@pytest.mark.parametrize("status", Run.ENDED)
def test_a_run_that_has_ended_cannot_be_cancelled(status: str) -> None:
    run = SnapshotFactory(finished=True, status=status)
    with pytest.raises(DomainError) as caught:
        attempts.request_cancel(run)
    assert (caught.value.code, caught.value.status) == ("run_ended", 409)


# -- what a row shows ------------------------------------------------------------------------------
NOW = timezone.now()


def test_share_and_seconds_of_a_run_under_way() -> None:
    started = timezone.now() - timedelta(seconds=30)
    run = SnapshotFactory(
        status=RunStatus.RUNNING,
        created_at=started - timedelta(seconds=5),
        started_at=started,
        done=25,
        total=100,
    )
    assert run.share == 0.25
    assert run.wait_seconds == pytest.approx(5)
    assert run.run_seconds == pytest.approx(30, abs=1)
    assert run.seconds_left == pytest.approx(90, abs=3)


@pytest.mark.parametrize(
    ("fields", "share"),
    [
        ({"done": 0, "total": None}, 0.0),
        ({"done": 150, "total": 100}, 1.0),
        ({"done": 3, "total": 0}, 0.0),
        ({"done": 3, "total": 9, "status": RunStatus.DONE}, 1.0),
    ],
)
def test_a_share_is_never_outside_0_and_1(fields: dict[str, Any], share: float) -> None:
    assert Snapshot(**fields).share == share


def test_nothing_is_guessed_about_a_run_that_has_not_moved() -> None:
    assert Snapshot(status=RunStatus.RUNNING, started_at=NOW, total=10).seconds_left is None
    assert Snapshot(status=RunStatus.QUEUED).run_seconds == 0.0


def test_a_pulse_is_shown_at_most_once_a_second() -> None:
    attempt = claimed()
    attempt.pulse("classifier 1 of 64")
    attempt.pulse("classifier 2 of 64")
    assert FilterRun.objects.get().activity == "classifier 1 of 64"


def test_the_rate_is_told_after_a_minute_without_the_first_piece(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    now = 0.0
    monkeypatch.setattr(pace.time, "monotonic", lambda: now)
    rate, texts = Pace(), []
    now = 100.0  # the first piece also does what is done once
    for done in range(1, 33):
        texts.append(rate.rate_text(done))
        now += 2
    assert texts == [""] * 30 + [", 2 s each"] * 2
    assert rate.rate_text(1) == ""  # another epoch
    now += 90
    assert rate.rate_text(31) == ", 3 s each"
