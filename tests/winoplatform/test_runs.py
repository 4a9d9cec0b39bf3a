"""The frame of a long job, tried on snapshots and filter runs."""

import os
import subprocess
import sys
import time
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.db import IntegrityError, InterfaceError, OperationalError, transaction
from django.utils import timezone

from filtering.models import Encoding, FilterRun, Phase, Snapshot
from tests.data_dir import ROOT
from tests.factories import (
    ArtifactFactory,
    EncodingFactory,
    FilterRunFactory,
    ReleaseFactory,
    SnapshotFactory,
)
from winoplatform import broker
from winoplatform.embedded import ServiceError
from winoplatform.errors import DomainError
from winoplatform.runs import frame, ring
from winoplatform.runs.frame import Cancelled, Carrier, LeaseLost
from winoplatform.runs.models import Run, RunStatus

pytestmark = pytest.mark.django_db


@pytest.fixture
def rung(monkeypatch: pytest.MonkeyPatch) -> list[Run]:
    bells: list[Run] = []
    monkeypatch.setattr(ring, "_send", lambda run, **_: bells.append(run))
    return bells


def claimed(run: Run | None = None) -> Carrier[Any]:
    run = run or FilterRunFactory()
    carrier = frame.claim(type(run), run.pk)
    assert carrier is not None
    return carrier


def lease_ends(run: Run) -> None:
    type(run)._default_manager.filter(pk=run.pk).update(leased_until=timezone.now())


def finish(carrier: Carrier[Snapshot]) -> None:
    carrier.finish(questions=ArtifactFactory(), n_questions=0, n_pairs=0)


def phase(carrier: Carrier[FilterRun], number: int = 1) -> Phase:
    return Phase(
        run=carrier.run,
        number=number,
        seconds=0.1,
        n_before=4,
        n_removed=2,
        never_held_out=0,
        eligible=2,
        tied_at_cutoff=0,
        unconverged=0,
        histogram=[],
        arrays=ArtifactFactory(),
    )


# -- claiming --------------------------------------------------------------------------------------
def test_a_claim_starts_the_run_under_a_lease(settings: Any) -> None:
    settings.RUN_LEASE_SECONDS = 30
    run = claimed().run
    assert (run.status, run.attempt) == (RunStatus.RUNNING, 1)
    left = run.leased_until - timezone.now()
    assert timedelta(seconds=28) < left <= timedelta(seconds=30)
    assert run.started_at is not None


def test_a_run_in_other_hands_is_left_alone() -> None:
    run = claimed().run
    assert frame.claim(FilterRun, run.pk) is None


def test_a_run_whose_carrier_fell_silent_is_claimed_again() -> None:
    first = claimed()
    lease_ends(first.run)
    second = claimed(first.run)
    assert second.attempt == 2
    assert second.run.started_at == first.run.started_at


@pytest.mark.parametrize("status", Run.ENDED)
def test_a_run_that_has_ended_is_never_claimed(status: str) -> None:
    run = SnapshotFactory(finished=True, status=status)
    assert frame.claim(Snapshot, run.pk) is None


def test_a_run_that_does_not_exist_is_not_claimed() -> None:
    assert frame.claim(Snapshot, 0) is None


# -- inputs ----------------------------------------------------------------------------------------
@pytest.mark.parametrize("status", Run.OPEN)
def test_a_run_waits_for_its_input(status: str) -> None:
    encoding = EncodingFactory(snapshot=SnapshotFactory(status=status))
    assert frame.claim(Encoding, encoding.pk) is None
    encoding.refresh_from_db()
    assert encoding.status == RunStatus.QUEUED


@pytest.mark.parametrize("status", [RunStatus.FAILED, RunStatus.CANCELLED])
def test_a_run_whose_input_will_never_be_done_fails_and_says_so(status: str) -> None:
    encoding = EncodingFactory(snapshot=SnapshotFactory(status=status))
    assert frame.claim(Encoding, encoding.pk) is None
    encoding.refresh_from_db()
    assert encoding.status == RunStatus.FAILED
    assert str(encoding.snapshot.public_id) in encoding.failure
    assert encoding.ended_at is not None


