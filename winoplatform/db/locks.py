"""Named locks in the database, released when their connection ends.

No lease has to be renewed, and a process that dies leaves nothing to clean up.
"""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TypeVar

from django.db import connection

T = TypeVar("T")
PAUSE_SECONDS = 0.2


@contextmanager
def held(name: str, *, wait: bool = False) -> Iterator[bool]:
    """Hold the lock *name* in a block; yield whether it was acquired (always true with *wait*).

    The lock belongs to the database connection and is lost with it, unnoticed. So it only avoids
    duplicate work; a constraint has to prevent duplicate rows.
    """
    ours = _call("pg_advisory_lock" if wait else "pg_try_advisory_lock", name) is not False
    try:
        yield ours
    finally:
        if ours:
            _call("pg_advisory_unlock", name)


def once(
    name: str, *, found: Callable[[], T | None], make: Callable[[], T], seconds: float
) -> T | None:
    """Return what *found* finds, else what *make* makes; of several processes, one makes it.

    None when another process has been making it for so many *seconds*. The wait is no statement of
    the database, which a web process would cancel.
    """
    until = time.monotonic() + seconds
    while (value := found()) is None:
        with held(name) as ours:
            if ours:
                # Looked up again: another process may have made it before the lock was ours.
                again = found()
                return make() if again is None else again
        if time.monotonic() >= until:
            return None
        time.sleep(PAUSE_SECONDS)
    return value


@contextmanager
def at_most(seconds: int) -> Iterator[None]:
    """Let no statement of this session wait longer for a lock of a table in a block."""
    _limit(f"{seconds}s")
    try:
        yield
    finally:
        _limit("0")


def _limit(value: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT set_config('lock_timeout', %s, false)", [value])


def take_turns(name: str) -> None:
    """Wait for the lock *name* and hold it until the transaction ends."""
    _call("pg_advisory_xact_lock", name)


def shares(name: str) -> bool:
    """Share the lock *name* until the transaction ends; False if somebody holds it alone."""
    return _call("pg_try_advisory_xact_lock_shared", name) is not False


def _call(function: str, name: str) -> object:
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT {function}(hashtextextended(%s, 0))", [name])
        return cursor.fetchone()[0]
