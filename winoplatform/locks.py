"""Locks by name that end with whoever holds them."""

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import connection


@contextmanager
def held(name: str) -> Iterator[bool]:
    """Try to hold the lock *name*, without waiting; yields whether it is ours.

    The lock is the database connection's, so it ends with a process that dies: there is no lease
    to renew, and nothing to clean up. Who loses the connection has lost the lock unawares, so it
    saves double work; that nothing is stored twice is for a constraint to say.
    """
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_try_advisory_lock(hashtextextended(%s, 0))", [name])
        ours = cursor.fetchone() == (True,)
    try:
        yield ours
    finally:
        if ours:
            with connection.cursor() as cursor:
                cursor.execute("SELECT pg_advisory_unlock(hashtextextended(%s, 0))", [name])
