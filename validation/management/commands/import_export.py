from pathlib import Path
from typing import Any

from django.core.management.base import CommandError, CommandParser

from validation.imports.campaigns import import_export
from winoplatform.db.tables import TablesCommand
from winoplatform.errors import DomainError


class Command(TablesCommand):
    help = (
        "Import the tables that export_campaign or the API has written. "
        "All or nothing; a second run of the same files changes nothing."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("folder", type=Path, help="folder with the files")
        parser.add_argument(
            "--campaign", required=True, metavar="SLUG", help="created and closed if missing"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            done = import_export(folder=options["folder"], slug=options["campaign"])
        except DomainError as error:
            raise CommandError(error.message) from error
        except OSError as error:
            raise CommandError(f"“{error.filename}” cannot be read: {error.strerror}.") from error
        for name, count in done.read.items():
            self.stdout.write(f"{name}: {count:,} read, {done.new[name]:,} new")
        self.stdout.write("The files state who the people are; an import cannot verify it.")
        if warning := done.repeats.warning():
            self.stderr.write(warning, self.style.WARNING)
