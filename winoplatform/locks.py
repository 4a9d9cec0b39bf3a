"""Locks by name, of the database: they end with whoever holds them.

There is no lease to renew, and nothing to clean up after a process that dies.
"""

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import connection


@contextmanager
def held(name: str, *, wait: bool = False) -> Iterator[bool]:
    """Hold the lock *name* for a while; yields whether it is ours, which it is after a *wait*.

    The lock is the database connection's. Who loses the connection has lost the lock unawares, so
    it saves double work; that nothing is stored twice is for a constraint to say.
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