def test_the_end_of_a_run_rings_what_builds_upon_it(
    rung: list[Run], django_capture_on_commit_callbacks: Any
) -> None:
    snapshot = SnapshotFactory()
    waiting = EncodingFactory(snapshot=snapshot)
    EncodingFactory(snapshot=snapshot, finished=True)
    EncodingFactory()
    with django_capture_on_commit_callbacks(execute=True):
        frame.carry(Snapshot, snapshot.pk, finish)
    assert rung == [waiting]


@pytest.mark.parametrize(
    ("status", "fate"),
    [(RunStatus.FAILED, "which has failed."), (RunStatus.CANCELLED, "which was cancelled.")],
)
def test_what_builds_upon_a_run_that_will_never_be_done_ends_with_it(
    status: str, fate: str
) -> None:
    snapshot = SnapshotFactory()
    encoding = EncodingFactory(snapshot=snapshot)
    last = FilterRunFactory(encoding=encoding)
    if status == RunStatus.CANCELLED:
        frame.request_cancel(snapshot)
    else:
        frame.carry(Snapshot, snapshot.pk, raising(ValueError("No.")))
    for run in (encoding, last):
        run.refresh_from_db()
        assert run.status == RunStatus.FAILED
    assert encoding.failure.endswith(fate)


# -- steps and ends --------------------------------------------------------------------------------
def test_a_recorded_step_carries_the_attempt_and_the_progress() -> None:
    carrier = claimed()
    carrier.record(phase(carrier), done=2, activity="phase 2")
    run = FilterRun.objects.get()
    assert (run.done, run.activity, run.stalled_attempts) == (2, "phase 2", 0)
    assert Phase.objects.get().attempt == 1


def test_a_step_is_recorded_once() -> None:
    carrier = claimed()
    carrier.record(phase(carrier), done=2)
    with (
        pytest.raises(IntegrityError, match="filtering_phase_is_recorded_once"),
        transaction.atomic(),
    ):
        carrier.record(phase(carrier), done=2)


def test_a_step_that_cannot_be_stored_leaves_no_progress_either() -> None:
    carrier = claimed()
    carrier.record(phase(carrier), done=2)
    with pytest.raises(IntegrityError), transaction.atomic():
        carrier.record(phase(carrier), done=99)
    assert FilterRun.objects.get().done == 2


def test_a_finished_run_has_its_results_and_no_lease() -> None:
    run = SnapshotFactory()
    frame.carry(Snapshot, run.pk, finish)
    run.refresh_from_db()
    assert (run.status, run.leased_until, run.n_questions) == (RunStatus.DONE, None, 0)
    assert run.started_at <= run.ended_at


@pytest.mark.parametrize(
    "error", [ValueError("m must be at least 2."), DomainError("odd", "This is odd.")]
)
def test_a_refusal_fails_the_run_with_its_own_sentence(error: Exception) -> None:
    run = SnapshotFactory()
    frame.carry(Snapshot, run.pk, raising(error))
    run.refresh_from_db()
    assert (run.status, run.failure) == (RunStatus.FAILED, str(error))


def test_a_surprise_fails_the_run_and_surfaces() -> None:
    run = SnapshotFactory()
    dependent = EncodingFactory(snapshot=run)
    with pytest.raises(ZeroDivisionError):
        frame.carry(Snapshot, run.pk, lambda carrier: 1 / 0)
    run.refresh_from_db()
    dependent.refresh_from_db()
    assert dependent.status == RunStatus.FAILED
    assert run.status == RunStatus.FAILED
    assert "ZeroDivisionError" in run.failure


