"""A process refuses a database that another version of the platform has migrated.

An older process reads some columns otherwise and cannot write new rows; a newer one misses columns.
What counts is which migrations the database has recorded. A process looks when it opens a session,
and migrating ends every session, so nothing is asked during requests.
"""

import logging
import time
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

from django.apps import apps
from django.conf import settings
from django.db import OperationalError, connection
from django.db.backends.base.base import NO_DB_ALIAS, BaseDatabaseWrapper
from psycopg.errors import UndefinedTable

from winoplatform.processes import alive

log = logging.getLogger(__name__)
PAUSE = 5.0  # seconds between two looks of a process that waits
_watching: list[Callable[[], Any]] = []


class OtherVersion(OperationalError):
    """The database is of another version of the platform; the message is a full sentence."""


def watch(then: Callable[[], Any] = lambda: None) -> None:
    """Let this process check each session that it opens from now on; *then* on a refusal."""
    _watching[:] = [then]


def check_new(session: BaseDatabaseWrapper) -> None:
    """Check a session that was just opened, in a process that watches; close a refused one.

    Raises
    ------
    OtherVersion
        If the database is of another version.
    """
    if session.alias == NO_DB_ALIAS:
        return  # Django's session to create or drop a database
    for then in _watching:
        try:
            check(session)
        except OtherVersion as error:
            session.close()
            log.error("%s", error)
            then()
            raise


def check(session: BaseDatabaseWrapper) -> None:
    """Compare the migrations of the database with those of this version.

    Raises
    ------
    OtherVersion
        If the database has others, or lacks some.
    """
    session.ensure_connection()
    there, ours = recorded(session), own_migrations()
    if unknown := there - ours:
        raise OtherVersion(
            f"The database is of a newer version of WinoPlatform: {len(unknown)} of its migrations "
            f"are unknown here ({min(unknown)} first). This process does nothing until it is "
            "replaced by one of that version."
        )
    if missing := ours - there:
        raise OtherVersion(
            f"The database lacks {len(missing)} migrations of this version ({min(missing)} first). "
            "This process does nothing until they are there: python manage.py migrate"
        )


def wait() -> None:
    """Return when the database is of this version; say once why this process waits.

    Also if the database cannot be reached: its tasks will say so.
    """
    last_message = ""
    while difference := _difference():
        alive.mark()
        if difference != last_message:
            log.error("%s", difference)
        last_message = difference
        time.sleep(PAUSE)


@cache
def own_migrations() -> frozenset[str]:
    """Return the migrations of this version's own apps, by their files: nothing is imported."""
    return frozenset(
        f"{label}.{path.stem}"
        for label, folder in own_apps().items()
        for path in (folder / "migrations").glob("[0-9]*.py")
    )


def own_apps() -> dict[str, Path]:
    """Return the folders of the platform's own apps by label."""
    folders = {app.label: Path(app.path) for app in apps.get_app_configs()}
    return {label: path for label, path in folders.items() if path.parent == settings.BASE_DIR}


def recorded(session: BaseDatabaseWrapper) -> set[str]:
    """Return the migrations of the platform's own apps that the database has recorded."""
    query = "SELECT app || '.' || name FROM django_migrations WHERE app = ANY (%s)"
    try:
        # Not by Django's cursor, which would open the session that is being opened.
        result = session.connection.execute(query, [[*own_apps()]])
    except UndefinedTable:
        return set()
    return {name for (name,) in result}


def _difference() -> str:
    try:
        check(connection)
    except OtherVersion as error:
        return str(error)
    except OperationalError:
        return ""
    finally:
        # A process that forks later must not share them.
        connection.close()
        connection.close_pool()  # type: ignore[attr-defined]
    return ""
