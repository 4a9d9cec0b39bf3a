"""Processes show that they work, and give up requests that compute too long."""

import os
import resource
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import psutil
import pytest
import yaml

from tests.data_dir import ROOT
from tests.races.processes import database_url
from tests.winoplatform.ports import free_port
from winoplatform.processes import alive, watchdog
from winoplatform.processes.supervisor import Supervisor, platform_commands
from winoplatform.processes.watchdog import TookTooLong, Watchdog

COMPOSE: dict[str, Any] = yaml.safe_load((ROOT / "docker-compose.yml").read_text())
CELERY = ("worker", "worker-heavy", "beat")
MARKS_AND_SLEEPS = """
import time
from winoplatform.processes import alive
while True:
    alive.mark()
    time.sleep(0.05)
"""


def check_of(service: str) -> str:
    kind, command = COMPOSE["services"][service]["healthcheck"]["test"]
    assert kind == "CMD-SHELL"
    return str(command).replace("$$", "$")


@pytest.fixture
def sleeper() -> Iterator["subprocess.Popen[bytes]"]:
    process = subprocess.Popen(["sleep", "60"])
    yield process
    process.kill()
    process.wait()


def checked(service: str, file: Path) -> int:
    environment = {"ALIVE_FILE": str(file), "PATH": os.defpath}
    return subprocess.run(["sh", "-c", check_of(service)], env=environment, timeout=10).returncode


@pytest.mark.parametrize("service", CELERY)
def test_a_check_passes_while_a_process_works_and_costs_little(
    service: str, tmp_path: Path, sleeper: "subprocess.Popen[bytes]"
) -> None:
    file = tmp_path / "alive"
    file.write_text(str(sleeper.pid))
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    assert checked(service, file) == 0
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    assert after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime < 0.05
    assert sleeper.poll() is None


@pytest.mark.parametrize("service", CELERY)
def test_a_check_ends_a_process_that_is_silent(
    service: str, tmp_path: Path, sleeper: "subprocess.Popen[bytes]"
) -> None:
    file = tmp_path / "alive"
    assert checked(service, file) != 0  # which has not begun
    file.write_text(str(sleeper.pid))
    os.utime(file, (time.time() - alive.HUNG_SECONDS - 5,) * 2)
    sleeper.send_signal(signal.SIGSTOP)

    assert checked(service, file) != 0
    assert sleeper.wait(10) == -signal.SIGKILL


@pytest.mark.parametrize("service", CELERY)
def test_the_end_of_a_process_is_the_end_of_its_container(service: str) -> None:
    settings = COMPOSE["services"][service]
    assert settings["init"] is True  # a container's first process cannot be killed from inside
    assert settings["restart"] == "unless-stopped"
    assert settings["environment"]["ALIVE_FILE"].startswith(f"{settings['tmpfs']}/")


def test_every_service_has_a_limit_of_memory_and_of_its_log() -> None:
    for name, settings in COMPOSE["services"].items():
        assert settings["mem_limit"], name
        assert set(settings["logging"]["options"]) == {"max-size", "max-file"}, name


def test_a_hung_process_is_killed_and_started_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(signal, "signal", lambda *_: None)  # not in the main thread
    said: list[str] = []
    command = [sys.executable, "-c", MARKS_AND_SLEEPS]
    supervisor = Supervisor({"one": command}, say=said.append, alive=tmp_path)
    thread = threading.Thread(target=supervisor.run)
    thread.start()
    try:
        first = wait_for_mark(tmp_path / "one", other_than=0)
        supervisor.watches["one"].hung_seconds = 2
        psutil.Process(first).suspend()
        assert wait_for_mark(tmp_path / "one", other_than=first)
    finally:
        supervisor.stopping = True
        thread.join(30)
    assert "one shows no sign of life and is killed" in said


def wait_for_mark(file: Path, *, other_than: int) -> int:
    end = time.monotonic() + 20
    while time.monotonic() < end:
        text = file.read_text().strip() if file.exists() else ""
        if text and int(text) != other_than:
            return int(text)
        time.sleep(0.1)
    pytest.fail("No process showed that it works.")


def test_a_process_without_a_file_is_left_alone(tmp_path: Path) -> None:
    assert not alive.Watch(tmp_path / "none", hung_seconds=-1).is_hung()


