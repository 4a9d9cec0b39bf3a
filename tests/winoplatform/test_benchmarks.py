"""Benchmarks leave the installation alone that they are run beside."""

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from random import Random
from threading import Thread

import pytest

from benchmarks.clients import Client, Crowd, get, post
from benchmarks.day_people import arrivals, is_peak
from tests.data_dir import ROOT

PLANNED_SECONDS_AGO = 5.0
WHERE = "from django.conf import settings; print(settings.VAR_DIR)"


@pytest.mark.long
@pytest.mark.parametrize("given", ["", "elsewhere", "elsewhere/benchmarks"])
def test_a_benchmark_stores_in_a_folder_of_its_own(tmp_path: Path, given: str) -> None:
    environment = {k: v for k, v in os.environ.items() if k not in ("VAR_DIR", "SECRET_KEY")}
    environment |= {"VAR_DIR": str(tmp_path / given)} if given else {"SECRET_KEY": "made for this"}
    printed = subprocess.check_output(
        [sys.executable, "-c", f"import benchmarks.database; {WHERE}"],
        cwd=ROOT,
        env=environment,
        text=True,
    )
    own = tmp_path / "elsewhere" if given else ROOT / "var"
    assert Path(printed.strip()) == own / "benchmarks"


@pytest.fixture
def answering_server() -> Iterator[int]:
    """A server that says yes to everybody, at the port returned."""

    class Yes(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def do_POST(self) -> None:
            self.do_GET()

        def log_message(self, *_: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Yes) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield server.server_port
        server.shutdown()


@pytest.mark.rowless
def test_the_seconds_of_a_planned_request_count_from_its_time(answering_server: int) -> None:
    def asking() -> Client:
        yield get("late", "/", planned=time.perf_counter() - PLANNED_SECONDS_AGO)
        yield post("unplanned", "/")
        yield get("early", "/", planned=time.perf_counter() + 0.1)

    log = Crowd(answering_server).run([("nobody", asking())])
    assert set(log.statuses) == {("late", 200), ("unplanned", 200), ("early", 200)}
    assert log.seconds["late"][0] >= PLANNED_SECONDS_AGO
    assert log.seconds["unplanned"][0] < PLANNED_SECONDS_AGO
    assert 0 <= log.seconds["early"][0] < PLANNED_SECONDS_AGO


@pytest.mark.rowless
def test_arrivals_of_a_day_are_as_many_as_planned_and_three_times_as_dense_at_its_peaks() -> None:
    times = list(arrivals(50_000, 1_000, Random(1)))
    assert times == sorted(times)
    assert len(times) == pytest.approx(50_000, rel=0.03)
    at_peak = sum(is_peak(time / 1_000) for time in times)
    assert at_peak / 200 / ((len(times) - at_peak) / 800) == pytest.approx(3, rel=0.05)
