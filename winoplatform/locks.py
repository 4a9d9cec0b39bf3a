"""Named locks in the database, released when their connection ends.

No lease has to be renewed, and a process that dies leaves nothing to clean up.
"""

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import connection


@contextmanager
def held(name: str, *, wait: bool = False) -> Iterator[bool]:
    """Hold the lock *name* in a block; yield whether it was acquired (always true with *wait*).

    The lock belongs to the database connection and is lost with it, unnoticed. So it only avoids
    duplicate work; a constraint has to prevent duplicate rows.
    """
    ours = _asked("pg_advisory_lock" if wait else "pg_try_advisory_lock", name) is not False
    try:
        yield ours
    finally:
        if ours:
            _asked("pg_advisory_unlock", name)


def take_turns(name: str) -> None:
    """Wait for the lock *name* and hold it until the transaction ends."""
    _asked("pg_advisory_xact_lock", name)


def _asked(function: str, name: str) -> object:
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT {function}(hashtextextended(%s, 0))", [name])
        return cursor.fetchone()[0]
