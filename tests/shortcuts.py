"""What the suite does in a quicker way than Django, with the same outcome.

A test whose rows are stored for good leaves a few tables to be emptied, not all of them; passwords
are hashed quickly; and answers that a test does not read to their end hold no place of a pool.
"""

import os
import time
from functools import cache

from django.apps import apps
from django.conf import settings
from django.db import ProgrammingError, connection, transaction
from django.test import TransactionTestCase
from django.test.testcases import LiveServerThread

from tests.serving import PATIENCE, FinishingServer, finish_requests
from winoplatform.processes import pools

STORED_BY_MIGRATING = {"django_content_type", "auth_permission"}
_flush = TransactionTestCase._fixture_teardown


def take() -> None:
    """Take the shortcuts in this process."""
    TransactionTestCase._fixture_teardown = _empty_tables  # type: ignore[method-assign]
    LiveServerThread.server_class = FinishingServer
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    pools.DOWNLOADS = pools.Pool(10_000)
    # What is killed here is a process, never the machine: nothing has to reach the disk.
    os.fsync = lambda _: None


@cache
def _tables() -> frozenset[str]:
    models = apps.get_models(include_auto_created=True)
    return frozenset(m._meta.db_table for m in models if m._meta.managed) - STORED_BY_MIGRATING


def _empty_tables(case: TransactionTestCase) -> None:
    """Wait for others first, who would lock rows meanwhile or store some for the next test."""
    finish_requests()
    finish_transactions()
    if not emptied():
        _flush(case)


def finish_transactions() -> None:
    """Wait for the other sessions of this database: those of a process that was killed go on.

    Raises TimeoutError where one is in a transaction after `PATIENCE` seconds.
    """
    end = time.monotonic() + PATIENCE
    while others := _in_transactions():
        if time.monotonic() > end:
            raise TimeoutError(f"Others still hold transactions of the test's database: {others}")
        time.sleep(0.01)


def _in_transactions() -> list[tuple[object, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT pid, state, query FROM pg_stat_activity WHERE datname = current_database()"
            " AND pid <> pg_backend_pid() AND backend_type = 'client backend'"
            " AND xact_start IS NOT NULL"
        )
        return cursor.fetchall()


def emptied() -> bool:
    """Delete the rows there are; a TRUNCATE creates the files of every table and index again.

    References and the triggers of what is append-only look away meanwhile, which a database
    lets its superuser do; False for any other account, which has to flush as Django does.
    """
    used = " UNION ALL ".join(f"SELECT '{t}' WHERE EXISTS (SELECT FROM {t})" for t in _tables())
    try:
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute("SET LOCAL session_replication_role = replica")
            cursor.execute(used)
            for (table,) in cursor.fetchall():
                cursor.execute(f"DELETE FROM {table}")
    except ProgrammingError:
        return False
    return True
