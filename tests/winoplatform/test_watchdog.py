"""Requests that compute too long, and code that blocks a web process."""

import subprocess
import sys
import time
from typing import Any

import pytest

from tests.data_dir import ROOT
from winoplatform.processes import watchdog
from winoplatform.processes.watchdog import TookTooLong, Watchdog

BLOCKED = """
import re, sys, time
from winoplatform.processes.watchdog import Watchdog
Watchdog(hung_seconds=2).start()
time.sleep(4)  # a process that only waits goes on
print("alive", flush=True)
re.fullmatch("(a+)+b", "a" * 60)
"""


def test_a_blocked_process_says_where_and_ends() -> None:
    """The control is the regular expression itself: it would take years."""
    begun = time.monotonic()
    ended = subprocess.run(
        [sys.executable, "-c", BLOCKED], cwd=ROOT, capture_output=True, text=True, timeout=120
    )
    assert (ended.stdout, ended.returncode) == ("alive\n", 1)
    assert "fullmatch" in ended.stderr
    assert time.monotonic() - begun < 100


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> Watchdog:
    monkeypatch.setattr(watchdog, "PAUSE_SECONDS", 0.05)
    monkeypatch.setattr(watchdog.faulthandler, "dump_traceback_later", lambda *_, **__: None)
    found = Watchdog(cpu_seconds=0.3)
    found.start()
    return found


def computing(environ: Any, start: Any) -> Any:
    end = time.monotonic() + 60
    while time.monotonic() < end:
        pass
    return [b"at last"]


def waiting(environ: Any, start: Any) -> Any:
    time.sleep(1)
    return [b"here"]


def test_a_request_that_computes_too_long_is_interrupted(quick: Watchdog) -> None:
    with pytest.raises(TookTooLong) as stopped:
        quick.over(computing)({}, None)
    assert (stopped.value.code, stopped.value.status) == ("took_too_long", 503)
    assert quick.running == {}


def test_a_request_that_waits_is_left_alone(quick: Watchdog) -> None:
    assert quick.over(waiting)({}, None) == [b"here"]
    assert quick.running == {}