class Answering(BaseHTTPRequestHandler):
    status = 200

    def do_GET(self) -> None:
        asked = (self.path, self.headers["X-Forwarded-Proto"])
        self.send_response(self.status if asked == ("/health/", "https") else 404)
        self.end_headers()

    def log_message(self, *_: object) -> None:
        """Print nothing."""


@pytest.mark.long
@pytest.mark.parametrize(("status", "is_healthy"), [(200, True), (503, False), (None, False)])
def test_the_check_of_the_web_asks_without_python(status: int | None, is_healthy: bool) -> None:
    """Without a status nobody listens."""
    server = HTTPServer(("127.0.0.1", 0), type("Handler", (Answering,), {"status": status}))
    port = server.server_port
    thread = threading.Thread(target=server.serve_forever)
    if status is None:
        server.server_close()
    else:
        thread.start()
    try:
        kind, *command = COMPOSE["services"]["web"]["healthcheck"]["test"]
        command = [part.replace("$$", "$").replace("/8000 ", f"/{port} ") for part in command]
        assert (kind, command[0]) == ("CMD", "bash")
        ended = subprocess.run(command, stderr=subprocess.DEVNULL, timeout=20)
        assert (ended.returncode == 0) == is_healthy
    finally:
        if status is not None:
            server.shutdown()
            thread.join()
            server.server_close()


BLOCKED = """
import re, sys, time
from winoplatform.processes.watchdog import Watchdog
Watchdog(hung_seconds=2).start()
time.sleep(4)  # a process that only waits goes on
print("alive", flush=True)
re.fullmatch("(a+)+b", "a" * 60)
"""


@pytest.mark.long
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


@pytest.mark.long
def test_a_request_that_computes_too_long_is_interrupted(quick: Watchdog) -> None:
    with pytest.raises(TookTooLong) as stopped:
        quick.over(computing)({}, None)
    assert (stopped.value.code, stopped.value.status) == ("took_too_long", 503)
    assert quick.running == {}


@pytest.mark.long
def test_a_request_that_waits_is_left_alone(quick: Watchdog) -> None:
    assert quick.over(waiting)({}, None) == [b"here"]
    assert quick.running == {}


PATIENCE = 60


def pool_of(main: psutil.Process) -> list[psutil.Process]:
    end = time.monotonic() + PATIENCE
    while len(children := main.children()) < 2:
        assert time.monotonic() < end, "the web server's pool did not start"
        time.sleep(0.01)
    return children


@pytest.mark.parametrize(
    "seconds", [0.5, *(pytest.param(when, marks=pytest.mark.long) for when in (0.0, 4.0))]
)
@pytest.mark.long
def test_the_pool_dies_with_a_killed_main_process_at_any_moment(
    seconds: float, tmp_path: Path
) -> None:
    command = platform_commands(host="127.0.0.1", port=free_port())["web"]
    environment = {**os.environ, "VAR_DIR": str(tmp_path / "var")}
    process = subprocess.Popen(command, cwd=ROOT, env=environment, stderr=subprocess.DEVNULL)
    pool = pool_of(psutil.Process(process.pid))
    time.sleep(seconds)  # just forked, loading the application, serving
    process.kill()
    process.wait()
    _, left = psutil.wait_procs(pool, timeout=PATIENCE)
    for each in left:
        each.kill()
    assert left == []


def is_loading(process: psutil.Process) -> bool:
    """Whether a web process is loading the application, by a library of that."""
    return "numpy" in Path(f"/proc/{process.pid}/maps").read_text()


@pytest.mark.long
def test_a_web_server_that_is_told_to_stop_while_it_loads_the_application_ends(
    db: None, tmp_path: Path
) -> None:
    command = platform_commands(host="127.0.0.1", port=free_port())["web"]
    environment = os.environ | {"DATABASE_URL": database_url(), "VAR_DIR": str(tmp_path)}
    server = subprocess.Popen(command, cwd=ROOT, env=environment, start_new_session=True)
    try:
        processes: list[psutil.Process] = []
        while len(processes) < 2 or not all(map(is_loading, processes)):
            assert server.poll() is None
            processes = psutil.Process(server.pid).children()
            time.sleep(0.01)
        server.terminate()
        server.wait(30)
    finally:
        if server.poll() is None:
            os.killpg(server.pid, signal.SIGKILL)
            server.wait()
