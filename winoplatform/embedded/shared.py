"""One server process shared by every command that needs it.

Three files in the server's folder are locked with ``flock``. The kernel drops a lock when the last
process that has it ends, however it ends, so there are no records of dead holders to remove and
no process ids to confuse:

``mutex``
    held while a process starts, joins, leaves or stops the server: one at a time.
``holders``
    shared lock of every command that uses the server. A process that gets it exclusively is the
    only holder. A forked child shares its parent's lock, so neither takes it from the other.
``alive``
    inherited by the keeper, the server and all of its processes. If it is free, all have ended,
    even the last backend of a killed postmaster, and a new server may open the data.
"""

import fcntl
import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Protocol

from winoplatform.embedded import keeper
from winoplatform.embedded.keeper import try_lock
from winoplatform.embedded.system import Account, ServiceError, process_shows, stored_pid

START_SECONDS = 120.0  # crash recovery may take long
MUTEX_SECONDS = START_SECONDS + 90.0  # another command may be starting or stopping the server
START_ATTEMPTS = 3  # the joined server may be ending, or its port may be taken
PAUSE_SECONDS = 0.01
LOG_LINES = 12


class Engine(Protocol):
    """What differs between PostgreSQL and Redis."""

    name: str
    variable: str
    """The environment variable that configures another server instead."""
    mark: str
    """Text in the server's command line that identifies its process."""
    shutdown: tuple[tuple[int, float], ...]
    """Signals that stop the server, the gentlest first, each with the seconds to wait."""

    def account(self) -> Account | None:
        """Return the account the server runs under, None for the current one."""

    def prepare(self) -> None:
        """Create what the server needs; called before every start."""

    def command(self) -> list[str]:
        """Return the command that runs the server in the foreground with its log on stdout."""

    def answers(self) -> bool:
        """Return whether the server is ready for use, completing its set-up if so."""

    def url(self) -> str:
        """Return the address for clients."""

    def tidy(self) -> None:
        """Remove what is outside the folder, after the server has ended."""


