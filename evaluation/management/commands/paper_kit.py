from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from corpora.core.bundle.reading import open_bundle
from evaluation.core.paper_kit import paper_kit


class Command(BaseCommand):
    help = "Write text, tables, figures and checklists for a paper from a release's files alone."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("release", type=Path, help="zip file of a release, or its folder")
        parser.add_argument(
            "--out", type=Path, required=True, metavar="DIR", help="a folder, new or empty"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        out: Path = options["out"]
        if out.exists() and (not out.is_dir() or any(out.iterdir())):
            raise CommandError(f"{out} must be a new or empty folder.")
        try:
            with open_bundle(options["release"]) as bundle:
                files = paper_kit(bundle)
        except (ValueError, OSError, KeyError) as error:
            raise CommandError(f"The release cannot be read: {error}") from error
        for name, content in files.items():
            (out / name).parent.mkdir(parents=True, exist_ok=True)
            (out / name).write_bytes(content)
            self.stdout.write(str(out / name))
