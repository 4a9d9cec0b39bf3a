"""Processes show that they work; one that stopped is killed and started again."""

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
from winoplatform.processes import alive
from winoplatform.processes.supervisor import Supervisor

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
