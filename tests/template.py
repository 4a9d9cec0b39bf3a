"""One migrated database for all processes of the suite, of which each has a copy.

To migrate takes seconds of a core, to copy a fraction of one.
"""

import fcntl
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from django.conf import settings
from django.db import connection


def provide(folder: Path, *, process: str) -> None:
    """Let this process's test database be a copy of the template, which the first one makes.

    The processes find each other in *folder*, which this session of the suite alone has.
    """
    with _alone(folder) as made:
        if not made.exists():
            _make(_name(process))
            made.touch()
    connection.settings_dict["TEST"]["TEMPLATE"] = _name(process)


def remove(folder: Path, *, process: str) -> None:
    """Drop the template; a later process would create it again."""
    with _alone(folder) as made, connection._nodb_cursor() as cursor:
        made.unlink(missing_ok=True)
        cursor.execute(f"DROP DATABASE IF EXISTS {_name(process)}")


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
def _alone(folder: Path) -> Iterator[Path]:
    """Keep the other processes out; give the file that says that the template is there."""
    with (folder / "template.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield folder / "template.made"


def _name(process: str) -> str:
    return connection.creation._get_test_db_name().removesuffix(f"_{process}") + "_template"


def _make(name: str) -> None:
    before, test = connection.settings_dict["NAME"], connection.settings_dict["TEST"]
    own, test["NAME"] = test["NAME"], name
    connection.creation.create_test_db(verbosity=0, autoclobber=True, serialize=False)
    forget_connections()  # PostgreSQL copies no database with open connections
    test["NAME"] = own
    connection.settings_dict["NAME"] = settings.DATABASES["default"]["NAME"] = before
