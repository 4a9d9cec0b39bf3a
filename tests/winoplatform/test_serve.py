"""The command behind ``make run``, with real processes."""

import json
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path

import psutil
import pytest

from tests.data_dir import ROOT
from tests.winoplatform.ports import free_port
from winoplatform.management.commands.serve import own_address

PATIENCE = 90
WAIT_FOR_A_WORKER = """
import time
from winoplatform.runs import workers_alive
while not workers_alive.alive():
    time.sleep(0.2)
"""


def wait_until(happened: Callable[[], object], what: str) -> None:
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        if happened():
            return
        time.sleep(0.2)
    pytest.fail(f"{what} did not happen within {PATIENCE} s")


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    own = {"DATABASE_URL", "REDIS_URL", "PUBLIC_URL"}
    kept = {k: v for k, v in os.environ.items() if k not in own}
    return {**kept, "VAR_DIR": str(tmp_path / "var"), "REDIS_KEY_PREFIX": "serve:"}


def manage(*command: str, environment: dict[str, str]) -> "subprocess.CompletedProcess[bytes]":
    whole = [sys.executable, "manage.py", *command]
    return subprocess.run(whole, cwd=ROOT, env=environment, capture_output=True, timeout=PATIENCE)


def processes_of(environment: dict[str, str]) -> list[psutil.Process]:
    """Every process started under this test's own folder."""
    found = []
    for process in psutil.process_iter():
        try:
            if process.environ().get("VAR_DIR") == environment["VAR_DIR"]:
                found.append(process)
        except psutil.Error:
            continue
    return found


@pytest.fixture
def log(tmp_path: Path) -> Path:
    return tmp_path / "serve.log"


@pytest.fixture
def platform(
    environment: dict[str, str], log: Path
) -> Iterator[tuple[subprocess.Popen[bytes], int]]:
    """A served platform over a database that holds a campaign, so no starter is loaded."""
    port = free_port()
    with log.open("wb") as file:
        # On an empty folder: the command makes the database and its tables first.
        manage("create_campaign", "own", environment=environment).check_returncode()
        process = subprocess.Popen(
            [sys.executable, "manage.py", "serve", "--port", str(port)],
            cwd=ROOT,
            env=environment,
            stdout=file,
            stderr=subprocess.STDOUT,
        )
        try:
            yield process, port
        finally:
            for left in [process, *processes_of(environment)]:
                if left.pid != os.getpid() and psutil.pid_exists(left.pid):
                    left.kill()
            process.wait()


def healthy(port: int) -> bool:
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/health/", timeout=5) as answer:
            return bool(json.load(answer) == {"status": "ok"})
    except OSError:
        return False


def words_of(process: psutil.Process) -> list[str]:
    """The words of its command; none if it has died meanwhile."""
    try:
        return process.cmdline()
    except psutil.Error:
        return []


def heavy_worker(environment: dict[str, str]) -> psutil.Process | None:
    found = [p for p in processes_of(environment) if "heavy@%h" in words_of(p)]
    return min(found, key=lambda process: process.create_time(), default=None)


def servers(environment: dict[str, str]) -> list[psutil.Process]:
    """The PostgreSQL and the Redis of this test's own folder."""
    marks = [f"{environment['VAR_DIR']}/{end}" for end in ("postgres/data", "redis/redis.conf")]
    return [one for one in psutil.process_iter() if set(marks) & set(words_of(one))]


@pytest.mark.long
def test_it_serves_restarts_what_dies_and_leaves_no_process(
    platform: tuple[subprocess.Popen[bytes], int], environment: dict[str, str], log: Path
) -> None:
    process, port = platform
    wait_until(lambda: healthy(port), "an answer")
    wait_until(lambda: heavy_worker(environment), "a heavy worker")
    killed = heavy_worker(environment)
    assert killed is not None
    assert killed.environ()["PUBLIC_URL"] == f"http://127.0.0.1:{port}"
    killed.kill()

    wait_until(
        lambda: (now := heavy_worker(environment)) and now.pid != killed.pid, "another worker"
    )
    for server in servers(environment):
        server.kill()
    wait_until(lambda: len(servers(environment)) == 2, "PostgreSQL and Redis again")
    wait_until(lambda: healthy(port), "an answer again")
    # A sign of life in the new Redis.
    assert manage("shell", "-v0", "-c", WAIT_FOR_A_WORKER, environment=environment).returncode == 0
    process.send_signal(signal.SIGINT)

    assert process.wait(PATIENCE) == 0, log.read_text()
    wait_until(lambda: not processes_of(environment), "the end of every process")
    text = log.read_text()
    assert "starter" not in text
    assert "curator" in text


@pytest.mark.parametrize(
    ("host", "address"),
    [
        ("127.0.0.1", "http://127.0.0.1:8123"),
        ("0.0.0.0", "http://127.0.0.1:8123"),
        ("::1", "http://[::1]:8123"),
    ],
)
def test_links_lead_to_the_port_that_is_served(host: str, address: str) -> None:
    assert own_address(host, 8123) == address


@pytest.mark.long
def test_a_taken_port_is_said_in_a_sentence(environment: dict[str, str]) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        done = subprocess.run(
            [sys.executable, "manage.py", "serve", "--port", str(taken.getsockname()[1])],
            cwd=ROOT,
            env=environment,
            capture_output=True,
            text=True,
        )

    assert done.returncode == 1
    assert "Choose another port" in done.stderr
