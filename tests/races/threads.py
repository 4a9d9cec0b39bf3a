"""Calls made at the same moment, each from a thread with a connection of its own."""

import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from django.db import connection

SECONDS = 20


def at_once(*calls: Callable[[], Any]) -> list[Any]:
    """Start all calls together; return what each returned or raised."""
    start = threading.Barrier(len(calls))

    def one(call: Callable[[], Any]) -> Any:
        try:
            connection.ensure_connection()
            start.wait()
            return call()
        except Exception as error:
            return error
        finally:
            connection.close()

    with ThreadPoolExecutor(len(calls)) as pool:
        return list(pool.map(one, calls))


class Meeting:
    """One call that holds its locks until another one waits for them, or has an answer."""

    def __init__(self) -> None:
        self.holds, self.answered = threading.Event(), threading.Event()

    def hold(self, *_: object) -> None:
        """Stand in for a step of the first call, in its transaction."""
        self.holds.set()
        end = time.monotonic() + SECONDS
        while not (self.answered.is_set() or _is_waited_for()) and time.monotonic() < end:
            time.sleep(0.01)

    def then(self, call: Callable[[], Any]) -> Any:
        """Make the second call once the first one holds its locks."""
        assert self.holds.wait(SECONDS)
        try:
            return call()
        finally:
            self.answered.set()


def _is_waited_for() -> bool:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT EXISTS (SELECT FROM pg_locks"
            " WHERE NOT granted AND pg_backend_pid() = ANY (pg_blocking_pids(pid)))"
        )
        return bool(cursor.fetchone()[0])
