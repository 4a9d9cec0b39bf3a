"""Processes refuse a database that another version has migrated, and say so."""

import os
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder
from django.test import Client

from tests.api.calls import API, assert_error
from tests.data_dir import ROOT
from tests.journeys.servers import Server
from tests.races.processes import database_url
from winoplatform.db import versions
from winoplatform.processes import broker

NEWER = ("workers", "9999_of_a_newer_version")
LAST = ("workers", "0007_money")
SAYS = {"newer": "of a newer version of WinoPlatform", "older": "lacks 1 migrations"}
pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(params=["newer", "older"])
def other(request: pytest.FixtureRequest, transactional_db: None) -> Iterator[str]:
    """Record a migration that nobody knows, or none of one that is known."""
    recorder = MigrationRecorder(connection)
    if request.param == "newer":
        recorder.record_applied(*NEWER)
    else:
        recorder.record_unapplied(*LAST)
    yield SAYS[request.param]
    make_ours()


def make_ours() -> None:
    """Let the database fit again; this process may refuse it itself."""
    watching = versions._watching[:]
    versions._watching.clear()
    recorder = MigrationRecorder(connection)
    recorder.record_unapplied(*NEWER)
    if LAST not in recorder.applied_migrations():
        recorder.record_applied(*LAST)
    versions._watching[:] = watching


@pytest.fixture
def watching(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(versions, "_watching", [])
    versions.watch()


def test_the_database_of_this_version_is_accepted() -> None:
    versions.check(connection)
    assert versions._difference() == ""


def test_a_web_process_refuses_each_new_session(
    other: str, watching: None, caplog: pytest.LogCaptureFixture
) -> None:
    connection.close()
    connection.close_pool()
    client = Client(raise_request_exception=False)
    assert client.get("/health/").status_code == 503
    assert client.get("/sign-in/").status_code in (200, 503)  # it may read nothing
    response = client.get(f"{API}me/", headers={"Authorization": "Token wino_x"})
    assert_error(response, 503, "other_version")
    assert other in caplog.text
    make_ours()
    assert client.get("/health/").status_code == 200


def test_the_health_check_notices_while_sessions_are_open(other: str) -> None:
    connection.ensure_connection()
    assert Client(raise_request_exception=False).get("/health/").status_code == 503


def seen(what: Callable[[], object], *, seconds: float = 150) -> bool:
    end = time.monotonic() + seconds
    while not what():
        if time.monotonic() > end:
            return False
        time.sleep(0.2)
    return True


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    return os.environ | {
        "DATABASE_URL": database_url(),
        "REDIS_URL": broker.url(),
        "VAR_DIR": str(tmp_path),
        "PYTHONUNBUFFERED": "1",
        "ALIVE_FILE": str(tmp_path / "alive"),
    }


@pytest.mark.long
@pytest.mark.parametrize("kind", ["worker", "beat"])
def test_workers_and_beat_wait_until_the_database_is_theirs(
    kind: str, other: str, environment: dict[str, str], tmp_path: Path
) -> None:
    options = {"worker": ("--queues", "light", "--concurrency", "1"), "beat": ("--pidfile=",)}
    command = [sys.executable, "-m", "celery", "-A", "winoplatform", kind, *options[kind]]
    log = tmp_path / "log"
    with log.open("wb") as file:
        process = subprocess.Popen(
            [*command, "--loglevel", "INFO"], cwd=ROOT, env=environment, stdout=file, stderr=file
        )
    ready = {"worker": " ready.", "beat": "Scheduler: Sending due task"}[kind]
    try:
        assert seen(lambda: other in log.read_text()), log.read_text()
        time.sleep(versions.PAUSE)
        assert ready not in log.read_text()
        assert process.poll() is None
        make_ours()
        assert seen(lambda: ready in log.read_text()), log.read_text()
    finally:
        process.send_signal(signal.SIGQUIT)
        process.kill()
        process.wait()


@pytest.mark.long
def test_a_running_server_refuses_once_its_sessions_have_ended(tmp_path: Path) -> None:
    server = Server(tmp_path)
    server.start()
    try:
        with connection.cursor() as cursor:
            MigrationRecorder(connection).record_applied(*NEWER)
            cursor.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                " WHERE datname = current_database() AND pid <> pg_backend_pid()"
            )
        with pytest.raises(urllib.error.HTTPError) as refused:
            urllib.request.urlopen(f"{server.address}/health/", timeout=30)
        assert refused.value.code == 503
        assert seen(lambda: SAYS["newer"] in (tmp_path / "server.log").read_text())
    finally:
        make_ours()
        server.kill()
