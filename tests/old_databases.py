"""A database as it was before some migrations."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Any

from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from pytest_django import DjangoDbBlocker

from winoplatform.db import versions

OldDatabase = Callable[[list[tuple[str, str]]], AbstractContextManager[Any]]


@contextmanager
def old_database(blocker: DjangoDbBlocker, targets: list[tuple[str, str]]) -> Iterator[Any]:
    """Yield the models as they were, in a database of their own.

    Taking all that came after out of the suite's own one, and putting it back, takes minutes.
    """
    with empty_database(blocker):
        yield migrate(targets)


@contextmanager
def empty_database(blocker: DjangoDbBlocker) -> Iterator[None]:
    """Use a database without any table."""
    name = connection.settings_dict["NAME"]
    drop = f'DROP DATABASE IF EXISTS "{name}_before" WITH (FORCE)'
    with blocker.unblock(), connection._nodb_cursor() as cursor:
        cursor.execute(drop)
        cursor.execute(f'CREATE DATABASE "{name}_before"')
        watching, versions._watching[:] = versions._watching[:], []
        _use(f"{name}_before")
        try:
            yield
        finally:
            _use(name)
            versions._watching[:] = watching
            cursor.execute(drop)


def _use(database: str) -> None:
    """Turn to another database; a pool that is open would keep pointing at the one before."""
    connection.close()
    connection.close_pool()
    connection.settings_dict["NAME"] = database


def migrate(targets: list[tuple[str, str]]) -> Any:
    executor = MigrationExecutor(connection)
    executor.migrate(targets)
    return MigrationExecutor(connection).loader.project_state(targets).apps


def latest(app: str | None = None) -> list[tuple[str, str]]:
    """Name the last migration of an app, or of each."""
    return list(MigrationExecutor(connection).loader.graph.leaf_nodes(app))