def test_a_database_that_went_away_fails_nothing_and_the_run_goes_on_later() -> None:
    run = SnapshotFactory()
    with pytest.raises(OperationalError):
        frame.carry(Snapshot, run.pk, raising(OperationalError("terminating connection")))
    run.refresh_from_db()
    assert (run.status, run.failure) == (RunStatus.RUNNING, "")
    lease_ends(run)
    frame.carry(Snapshot, run.pk, finish)
    run.refresh_from_db()
    assert run.status == RunStatus.DONE


def raising(error: Exception) -> Callable[[Carrier[Any]], None]:
    def work(carrier: Carrier[Any]) -> None:
        raise error

    return work


def test_steps_come_back_in_order_and_a_gap_is_refused() -> None:
    carrier = claimed()
    for number in (2, 1, 4):
        carrier.record(phase(carrier, number), done=0)
    steps = Phase.objects.filter(run=carrier.run)
    with pytest.raises(ValueError, match="have a gap"):
        frame.steps_done(steps)
    assert [step.number for step in frame.steps_done(steps.exclude(number=4))] == [1, 2]


# -- carriers that were given up for dead ----------------------------------------------------------
WRITES: list[Callable[[Carrier[Any]], Any]] = [
    lambda carrier: carrier.report(5),
    lambda carrier: carrier.pulse("still here"),
    lambda carrier: carrier.record(phase(carrier), done=5),
    lambda carrier: carrier.finish(kept=ArtifactFactory(), n_kept=5),
    lambda carrier: carrier.fail("I was here."),
]
NAMES = ["report", "pulse", "record", "finish", "fail"]


@pytest.mark.parametrize("write", WRITES, ids=NAMES)
def test_a_carrier_given_up_for_dead_writes_nothing(write: Callable[[Carrier[Any]], Any]) -> None:
    dead = claimed()
    lease_ends(dead.run)
    claimed(dead.run)
    before = FilterRun.objects.values().get()
    with pytest.raises(LeaseLost):
        write(dead)
    assert FilterRun.objects.values().get() == before
    assert not Phase.objects.exists()


@pytest.mark.parametrize("write", WRITES, ids=NAMES)
def test_after_the_end_nothing_is_written(write: Callable[[Carrier[Any]], Any]) -> None:
    carrier = claimed()
    carrier.fail("It is over.")
    with pytest.raises(LeaseLost):
        write(carrier)
    assert FilterRun.objects.get().failure == "It is over."


def test_losing_the_lease_ends_an_attempt_silently() -> None:
    run = FilterRunFactory()

    def overtaken(carrier: Carrier[FilterRun]) -> None:
        lease_ends(run)
        claimed(run)
        carrier.record(phase(carrier), done=1)

    frame.carry(FilterRun, run.pk, overtaken)
    run.refresh_from_db()
    assert (run.status, run.attempt, run.failure) == (RunStatus.RUNNING, 2, "")


def test_a_run_that_kills_every_worker_fails_in_the_end(settings: Any) -> None:
    run = FilterRunFactory()
    for _ in range(settings.RUN_MAX_STALLED_ATTEMPTS):
        claimed(run)
        lease_ends(run)
    frame.carry(FilterRun, run.pk, raising(AssertionError("must not start")))
    run.refresh_from_db()
    assert run.status == RunStatus.FAILED
    assert run.failure.startswith("The worker died 5 times without finishing a step.")


def test_a_step_in_between_shows_that_the_run_does_move(settings: Any) -> None:
    run = FilterRunFactory()
    for number in range(1, 2 * settings.RUN_MAX_STALLED_ATTEMPTS):
        carrier = claimed(run)
        carrier.record(phase(carrier, number), done=number)
        lease_ends(run)
    frame.carry(FilterRun, run.pk, lambda c: c.finish(kept=ArtifactFactory(), n_kept=1))
    run.refresh_from_db()
    assert run.status == RunStatus.DONE


