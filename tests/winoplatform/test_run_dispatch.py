"""How runs that could go on are told to the workers, and how a worker takes one up."""

import os
import subprocess
import sys
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.utils import timezone

from corpora.models import Snapshot
from filtering.models import Encoding, FilterRun
from tests.data_dir import ROOT
from tests.factories import (
    EncodingFactory,
    FilterRunFactory,
    ReleaseFactory,
    SnapshotFactory,
)
from tests.winoplatform.attempts import claimed, finish, lease_ends, raising
from winoplatform.embedded import ServiceError
from winoplatform.processes import broker
from winoplatform.runs import attempts, dispatch
from winoplatform.runs.models import Run, RunStatus


def test_every_run_that_could_continue_is_dispatched_again(dispatched: list[Run]) -> None:
    waiting = SnapshotFactory()
    silent = claimed(SnapshotFactory()).run
    lease_ends(silent)
    claimed(SnapshotFactory())
    SnapshotFactory(finished=True)
    dispatch.dispatch_waiting()
    assert dispatched == [waiting, silent]


def test_a_run_is_dispatched_again_only_when_its_input_has_ended(dispatched: list[Run]) -> None:
    EncodingFactory(snapshot=claimed(SnapshotFactory()).run)
    ready = EncodingFactory()
    orphan = EncodingFactory(snapshot=SnapshotFactory(status=RunStatus.FAILED))
    dispatch.dispatch_waiting()
    assert dispatched == [ready, orphan]


def test_every_kind_of_run_is_known_to_the_message() -> None:
    names = {model.__name__ for model in dispatch.run_models()}
    assert names == {
        "Snapshot", "Tuning", "Encoding", "SentenceEncoding", "FilterRun", "Assessment",
        "Release", "Evaluation",
        "StarterLoad", "ArtifactDetection", "KeyAudit", "ReleasePreview", "FineTuning",
        "Grid", "Sweep", "KnowledgeRelease", "Publication",
    }  # fmt: skip


def test_a_broker_that_is_away_does_not_undo_the_request(
    monkeypatch: pytest.MonkeyPatch,
    django_capture_on_commit_callbacks: Any,
    caplog: pytest.LogCaptureFixture,
) -> None:
    from kombu.exceptions import OperationalError as BrokerAway

    def away(*_: Any, **__: Any) -> None:
        raise BrokerAway

    monkeypatch.setattr(dispatch.current_app, "send_task", away)
    run = ReleaseFactory()
    with django_capture_on_commit_callbacks(execute=True):
        dispatch.dispatch(run)
    assert "broker unreachable" in caplog.text
    run.refresh_from_db()
    assert run.status == RunStatus.QUEUED


def messages(queue: str = "light") -> int:
    return int(broker.client().llen(broker.key(queue)))


@pytest.mark.long
def test_however_often_beat_dispatches_a_run_has_one_message(settings: Any) -> None:
    run, before = SnapshotFactory(), messages()
    for _ in range(100):
        dispatch.dispatch_waiting()
    assert messages() == before + 1
    lease_ends(claimed(run).run)
    dispatch.dispatch_waiting()
    assert messages() == before + 2


def test_beat_leaves_alone_what_was_dispatched_just_now(
    django_capture_on_commit_callbacks: Any,
) -> None:
    run, before = SnapshotFactory(), messages()
    with django_capture_on_commit_callbacks(execute=True):
        dispatch.dispatch(run)
    dispatch.dispatch_waiting()
    assert messages() == before + 1


def test_without_a_broker_beat_sends_it_later(
    monkeypatch: pytest.MonkeyPatch, dispatched: list[Run]
) -> None:
    def away() -> None:
        raise ServiceError

    SnapshotFactory()
    monkeypatch.setattr(broker, "client", away)
    dispatch.dispatch_waiting()
    assert dispatched == []


