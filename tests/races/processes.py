"""Other Python processes on this process's database: the suite's, or a benchmark's own.

No model is imported here: a new process reads this module before it has set Django up.
"""

import multiprocessing
import os
from concurrent.futures import ProcessPoolExecutor
from urllib.parse import quote, urlencode


def become_owner() -> None:
    """Let this process own the tables, as it makes databases and empties them.

    The processes that it starts keep the role of the platform's processes (`database_url`).
    """
    from django.conf import settings
    from django.db import connection

    connection.close()
    connection.close_pool()
    connection.settings_dict.update(settings.DATABASE_OWNER)


def database_url(*, is_owner: bool = False) -> str:
    """Return the address of the database that this process is connected to, for another one."""
    from django.conf import settings
    from django.db import connection

    connection.ensure_connection()
    found = dict(connection.settings_dict)
    if settings.DATABASE_ROLE and not is_owner:
        found.update(USER=settings.DATABASE_ROLE, PASSWORD=settings.DATABASE_ROLE_PASSWORD)
    login = ":".join(quote(str(found[key]), safe="") for key in ("USER", "PASSWORD") if found[key])
    place = urlencode({"host": found["HOST"] or "", "port": found["PORT"] or 5432})
    return f"postgres://{login}@/{found['NAME']}?{place}"


def _begin(url: str) -> None:
    import django

    os.environ["DATABASE_URL"] = url
    django.setup()


def process_pool(count: int) -> ProcessPoolExecutor:
    """Return a pool of fresh processes (not forks: no connection is shared)."""
    return ProcessPoolExecutor(
        count,
        mp_context=multiprocessing.get_context("spawn"),
        initializer=_begin,
        initargs=(database_url(),),
    )
