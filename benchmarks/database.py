"""A database of the benchmark's own: made, migrated, and destroyed afterwards."""

import os
from collections.abc import Iterator
from contextlib import contextmanager

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "winoplatform.settings")


@contextmanager
def scratch_database() -> Iterator[None]:
    """Set Django up over an empty, migrated database beside the configured one.

    PostgreSQL is the configured one, or the platform's own where none is configured.
    """
    import django

    django.setup()
    from django.conf import settings
    from django.test.utils import get_runner

    from tests.races.processes import become_owner

    become_owner()
    settings.DATABASES["default"]["TEST"]["NAME"] = f"bench_{os.getpid()}"
    runner = get_runner(settings)(interactive=False, verbosity=0)
    before = runner.setup_databases()
    try:
        yield
    finally:
        close_connections()
        runner.teardown_databases(before)


def close_connections() -> None:
    """Close all connections, also those of the pool: a process that is forked would share them."""
    from django.db import connection

    connection.close()
    if hasattr(connection, "close_pool"):
        connection.close_pool()
