"""Events of several processes add up, and wait while Redis is away."""

import os
import subprocess
import sys
from collections.abc import Iterator

import pytest
from redis.exceptions import ConnectionError as RedisAway

from tests.data_dir import ROOT
from winoplatform.metrics import counting, events
from winoplatform.metrics.counting import Sums
from winoplatform.processes import broker

SEAT = ("wino_leases_expired", "", "seat")
COUNTS_IN_A_PROCESS = """
import django; django.setup()
from winoplatform.metrics import counting, events
counting.start()
counting.count(events.LEASES_EXPIRED, "seat", number=2)
counting.observe(events.CLAIM_SECONDS, 0.02, "seat")
counting.send()
"""


@pytest.fixture(autouse=True)
def counting_here(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    # It has a sender in name only: the tests send.
    monkeypatch.setattr(counting, "_sums", Sums(is_counting=True, has_sender=True))
    broker.client().delete(counting.key())
    yield
    broker.client().delete(counting.key())


def counts() -> counting.Counts:
    return counting.counts(broker.client().hgetall(counting.key()))


@pytest.mark.long
@pytest.mark.rowless
def test_what_processes_count_adds_up() -> None:
    environment = os.environ | {
        "REDIS_URL": broker.url(),
        "DJANGO_SETTINGS_MODULE": "winoplatform.settings",
    }
    command = [sys.executable, "-c", COUNTS_IN_A_PROCESS]
    for _ in range(2):
        subprocess.run(command, cwd=ROOT, env=environment, check=True)
    assert counts()[SEAT] == 4
    assert counts()["wino_claim_seconds", 2, "seat"] == 2
    assert counts()["wino_claim_seconds", "sum", "seat"] == pytest.approx(0.04)


@pytest.mark.rowless
def test_counts_wait_while_redis_is_away(monkeypatch: pytest.MonkeyPatch) -> None:
    def away() -> None:
        raise RedisAway

    counting.count(events.LEASES_EXPIRED, "seat")
    with monkeypatch.context() as patched:
        patched.setattr(broker, "client", away)
        counting.send()
    counting.count(events.LEASES_EXPIRED, "seat")
    counting.send()
    counting.send()
    assert counts() == {SEAT: 2}


@pytest.mark.rowless
def test_a_forked_process_counts_nothing_twice() -> None:
    counting.count(events.LEASES_EXPIRED, "seat")
    child = os.fork()
    if not child:
        os._exit(len(counting._sums.unsent))
    assert os.waitpid(child, 0)[1] == 0
    assert len(counting._sums.unsent) == 1


@pytest.mark.rowless
def test_a_command_counts_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(counting, "_sums", Sums())
    counting.count(events.LEASES_EXPIRED, "seat")
    assert not counting._sums.unsent
