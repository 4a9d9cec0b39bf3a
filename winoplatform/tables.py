"""Check that the database has the tables of this version, and create them."""

from pathlib import Path
from typing import Any

from django.apps import apps
from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError
from django.db import connection
from django.db.migrations.executor import MigrationExecutor

from winoplatform import locks
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
    executor = MigrationExecutor(connection)
    configs = apps.get_app_configs()
    ours = {app.label for app in configs if Path(app.path).parent == settings.BASE_DIR}
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
    """Bring the database up to date; of several processes one migrates and the others wait."""
    with locks.held("migrate", wait=True):
        call_command("migrate", verbosity=0, interactive=False)


def owns_database() -> bool:
    """Return whether the platform runs the PostgreSQL server itself."""
    return bool(settings.DATABASES["default"]["ENGINE"] == "winoplatform.embedded.backend")
