"""How runs that could go on are told to the workers."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.data_dir import ROOT
from tests.factories import (
    EncodingFactory,
    ReleaseFactory,
    SnapshotFactory,
)
from tests.winoplatform.attempts import claimed, lease_ends
from winoplatform.embedded import ServiceError
from winoplatform.processes import broker
from winoplatform.runs import dispatch
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
        "Snapshot", "Tuning", "Encoding", "FilterRun", "Assessment", "Release", "Evaluation",
        "StarterLoad", "ArtifactDetection", "ReleasePreview", "FineTuning",
        "Grid", "Sweep", "KnowledgeRelease",
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