# -- cancelling ------------------------------------------------------------------------------------
def test_a_waiting_run_is_cancelled_at_once() -> None:
    run = SnapshotFactory()
    frame.request_cancel(run)
    assert (run.status, run.ended_at is not None) == (RunStatus.CANCELLED, True)


def test_a_running_run_sees_the_wish_at_its_next_word() -> None:
    carrier = claimed()
    frame.request_cancel(carrier.run)
    assert carrier.run.status == RunStatus.RUNNING
    with pytest.raises(Cancelled):
        carrier.record(phase(carrier), done=1)
    assert not Phase.objects.exists()


def test_a_cancelled_run_ends_as_cancelled() -> None:
    run = SnapshotFactory()

    def work(carrier: Carrier[Snapshot]) -> None:
        frame.request_cancel(Snapshot.objects.get(pk=run.pk))
        carrier.report(1)

    frame.carry(Snapshot, run.pk, work)
    run.refresh_from_db()
    assert (run.status, run.leased_until) == (RunStatus.CANCELLED, None)


def test_a_wish_to_cancel_outlives_the_worker() -> None:
    run = claimed(SnapshotFactory()).run
    frame.request_cancel(run)
    lease_ends(run)
    frame.carry(Snapshot, run.pk, finish)
    run.refresh_from_db()
    assert run.status == RunStatus.CANCELLED


def test_a_run_that_nobody_carries_any_more_is_cancelled_at_once() -> None:
    carrier = claimed(SnapshotFactory())
    lease_ends(carrier.run)
    frame.request_cancel(carrier.run)
    assert (carrier.run.status, carrier.run.leased_until) == (RunStatus.CANCELLED, None)
    with pytest.raises(LeaseLost):
        finish(carrier)


def test_at_the_start_of_the_only_workers_every_run_can_be_taken_up() -> None:
    run, ended = claimed(SnapshotFactory()).run, SnapshotFactory(finished=True)
    frame.release_all_leases()
    assert claimed(run).attempt == 2
    ended.refresh_from_db()
    assert ended.leased_until is None


@pytest.mark.parametrize("status", Run.ENDED)
def test_a_run_that_has_ended_cannot_be_cancelled(status: str) -> None:
    run = SnapshotFactory(finished=True, status=status)
    with pytest.raises(DomainError) as caught:
        frame.request_cancel(run)
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
    carrier = claimed()
    carrier.pulse("classifier 1 of 64")
    carrier.pulse("classifier 2 of 64")
    assert FilterRun.objects.get().activity == "classifier 1 of 64"


# -- bells -----------------------------------------------------------------------------------------
def test_every_run_that_could_go_on_is_rung_again(rung: list[Run]) -> None:
    waiting = SnapshotFactory()
    silent = claimed(SnapshotFactory()).run
    lease_ends(silent)
    claimed(SnapshotFactory())
    SnapshotFactory(finished=True)
    ring.ring_waiting()
    assert rung == [waiting, silent]


def test_a_run_is_rung_again_only_when_its_input_has_ended(rung: list[Run]) -> None:
    EncodingFactory(snapshot=claimed(SnapshotFactory()).run)
    ready = EncodingFactory()
    orphan = EncodingFactory(snapshot=SnapshotFactory(status=RunStatus.FAILED))
    ring.ring_waiting()
    assert rung == [ready, orphan]


def test_every_kind_of_run_is_known_to_the_bell() -> None:
    names = {model.__name__ for model in ring.run_models()}
    assert names == {"Snapshot", "Encoding", "FilterRun", "Release", "Evaluation"}


def test_a_broker_that_is_away_does_not_undo_the_request(
    monkeypatch: pytest.MonkeyPatch,
    django_capture_on_commit_callbacks: Any,
    caplog: pytest.LogCaptureFixture,
) -> None:
    from kombu.exceptions import OperationalError as BrokerAway

    def away(*_: Any, **__: Any) -> None:
        raise BrokerAway

    monkeypatch.setattr(ring.current_app, "send_task", away)
    run = ReleaseFactory()
    with django_capture_on_commit_callbacks(execute=True):
        ring.ring(run)
    assert "no broker took the message" in caplog.text
    run.refresh_from_db()
    assert run.status == RunStatus.QUEUED


