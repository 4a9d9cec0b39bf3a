"""One migrated database for all processes of the suite, of which each has a copy.

To migrate takes many seconds of a core, to copy a fraction of one: so it stays for the next
session of the suite, until a migration is another one.
"""

import fcntl
import hashlib
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import django
from django.apps import apps
from django.conf import settings
from django.db import connection

from winoplatform.db import tables


def provide() -> None:
    """Let this process's test database be a copy of the template, which the first one makes."""
    name = f"{_name()}_{_digest()}"
    with _alone():
        if name not in (known := _templates()):
            _drop(*known)
            _make(f"{name}_new")
            _run(f"ALTER DATABASE {name}_new RENAME TO {name}")
    connection.settings_dict["TEST"]["TEMPLATE"] = name


def end_sessions() -> None:
    """End every session of this process's test database, those of the pool first."""
    forget_connections()
    with connection._nodb_cursor() as cursor:
        cursor.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = %s",
            [connection.settings_dict["NAME"]],
        )


def forget_connections() -> None:
    """Close the pool too: one that is open keeps pointing at the database it was opened for."""
    connection.close()
    connection.close_pool()


@contextmanager
def _alone() -> Iterator[None]:
    """Keep the other processes of this checkout out; those of others have other databases."""
    with (settings.VAR_DIR / "template.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def _digest() -> str:
    """Of all that makes the template what it is."""
    folders = [Path(app.path) / "migrations" for app in apps.get_app_configs()]
    files = [Path(tables.__file__).parent, *folders]
    found = hashlib.sha256(f"{settings.DATABASE_ROLE} {django.__version__}".encode())
    for file in sorted(file for folder in files for file in folder.glob("*.py")):
        found.update(file.read_bytes())
    return found.hexdigest()[:12]


def _templates() -> list[str]:
    """Name those there are, one that was never finished too."""
    with connection._nodb_cursor() as cursor:
        cursor.execute("SELECT datname FROM pg_database WHERE starts_with(datname, %s)", [_name()])
        return [name for (name,) in cursor.fetchall()]


def _drop(*names: str) -> None:
    for name in names:
        _run(f"DROP DATABASE IF EXISTS {name}")


def _run(statement: str) -> None:
    with connection._nodb_cursor() as cursor:
        cursor.execute(statement)


def _name() -> str:
    process = os.environ.get("PYTEST_XDIST_WORKER", "")
    return connection.creation._get_test_db_name().removesuffix(f"_{process}") + "_template"


def _make(name: str) -> None:
    before, test = connection.settings_dict["NAME"], connection.settings_dict["TEST"]
    own, test["NAME"] = test["NAME"], name
    connection.creation.create_test_db(verbosity=0, autoclobber=True, serialize=False)
    forget_connections()  # PostgreSQL copies no database with open connections
    test["NAME"] = own
    connection.settings_dict["NAME"] = settings.DATABASES["default"]["NAME"] = before
