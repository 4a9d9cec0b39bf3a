"""The parent's side: starts the child, waits no longer than it may, and kills it."""

import json
import logging
import os
import selectors
import subprocess
import sys
import threading
import time
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Self

from knowledge.core.answers import Answer, Limit, Verdict, truths_of

log = logging.getLogger(__name__)

CHILD = Path(__file__).with_name("child.py")
START_SECONDS = 30.0  # importing Z3 on a busy machine
VERDICTS = {"unsat": Verdict.PROVED, "sat": Verdict.REFUTED}


class ProverMissing(RuntimeError):
    """The child process cannot be started."""


class _Late(Exception):
    """The child did not reply in time."""


class _Died(Exception):
    """The child ended without a reply."""


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits of one proof.

    Parameters
    ----------
    steps
        Z3's ``rlimit``: it counts alike on every machine.
    milliseconds
        Z3's own ``timeout``.
    megabytes
        Z3's memory.
    kill_seconds
        After which the parent kills the child.
    session_seconds
        Of all claims of a session that follow one another; the claims after that are not asked.
    alarm_seconds
        After which the child ends itself, if no parent is there to kill it.
    """

    steps: int = 2_000_000
    milliseconds: int = 3_000
    megabytes: int = 512
    kill_seconds: int = 5
    session_seconds: int = 10
    alarm_seconds: int = 6


class Prover:
    """A child process that answers one claim after another; a dead one is replaced.

    One proof at a time: other threads wait. A process that was forked from the one that started
    the child starts its own.
    """

    def __init__(self, limits: Limits = Limits()) -> None:
        self.limits = limits
        self.version = ""
        self._lock = threading.Lock()
        self._child: subprocess.Popen[bytes] | None = None
        self._pid = 0
        self._unread = b""
        self._session = ""
        self._session_ends = 0.0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __call__(self, script: str, *, probes: int = 0, session: str = "") -> Answer:
        """Prove or refute the claim of a script; raises ``ProverMissing``.

        Proofs of one session, if it is not empty, are faster one after another.
        """
        with self._lock:
            self._start()
            if self._is_over(session):
                return Answer(Verdict.UNDECIDED, Limit.SESSION)
            try:
                request = {"script": script, "probes": probes, "session": session}
                answer = _answer(self._ask(request))
            except _Late:
                log.warning("The prover heeded no limit; its process was killed.")
                self._end()
                return Answer(Verdict.UNDECIDED, Limit.KILLED)
            except _Died:
                log.warning("The prover's process died with code %s.", self._end())
                return Answer(Verdict.UNDECIDED, Limit.DIED)
            if answer.limit is not None:
                # Z3 keeps memory after a limit, and has crashed in the proof after one.
                self._end()
            return answer

    def _is_over(self, session: str) -> bool:
        """Return whether a session has had its time; a new one begins."""
        if not session or session != self._session:
            self._session = session
            self._session_ends = time.monotonic() + self.limits.session_seconds
        return time.monotonic() > self._session_ends

    def start(self) -> None:
        """Start the child, so that the first proof does not wait for it."""
        with self._lock:
            self._start()

    def close(self) -> None:
        """End the child."""
        with self._lock:
            self._end()

    @property
    def pid(self) -> int | None:
        """The child's process id; None if none is alive."""
        return self._child.pid if self._is_alive() and self._child else None

    def _is_alive(self) -> bool:
        return self._child is not None and self._pid == os.getpid() and self._child.poll() is None

    def _start(self) -> None:
        if self._is_alive():
            return
        self._end()
        argument = json.dumps(asdict(self.limits))
        self._child = subprocess.Popen(
            [sys.executable, "-I", str(CHILD), argument],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            bufsize=0,
            start_new_session=True,  # Ctrl-C is for the parent
        )
        self._pid = os.getpid()
        try:
            self.version = str(self._reply(time.monotonic() + START_SECONDS)["version"])
        except (_Late, _Died) as error:
            code = self._end()
            raise ProverMissing(f"The prover cannot be started (exit code {code}).") from error

    def _end(self) -> int | None:
        """End the child and return its exit code; a parent's child is not this process's to end."""
        child, self._child, self._unread = self._child, None, b""
        if child is None:
            return None
        if self._pid == os.getpid():
            child.kill()
            child.wait()
        for pipe in (child.stdin, child.stdout):
            if pipe is not None:
                pipe.close()
        return child.returncode

    def _ask(self, request: dict[str, Any]) -> dict[str, Any]:
        line = json.dumps(request).encode() + b"\n"
        try:
            self._write(line)
        except BrokenPipeError:  # it died while it waited, so not of this claim
            self._end()
            self._start()
            self._write(line)
        return self._reply(time.monotonic() + self.limits.kill_seconds)

    def _write(self, line: bytes) -> None:
        assert self._child is not None
        assert self._child.stdin is not None
        rest = memoryview(line)
        while rest:  # a signal can interrupt a write
            rest = rest[self._child.stdin.write(rest) :]

    def _reply(self, deadline: float) -> dict[str, Any]:
        """Read one line of the child, waiting until *deadline* on the monotonic clock."""
        assert self._child is not None
        assert self._child.stdout is not None
        pipe = self._child.stdout.fileno()
        with selectors.DefaultSelector() as selector:
            selector.register(pipe, selectors.EVENT_READ)
            while b"\n" not in self._unread:
                if not selector.select(max(0.0, deadline - time.monotonic())):
                    raise _Late
                read = os.read(pipe, 1 << 16)
                if not read:
                    raise _Died
                self._unread += read
        line, _, self._unread = self._unread.partition(b"\n")
        reply: dict[str, Any] = json.loads(line)
        return reply


def _answer(reply: dict[str, Any]) -> Answer:
    verdict = VERDICTS.get(reply["answer"], Verdict.UNDECIDED)
    if verdict is not Verdict.UNDECIDED:
        return Answer(verdict, None, truths_of(reply["truths"]), bool(reply["others"]))
    if reply["limit"] not in Limit.__members__.values():
        # A script of this platform that Z3 cannot read is a fault of the platform.
        raise RuntimeError(f"The prover refused a script: {reply['limit']}")
    return Answer(verdict, Limit(reply["limit"]))
