"""Ends requests that compute too long, and a web process that is blocked.

A request that runs Python for too long gets an exception in its thread. Code that holds the
interpreter's lock, such as one regular expression, cannot be interrupted so: then no thread of the
process runs, this one neither, and a timer outside of Python prints what each thread was doing and
ends the process. The server starts another one.
"""

import ctypes
import faulthandler
import sys
import threading
import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import Any

from django.utils.translation import gettext as _

from winoplatform.errors import DomainError
from winoplatform.http.cookies import Application
from winoplatform.processes.alive import HUNG_SECONDS

CPU_SECONDS = 30.0
"""Of one request's thread: waiting for the database or for a slow client does not count."""
PAUSE_SECONDS = 1.0


class TookTooLong(DomainError):
    """Raised in the thread of a request, by its class alone."""

    def __init__(self) -> None:
        message = _("This took too long and was stopped. Please send less at a time.")
        super().__init__("took_too_long", message, status=503)


class Watchdog:
    """Knows which requests run, and looks at them every second."""

    def __init__(
        self, *, cpu_seconds: float = CPU_SECONDS, hung_seconds: float = HUNG_SECONDS
    ) -> None:
        self.cpu_seconds, self.hung_seconds = cpu_seconds, hung_seconds
        self.running: dict[int, float] = {}  # thread, and its CPU time at the start of the request
        self.lock = threading.Lock()

    def start(self) -> None:
        threading.Thread(target=self._watch, name="watchdog", daemon=True).start()

    def over(self, application: Application) -> Application:
        """Wrap *application*, so that its requests are watched until they answer."""

        def answer(environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
            thread = threading.get_ident()
            with self.lock:
                self.running[thread] = time.thread_time()
            try:
                return application(environ, start_response)
            finally:
                # With the lock: no exception is raised in a thread that has gone on.
                with self.lock:
                    self.running.pop(thread, None)

        return answer

    def _watch(self) -> None:
        while True:
            faulthandler.dump_traceback_later(self.hung_seconds, exit=True, file=sys.stderr)
            time.sleep(PAUSE_SECONDS)
            with self.lock:
                for thread, begun in list(self.running.items()):
                    if _cpu_time(thread) - begun > self.cpu_seconds:
                        # Once: the code that it interrupts has time to clean up.
                        del self.running[thread]
                        _raise_in(thread)


def _cpu_time(thread: int) -> float:
    with suppress(OSError):  # it has just ended
        return time.clock_gettime(time.pthread_getcpuclockid(thread))
    return 0.0


def _raise_in(thread: int) -> None:
    ctypes.pythonapi.PyThreadState_SetAsyncExc(
        ctypes.c_ulong(thread), ctypes.py_object(TookTooLong)
    )
