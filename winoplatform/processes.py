"""Starts the platform's processes, keeps them alive and ends them cleanly."""

import ctypes
import multiprocessing
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from winoplatform.embedded import ServiceError

PATIENCE = 20  # seconds a process gets to end by itself
WATCH_SECONDS = 2.0
ENVIRONMENT = {
    "PYTHONUNBUFFERED": "1",
    # Celery workers end at once when told, and not after the task in hand, which may take hours:
    # a run goes on after its last recorded step anyway.
    "REMAP_SIGTERM": "SIGQUIT",
}
_PR_SET_PDEATHSIG = 1
# The Dockerfile says the same. Eight threads a process: most of a request waits for the database.
# HTTP/1 alone: a connection that may become HTTP/2 can stay silent for ever, and one header may
# have 16 MB there. Headers here come to 64 kB in all.
WEB = [
    *("--interface", "wsgi", "--workers", "2", "--blocking-threads", "8"),
    *("--http", "1", "--http1-buffer-size", "65536"),
    *("--respawn-failed-workers", "--log-level", "error", "winoplatform.web:application"),
]


def end_with_parent(by: signal.Signals = signal.SIGTERM) -> None:
    """Let the kernel end this process when its parent ends, however that happens."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, by)


def die_with_main_process() -> None:
    """Let this process of a pool die with the main process, also where that is dead already.

    By SIGKILL: until a web server's process has set its own handlers, it has those of the main
    process, which would take note of a SIGTERM and go on.
    """
    end_with_parent(by=signal.SIGKILL)
    main = multiprocessing.parent_process()
    if main is not None and os.getppid() != main.pid:
        os.kill(os.getpid(), signal.SIGKILL)


@dataclass
class Supervisor:
    """Runs named commands until told to stop; one that dies is started again.

    Each command has a session of its own, so Ctrl-C reaches the supervisor alone, which ends the
    commands in the reverse order of their start.
    """

    commands: Mapping[str, Sequence[str]]
    say: Callable[[str], None]
    prepare: Callable[[], None] = lambda: None
    """Called once the first command has been started, before the others are."""
    watch: Callable[[], None] = lambda: None
    """Called every two seconds: keeps alive what the commands need and the supervisor did not
    start. A ``ServiceError`` is said, and tried again."""
    processes: dict[str, "subprocess.Popen[str]"] = field(default_factory=dict)
    stopping: bool = False

    def run(self) -> None:
        """Start everything and return once stopped by SIGINT or SIGTERM."""
        first, *others = self.commands
        try:
            self._start(first)
            self.prepare()
            for number in (signal.SIGINT, signal.SIGTERM):
                signal.signal(number, self._stop)
            for name in others:
                self._start(name)
            watched = time.monotonic()
            while not self._stopped_within(0.5):
                if time.monotonic() - watched >= WATCH_SECONDS:
                    self._watch()
                    watched = time.monotonic()
                self._restart_dead()
        finally:
            self._end()

    def _stop(self, *_: object) -> None:
        # A flag and no event: an event's lock may be held by what the signal interrupted.
        self.stopping = True

    def _stopped_within(self, seconds: float) -> bool:
        time.sleep(seconds)
        return self.stopping

    def _watch(self) -> None:
        try:
            self.watch()
        except ServiceError as error:
            self.say(str(error))

    def _start(self, name: str) -> None:
        process = subprocess.Popen(
            self.commands[name],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            stdin=subprocess.DEVNULL,
            text=True,
            start_new_session=True,
            # Were the supervisor killed outright, its children would run on unseen.
            preexec_fn=end_with_parent,
            env={**os.environ, **ENVIRONMENT},
        )
        self.processes[name] = process
        threading.Thread(target=self._relay, args=(name, process), daemon=True).start()

    def _relay(self, name: str, process: "subprocess.Popen[str]") -> None:
        assert process.stdout is not None
        for line in process.stdout:
            self.say(f"{name:<8}| {line.rstrip()}")

    def _restart_dead(self) -> None:
        for name, process in list(self.processes.items()):
            if process.poll() is not None and not self.stopping:
                self.say(f"{name} ended with {process.returncode}; starting it again")
                if not self._stopped_within(1):
                    self._start(name)

    def _end(self) -> None:
        for name in reversed(list(self.processes)):
            process = self.processes[name]
            if process.poll() is None:
                process.terminate()
        deadline = time.monotonic() + PATIENCE
        for name, process in self.processes.items():
            try:
                process.wait(max(0.1, deadline - time.monotonic()))
            except subprocess.TimeoutExpired:
                self.say(f"{name} did not end in time and is killed")
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()


def platform_commands(*, host: str, port: int) -> dict[str, list[str]]:
    """Return the commands of a whole platform on one machine."""
    python = sys.executable
    # Being root is all right on a machine of one's own (the warning comes from celery.platforms).
    celery = [python, "-W", "ignore:::celery.platforms", "-m", "celery", "--quiet"]
    celery += ["-A", "winoplatform"]
    worker = [*celery, "worker", "--loglevel", "WARNING", "--concurrency", "1", "--without-mingle"]
    return {
        "web": [python, "-m", "granian", *WEB, "--host", host, "--port", str(port)],
        "light": [*worker, "--queues", "light,ring", "--hostname", "light@%h"],
        "heavy": [*worker, "--queues", "heavy,dispatch", "--hostname", "heavy@%h"],
        "beat": [*celery, "beat", "--loglevel", "WARNING", "--pidfile="],
    }