class SharedServer:
    """This process's hold on the server in *folder*."""

    def __init__(self, engine: Engine, folder: Path) -> None:
        self.engine = engine
        self.folder = folder
        self._hold: int | None = None
        self._ready: tuple[int, str] | None = None  # the server that answered, and its address

    def hold(self) -> str:
        """Start or join the server and return its URL. May be called repeatedly."""
        # While this process holds the shared lock nothing stops the server, so no mutex is needed.
        if self._hold is not None and self._ready and self._ready[0] == self._pid():
            return self._ready[1]
        try:
            with self._mutex():
                if self._hold is None:
                    self._hold = self._open("holders")
                    fcntl.flock(self._hold, fcntl.LOCK_SH)
                self._make_ready()
                return self.engine.url()
        except OSError as error:
            raise self._error(str(error)) from error

    def release(self) -> None:
        """Release the hold, and stop the server if no other process holds it."""
        if self._hold is None:
            return
        hold, self._hold = self._hold, None
        try:
            with self._mutex():
                # Closed, not unlocked: a forked child may need the lock that it shares.
                os.close(hold)
                hold = -1
                self._stop_if_unheld()
        finally:
            if hold >= 0:
                os.close(hold)

    # -- starting ----------------------------------------------------------------------------------
    def _make_ready(self) -> None:
        deadline = time.monotonic() + START_SECONDS
        self._ready = None
        for _ in range(START_ATTEMPTS):
            if not self._alive():
                self._start()
            if self._wait_for_answer(deadline):
                if pid := self._pid():
                    self._ready = pid, self.engine.url()
                return
        raise self._error("it ended as soon as it was started", log=True)

    def _start(self) -> None:
        self.engine.prepare()
        with suppress(FileNotFoundError):
            (self.folder / "pid").unlink()
        with suppress(FileNotFoundError):
            self._log.replace(self.folder / "server.log.1")
        alive = self._open("alive")
        try:
            try_lock(alive, fcntl.LOCK_EX)
            self._run_keeper(alive)
        finally:
            os.close(alive)

    def _run_keeper(self, alive: int) -> None:
        account = self.engine.account()
        plan = {
            "command": self.engine.command(),
            # No variable of this process may affect the server: PGPORT, LD_LIBRARY_PATH, LC_ALL …
            "environment": {"PATH": os.defpath, "LC_ALL": "C"},
            "account": account.as_user() if account else {},
            "shutdown": self.engine.shutdown,
            "alive": alive,
            **{name: str(self.folder / name) for name in ("mutex", "holders", "pid")},
        }
        with open(os.open(self._log, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600), "ab") as log:
            subprocess.run(
                [sys.executable, "-I", "-S", keeper.__file__, json.dumps(plan)],
                check=True,
                cwd="/",
                pass_fds=[alive],
                start_new_session=True,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
            )

    def _wait_for_answer(self, deadline: float) -> bool:
        while not self.engine.answers():
            if not self._alive():
                return False
            if time.monotonic() > deadline:
                raise self._error(f"it did not answer within {START_SECONDS:.0f} s", log=True)
            time.sleep(PAUSE_SECONDS)
        return True

    # -- stopping ----------------------------------------------------------------------------------
    def _stop_if_unheld(self) -> None:
        holders = self._open("holders")
        try:
            if try_lock(holders, fcntl.LOCK_EX) and self._alive():
                self._stop()
        finally:
            os.close(holders)

    def _stop(self) -> None:
        for number, patience in self.engine.shutdown:
            if self._ended_by(number, patience):
                self.engine.tidy()
                return
        raise self._error("it does not stop", log=True)

    def _ended_by(self, number: int, patience: float) -> bool:
        told, deadline = False, time.monotonic() + patience
        while self._alive():
            if time.monotonic() > deadline:
                return False
            if not told and (pid := self._pid()):
                with suppress(ProcessLookupError):
                    os.kill(pid, number)
                told = True
            time.sleep(PAUSE_SECONDS)
        return True

    # -- checking ----------------------------------------------------------------------------------
    def _alive(self) -> bool:
        """Return whether any process of the server is alive (only under the mutex)."""
        alive = self._open("alive")
        try:
            return not try_lock(alive, fcntl.LOCK_EX)
        finally:
            os.close(alive)

    def _pid(self) -> int | None:
        pid = stored_pid(self.folder / "pid")
        return pid if pid and process_shows(pid, self.engine.mark) else None

    @property
    def _log(self) -> Path:
        return self.folder / "server.log"

    def _open(self, name: str) -> int:
        return os.open(self.folder / name, os.O_RDWR | os.O_CREAT, 0o600)

    @contextmanager
    def _mutex(self) -> Iterator[None]:
        self.folder.mkdir(parents=True, exist_ok=True)
        mutex, deadline = self._open("mutex"), time.monotonic() + MUTEX_SECONDS
        try:
            while not try_lock(mutex, fcntl.LOCK_EX):
                if time.monotonic() > deadline:
                    raise self._error(f"another command has blocked it for {MUTEX_SECONDS:.0f} s")
                time.sleep(PAUSE_SECONDS)
            yield
        finally:
            fcntl.flock(mutex, fcntl.LOCK_UN)
            os.close(mutex)

    def _error(self, reason: str, *, log: bool = False) -> ServiceError:
        engine = self.engine
        message = (
            f"The embedded {engine.name} in {self.folder} cannot be used: {reason}. Fix the cause, "
            f"or set {engine.variable} to a running {engine.name} to use that instead."
        )
        if log and self._log.exists():
            tail = self._log.read_text(errors="replace").splitlines()[-LOG_LINES:]
            message += f"\nThe end of {self._log}:\n" + "\n".join(f"    {line}" for line in tail)
        return ServiceError(message)
