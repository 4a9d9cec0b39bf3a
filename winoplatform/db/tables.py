"""Check that the database has the tables of this version, and create them as their owner."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.recorder import MigrationRecorder

from winoplatform.db import roles, versions
from winoplatform.errors import disk_full


class TablesCommand(BaseCommand):
    """A command that needs the tables of this version of the platform.

    On the embedded PostgreSQL it runs missing migrations first; on a PostgreSQL that an operator
    runs, where a migration may need a backup or a quiet hour, it prints the command to run.
    """

    requires_migrations_checks = True

    def execute(self, *args: Any, **options: Any) -> str | None:
        try:
            return super().execute(*args, **options)
        except Exception as error:
            if (full := disk_full(error)) is None:
                raise
            raise CommandError(full.message) from error

    def check_migrations(self) -> None:
        """Migrate or refuse, where Django's own commands only warn."""
        provide_tables()


def provide_tables() -> None:
    """Migrate the embedded database; refuse to use any other that is not up to date.

    Raises
    ------
    CommandError
        With the command that updates the database, or what to do if it cannot be updated.
    """
    missing = missing_migrations()
    if not missing:
        return
    if owns_database():
        migrate()
        return
    raise CommandError(
        f"The database “{connection.settings_dict['NAME']}” lacks {len(missing)} migrations of "
        f"this version ({missing[0]} first), so its tables are missing or out of date. "
        "Run this once, then the command again: python manage.py migrate"
    )


def missing_migrations() -> list[str]:
    """Return the names of the migrations not yet applied, in the order in which they apply.

    Raises
    ------
    CommandError
        When the database has migrations that this version does not have.
    """
    with as_owner():
        executor = MigrationExecutor(connection)
    ours = versions.own_apps()
    applied = {key for key in executor.loader.applied_migrations if key[0] in ours}
    if unknown := applied - executor.loader.disk_migrations.keys():
        raise CommandError(_other_version(len(unknown)))
    plan = executor.migration_plan(executor.loader.graph.leaf_nodes())
    return [f"{migration.app_label}.{migration.name}" for migration, _ in plan]


def _other_version(unknown: int) -> str:
    of_version = f"is of another version of WinoPlatform ({unknown} migrations are unknown here)"
    if owns_database():
        return (
            f"The database in {settings.VAR_DIR} {of_version}. Move that folder away, or set "
            "VAR_DIR to another one, to start with an empty database."
        )
    return (
        f"The database “{connection.settings_dict['NAME']}” {of_version}. Set DATABASE_URL to an "
        "empty database, or install the version that it belongs to."
    )


def migrate() -> None:
    """Bring the database up to date."""
    call_command("migrate", verbosity=0, interactive=False)


def owns_database() -> bool:
    """Return whether the platform runs the PostgreSQL server itself."""
    return bool(settings.DATABASES["default"]["ENGINE"] == "winoplatform.embedded.backend")


@contextmanager
def as_owner() -> Iterator[None]:
    """Connect as the owner of the tables in a block, if the processes have a role of their own."""
    found = connection.settings_dict
    before = {name: found[name] for name in settings.DATABASE_OWNER}
    if not settings.DATABASE_OWNER or found["USER"] == settings.DATABASE_OWNER["USER"]:
        yield
        return
    _connect_with(settings.DATABASE_OWNER)
    try:
        yield
    finally:
        _connect_with(before)


@contextmanager
def without_processes() -> Iterator[None]:
    """Let no process use the database in a block, and grant them what there is after it.

    Nobody is locked out of a database that is empty or up to date.

    Raises
    ------
    RoleError
        If the role of the processes cannot be used.
    """
    role = settings.DATABASE_ROLE
    if not role:
        yield
        return
    connection.ensure_connection()
    session: Any = connection.connection
    roles.provide(session, role, settings.DATABASE_ROLE_PASSWORD)
    if MigrationRecorder(connection).applied_migrations() and missing_migrations():
        with roles.locked_out(session, role):
            yield
    else:
        yield
    roles.grant(session, role)


def _connect_with(values: dict[str, Any]) -> None:
    """Turn to another role; a pool that is open would keep using the one before."""
    connection.close()
    connection.close_pool()  # type: ignore[attr-defined]
    connection.settings_dict.update(values)
