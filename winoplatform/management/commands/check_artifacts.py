from pathlib import Path
from typing import Any

from django.core.management.base import CommandError, CommandParser

from winoplatform.artifacts import checking
from winoplatform.db.tables import TablesCommand


class Command(TablesCommand):
    help = (
        "Compare the rows of artifacts with the files of the store and their hashes. The exit "
        "status is 1 if a file that a row refers to is missing or damaged."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--sizes", action="store_true", help="compare sizes alone, without reading the files"
        )
        parser.add_argument(
            "--repair-from",
            type=Path,
            nargs="*",
            metavar="FOLDER",
            help="store missing and damaged files again, from these folders of artifacts (of a "
            "backup, or the one used before a bucket), each checked",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        found = checking.check_artifacts(
            by_size=options["sizes"], folders=options["repair_from"] or []
        )
        self.stdout.write(
            f"{found.checked} artifacts checked, {len(found.repaired)} stored again. "
            f"{found.without_row} files have no row."
        )
        for sha256 in found.missing:
            self.stdout.write(f"missing: {sha256}")
        for sha256 in found.damaged:
            self.stdout.write(f"damaged: {sha256}")
        if found.missing or found.damaged:
            raise CommandError(
                "Files are missing or damaged. Name folders that may have them: --repair-from."
            )
