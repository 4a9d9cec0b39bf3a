"""Start the platform's processes, restart those that die or hang, and stop them cleanly."""

import ctypes
import gc
import multiprocessing
import os
import signal
import socket
import stat
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from django.conf import settings

from winoplatform.embedded import ServiceError
from winoplatform.processes.alive import Watch

PATIENCE = 20  # seconds a process gets to end after SIGTERM
WATCH_SECONDS = 2.0
ENVIRONMENT = {
    "PYTHONUNBUFFERED": "1",
    # Celery workers end at once on SIGTERM, not after their current task, which may take hours:
    # a run continues after its last recorded step anyway.
    "REMAP_SIGTERM": "SIGQUIT",
}
_PR_SET_PDEATHSIG = 1
YEAR = 31_536_000  # seconds: a file's name changes with its content
# The Dockerfile has the same options. Eight threads per process: most of a request waits for the
# database. HTTP/1 only: a connection that may become HTTP/2 can stay silent without a timeout, and
# a header may have 16 MB there. Here all headers together may have 64 kB.
WEB = [
    *("--interface", "wsgi", "--workers", "2", "--blocking-threads", "8"),
    *("--http", "1", "--http1-buffer-size", "65536"),
    *("--respawn-failed-workers", "--log-level", "error", "winoplatform.http.web:application"),
]


def end_with_parent(by: signal.Signals = signal.SIGTERM) -> None:
    """Have the kernel end this process when its parent ends, for whatever reason."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, by)


def die_with_main_process() -> None:
    """End this pool process with the main process, also if that has ended already.

    By SIGKILL: until a web server's process has set its own signal handlers, it uses those of the
    main process, which would only record a SIGTERM. So that one which is told to stop while it
    loads the application does so, its handler of SIGTERM is the usual one until then.
    """
    end_with_parent(by=signal.SIGKILL)
    main = multiprocessing.parent_process()
    if main is None:
        return
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    if os.getppid() != main.pid:
        os.kill(os.getpid(), signal.SIGKILL)


def limit_sending(seconds: int) -> None:
    """Have the kernel break the connection of a client that takes nothing for *seconds*.

    A thread that sends a long answer would otherwise wait without end. The server opens its socket
    after it has loaded the application, so a thread waits for that.
    """
    if sys.platform == "linux":
        threading.Thread(target=_limit_sending, args=(seconds,), daemon=True).start()


def _limit_sending(seconds: int) -> None:
    while not (listening := list(_listening())):
        time.sleep(0.1)
    for listener in listening:
        with listener:  # a duplicate; accepted connections inherit what is set here
            listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, 1_000 * seconds)


def _listening() -> Iterator[socket.socket]:
    """Yield the TCP sockets of this process that listen."""
    for entry in os.listdir("/proc/self/fd"):
        with suppress(OSError):  # closed meanwhile
            if not stat.S_ISSOCK(os.stat(int(entry)).st_mode):
                continue
            listener = socket.socket(fileno=os.dup(int(entry)))
            is_tcp = listener.family in (socket.AF_INET, socket.AF_INET6)
            if is_tcp and listener.getsockopt(socket.SOL_SOCKET, socket.SO_ACCEPTCONN):
                yield listener
            else:
                listener.close()


def exempt_loaded_code() -> None:
    """Let the garbage collector pass over all that is loaded now, and run it less often.

    Loaded modules stay in memory; a full collection, which may fall into any request, would scan
    them for a fifth of a second. Requests leave little that reference counting does not free.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 20)


@dataclass
class Supervisor:
    """Run named commands until stopped, and restart those that die or hang.

    Each command has its own session, so Ctrl-C reaches only the supervisor, which stops the
    commands in reverse order of their start.
    """

    commands: Mapping[str, Sequence[str]]
    say: Callable[[str], None]
    prepare: Callable[[], None] = lambda: None
    """Called after the first command has started, before the others start."""
    watch: Callable[[], None] = lambda: None
    """Called every two seconds to restart services that the commands need but the supervisor did
    not start. A ``ServiceError`` is printed, and the call is repeated later."""
    alive: Path | None = None
    """The folder where commands may show that they work; see `winoplatform.processes.alive`."""
    processes: dict[str, "subprocess.Popen[str]"] = field(default_factory=dict)
    watches: dict[str, Watch] = field(default_factory=dict)
    stopping: bool = False

    def run(self) -> None:
        """Start all commands and return when stopped by SIGINT or SIGTERM."""
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
                self._end_hung()
                self._restart_dead()
        finally:
            self._end()

    def _stop(self, *_: object) -> None:
        # A flag, not an event: the code that the signal interrupted may hold the event's lock.
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
            # If the supervisor is killed, its children must not keep running.
            preexec_fn=end_with_parent,
            env={**os.environ, **ENVIRONMENT, **self._alive_file(name)},
        )
        self.processes[name] = process
        threading.Thread(target=self._relay, args=(name, process), daemon=True).start()

    def _alive_file(self, name: str) -> dict[str, str]:
        if self.alive is None:
            return {}
        self.alive.mkdir(parents=True, exist_ok=True, mode=0o700)
        self.watches[name] = Watch(self.alive / name)
        self.watches[name].path.unlink(missing_ok=True)  # of an earlier process
        return {"ALIVE_FILE": str(self.watches[name].path)}

    def _relay(self, name: str, process: "subprocess.Popen[str]") -> None:
        assert process.stdout is not None
        for line in process.stdout:
            self.say(f"{name:<8}| {line.rstrip()}")

    def _end_hung(self) -> None:
        for name, watch in self.watches.items():
            process = self.processes[name]
            if process.poll() is None and watch.is_hung():
                self.say(f"{name} shows no sign of life and is killed")
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()

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
    """Return the commands that run the whole platform on one machine."""
    python = sys.executable
    # Running as root is fine on a personal machine (the warning comes from celery.platforms).
    celery = [python, "-W", "ignore:::celery.platforms", "-m", "celery", "--quiet"]
    celery += ["-A", "winoplatform"]
    static = Path(settings.STATIC_ROOT)
    static.mkdir(parents=True, exist_ok=True)  # else the server does not start
    worker = [*celery, "worker", "--loglevel", "WARNING", "--concurrency", "1", "--without-mingle"]
    return {
        "web": [
            *(python, "-m", "granian", *WEB, "--host", host, "--port", str(port)),
            *("--static-path-mount", str(static), "--static-path-expires", str(YEAR)),
        ],
        "light": [*worker, "--queues", "light,dispatch", "--hostname", "light@%h"],
        "heavy": [*worker, "--queues", "heavy,dispatch", "--hostname", "heavy@%h"],
        "beat": [*celery, "beat", "--loglevel", "WARNING", "--pidfile="],
    }
