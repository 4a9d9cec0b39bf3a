from typing import Any

from django.conf import settings
from django.core.management.base import CommandError
from django.core.management.commands import migrate
from django.db import OperationalError
from psycopg.errors import LockNotAvailable

from winoplatform.db import locks, tables
from winoplatform.db.roles import RoleError

ONE_ROLE = (
    "One database role does everything here, so it owns the tables and can disable the triggers "
    "that keep the ledger append-only. Name the owner in DATABASE_OWNER_URL, for this command "
    "alone, and another role in DATABASE_URL."
)

# A migration that waits for a table makes all others wait behind it.
LOCK_SECONDS = 10
LOCKED = (
    f"A migration waited {LOCK_SECONDS} seconds for a table that another session uses: a backup, a "
    "program of yours, or processes of the platform where one role does everything. Nothing of "
    "this migration was changed. Let that session end, then run the command again."
)


class Command(migrate.Command):
    help = migrate.Command.help + " As the owner; the processes cannot use the database meanwhile."

    def execute(self, *args: Any, **options: Any) -> str | None:
        # The command's checks ask the database, and the processes' role may not exist yet.
        with tables.as_owner():
            return super().execute(*args, **options)

    def handle(self, *args: Any, **options: Any) -> None:
        if options["plan"] or options["check_unapplied"]:
            super().handle(*args, **options)
            return
        if options["verbosity"] and not settings.DATABASE_OWNER:
            self.stdout.write(ONE_ROLE)
        try:
            # Of several commands one migrates, and the others wait.
            with (
                locks.held("migrate", wait=True),
                tables.without_processes(),
                locks.at_most(LOCK_SECONDS),
            ):
                super().handle(*args, **options)
        except RoleError as error:
            raise CommandError(str(error)) from error
        except OperationalError as error:
            if not isinstance(error.__cause__, LockNotAvailable):
                raise
            raise CommandError(LOCKED) from error