@pytest.mark.long
def test_a_broker_that_is_away_keeps_nobody_waiting(tmp_path: Path) -> None:
    code = """
import time
from celery import current_app
from corpora.models import Snapshot
from winoplatform.runs import dispatch
start = time.monotonic()
dispatch._send(Snapshot(pk=1))
print(time.monotonic() - start)
"""
    away = {"REDIS_URL": "redis://127.0.0.1:1/0", "VAR_DIR": str(tmp_path)}
    command = [sys.executable, "manage.py", "shell", "-v0", "-c", code]
    done = subprocess.run(
        command, cwd=ROOT, env={**os.environ, **away}, capture_output=True, text=True, check=True
    )
    assert "broker unreachable" in done.stderr
    assert float(done.stdout) < 2


def test_a_claim_starts_the_run_under_a_lease(settings: Any) -> None:
    settings.RUN_LEASE_SECONDS = 30
    run = claimed().run
    assert (run.status, run.attempt) == (RunStatus.RUNNING, 1)
    left = run.leased_until - timezone.now()
    assert timedelta(seconds=28) < left <= timedelta(seconds=30)
    assert run.started_at is not None


def test_a_run_in_other_hands_is_left_alone() -> None:
    run = claimed().run
    assert attempts.claim(FilterRun, run.pk) is None


def test_a_run_whose_attempt_fell_silent_is_claimed_again() -> None:
    first = claimed()
    lease_ends(first.run)
    second = claimed(first.run)
    assert second.attempt == 2
    assert second.run.started_at == first.run.started_at


@pytest.mark.parametrize("status", Run.ENDED)
def test_a_run_that_has_ended_is_never_claimed(status: str) -> None:
    run = SnapshotFactory(finished=True, status=status)
    assert attempts.claim(Snapshot, run.pk) is None


def test_a_run_that_does_not_exist_is_not_claimed() -> None:
    assert attempts.claim(Snapshot, 0) is None


# -- inputs ----------------------------------------------------------------------------------------
@pytest.mark.parametrize("status", Run.OPEN)
def test_a_run_waits_for_its_input(status: str) -> None:
    encoding = EncodingFactory(snapshot=SnapshotFactory(status=status))
    assert attempts.claim(Encoding, encoding.pk) is None
    encoding.refresh_from_db()
    assert encoding.status == RunStatus.QUEUED


@pytest.mark.parametrize("status", [RunStatus.FAILED, RunStatus.CANCELLED])
def test_a_run_whose_input_will_never_be_done_fails_and_says_so(status: str) -> None:
    encoding = EncodingFactory(snapshot=SnapshotFactory(status=status))
    assert attempts.claim(Encoding, encoding.pk) is None
    encoding.refresh_from_db()
    assert encoding.status == RunStatus.FAILED
    assert str(encoding.snapshot.public_id) in encoding.failure
    assert encoding.ended_at is not None


def test_the_end_of_a_run_dispatches_what_builds_upon_it(
    dispatched: list[Run], django_capture_on_commit_callbacks: Any
) -> None:
    snapshot = SnapshotFactory()
    waiting = EncodingFactory(snapshot=snapshot)
    EncodingFactory(snapshot=snapshot, finished=True)
    EncodingFactory()
    with django_capture_on_commit_callbacks(execute=True):
        attempts.execute(Snapshot, snapshot.pk, finish)
    assert dispatched == [waiting]


@pytest.mark.parametrize(
    ("status", "result"),
    [(RunStatus.FAILED, "which has failed."), (RunStatus.CANCELLED, "which was cancelled.")],
)
def test_what_builds_upon_a_run_that_will_never_be_done_ends_with_it(
    status: str, result: str
) -> None:
    snapshot = SnapshotFactory()
    encoding = EncodingFactory(snapshot=snapshot)
    last = FilterRunFactory(encoding=encoding)
    if status == RunStatus.CANCELLED:
        attempts.request_cancel(snapshot)
    else:
        attempts.execute(Snapshot, snapshot.pk, raising(ValueError("No.")))
    for run in (encoding, last):
        run.refresh_from_db()
        assert run.status == RunStatus.FAILED
    assert encoding.failure.endswith(result)