def messages(queue: str = "light") -> int:
    return int(broker.client().llen(broker.key(queue)))


def test_however_often_beat_rings_a_run_has_one_message(settings: Any) -> None:
    run, before = SnapshotFactory(), messages()
    for _ in range(100):
        ring.ring_waiting()
    assert messages() == before + 1
    lease_ends(claimed(run).run)
    ring.ring_waiting()
    assert messages() == before + 2


def test_beat_leaves_alone_what_was_rung_just_now(django_capture_on_commit_callbacks: Any) -> None:
    run, before = SnapshotFactory(), messages()
    with django_capture_on_commit_callbacks(execute=True):
        ring.ring(run)
    ring.ring_waiting()
    assert messages() == before + 1


def test_without_a_broker_beat_tries_again_later(
    monkeypatch: pytest.MonkeyPatch, rung: list[Run]
) -> None:
    def away() -> None:
        raise ServiceError

    SnapshotFactory()
    monkeypatch.setattr(broker, "client", away)
    ring.ring_waiting()
    assert rung == []


def test_a_broker_that_is_away_keeps_nobody_waiting(tmp_path: Path) -> None:
    code = """
import time
from celery import current_app
from filtering.models import Snapshot
from winoplatform.runs import ring
start = time.monotonic()
ring._send(Snapshot(pk=1))
print(time.monotonic() - start)
"""
    away = {"REDIS_URL": "redis://127.0.0.1:1/0", "VAR_DIR": str(tmp_path)}
    command = [sys.executable, "manage.py", "shell", "-v0", "-c", code]
    done = subprocess.run(
        command, cwd=ROOT, env={**os.environ, **away}, capture_output=True, text=True, check=True
    )
    assert "no broker took the message" in done.stderr
    assert float(done.stdout) < 2


# -- the heartbeat ---------------------------------------------------------------------------------
@pytest.mark.django_db(transaction=True)
def test_a_step_longer_than_the_lease_keeps_it(settings: Any) -> None:
    settings.RUN_LEASE_SECONDS = 0.4
    run = SnapshotFactory()

    def slow(carrier: Carrier[Snapshot]) -> None:
        time.sleep(1.0)
        assert frame.claim(Snapshot, run.pk) is None
        finish(carrier)

    frame.carry(Snapshot, run.pk, slow)
    run.refresh_from_db()
    assert (run.status, run.attempt) == (RunStatus.DONE, 1)


@pytest.mark.django_db(transaction=True)
def test_the_heartbeat_of_a_carrier_given_up_for_dead_renews_nothing(settings: Any) -> None:
    settings.RUN_LEASE_SECONDS = 0.3
    dead = claimed(SnapshotFactory())
    lease_ends(dead.run)
    alive = claimed(dead.run)
    with dead.heartbeat():
        time.sleep(0.3)
    alive.run.refresh_from_db()
    assert alive.run.leased_until <= timezone.now()


@pytest.mark.django_db(transaction=True)
def test_the_heartbeat_outlives_a_database_that_was_away(
    settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.RUN_LEASE_SECONDS = 0.6
    carrier, hiccups = claimed(SnapshotFactory()), [OperationalError("gone"), InterfaceError()]
    mine = carrier._mine

    def sometimes() -> Any:
        if hiccups:
            raise hiccups.pop()
        return mine()

    monkeypatch.setattr(carrier, "_mine", sometimes)
    with carrier.heartbeat():
        time.sleep(1.0)
    carrier.run.refresh_from_db()
    assert hiccups == []
    assert carrier.run.leased_until > timezone.now()
