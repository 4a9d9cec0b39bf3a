"""A real Celery worker on the suite's database and broker, in a process group of its own."""

import os
import signal
import subprocess
import sys
import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import psutil

from tests.filtering.stages import TINY
from tests.jobs import HOLD
from tests.races.processes import database_url
from winoplatform.processes import broker
from winoplatform.processes.supervisor import ENVIRONMENT
from winoplatform.runs import dispatch, workers_alive

ROOT = Path(__file__).resolve().parents[2]
PATIENCE_SECONDS = 60
MARK = "WINO_TEST_JOBS"  # in the environment of every process that a worker starts


def wait_until(true: Callable[[], object], *, what: str) -> None:
    """Wait for *what*, within some patience."""
    deadline = time.monotonic() + PATIENCE_SECONDS
    while not true():
        assert time.monotonic() < deadline, f"{what}: not within {PATIENCE_SECONDS} s"
        time.sleep(0.05)


def dispatch_until(true: Callable[[], object], *, what: str) -> None:
    """Wait for *what*, dispatching as beat does: the living worker has none."""

    def dispatched() -> object:
        dispatch.dispatch_waiting()
        return true()

    wait_until(dispatched, what=what)


@contextmanager
def held() -> Iterator[None]:
    """Let each worker stop after its next step, with the step's lock, until the block ends."""
    broker.client().set(broker.key(HOLD), 1, ex=4 * PATIENCE_SECONDS)
    try:
        yield
    finally:
        broker.client().delete(broker.key(HOLD))


@dataclass
class Worker:
    """Starts, dies and ends as told; its folder holds the artifacts, its log and beat's clock."""

    folder: Path
    environment: dict[str, str] = field(default_factory=dict)
    mark: str = field(default_factory=lambda: uuid.uuid4().hex)
    process: "subprocess.Popen[bytes] | None" = field(init=False, default=None)

    def start(self, *, beat: bool = False) -> None:
        """Start the worker, perhaps with beat inside it; return when it is ready."""
        name = f"{uuid.uuid4().hex[:8]}@here"
        command = [
            *(sys.executable, "-m", "celery", "--quiet", "-A", "winoplatform", "worker"),
            *("--concurrency", "1", "--queues", "light,heavy,dispatch", "--hostname", name),
            *("--without-mingle", "--without-gossip", "--loglevel", "WARNING"),
            *("--include", "tests.jobs.slow"),
            *(["--beat"] if beat else []),
        ]
        with (self.folder / "worker.log").open("ab") as log:
            self.process = subprocess.Popen(
                command,
                cwd=ROOT,
                env=self._environment(),
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )
        wait_until(lambda: self._ready(name), what="the worker is ready")

    def is_alive(self) -> bool:
        return self.process is not None and self.process.poll() is None

    def _environment(self) -> dict[str, str]:
        return {
            **os.environ,
            **ENVIRONMENT,
            "DATABASE_URL": database_url(),
            "REDIS_URL": broker.url(),
            "VAR_DIR": str(self.folder),
            "ENCODER": TINY,
            "RUN_LEASE_SECONDS": "2",
            "RUN_DISPATCH_SECONDS": "1",
            MARK: self.mark,
            **self.environment,
        }

    def _ready(self, name: str) -> bool:
        assert self.is_alive(), (self.folder / "worker.log").read_text()
        return name in (workers_alive.alive() or {})

    @property
    def pid(self) -> int:
        assert self.process is not None
        return self.process.pid

    def child(self) -> psutil.Process:
        """The process of the pool, in which tasks run (without beat it is the only child)."""
        (child,) = psutil.Process(self.pid).children()
        return child

    def kill_all(self) -> None:
        """Kill the worker and all its children at once, as a power cut does."""
        os.killpg(self.pid, signal.SIGKILL)
        self.wait()

    def wait(self, seconds: float | None = None) -> None:
        """Wait until the main process has ended."""
        assert self.process is not None
        self.process.wait(seconds)

    def end(self) -> None:
        """Ask the worker to end; processes left after that are killed."""
        if self.is_alive():
            os.kill(self.pid, signal.SIGTERM)
            try:
                self.wait(15)
            except subprocess.TimeoutExpired:
                self.kill_all()

    def left_behind(self) -> list[psutil.Process]:
        """Processes of this worker that still run."""
        return [process for process in psutil.process_iter() if self._owns(process)]

    def _owns(self, process: psutil.Process) -> bool:
        try:
            return process.environ().get(MARK) == self.mark and process.status() != "zombie"
        except psutil.Error:
            return False
