from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from evaluation.core.verify import Outcome, open_bundle, verify

MARKS = {Outcome.OK: "ok", Outcome.WRONG: "WRONG", Outcome.UNCHECKED: "not checked"}


class Command(BaseCommand):
    help = "Check a release from its files alone; no database is needed."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("release", type=Path, help="zip file of a release, or its folder")
        parser.add_argument(
            "--opened",
            type=Path,
            metavar="FOLDER",
            help="the curators' files, as export_opening writes them",
        )
        parser.add_argument(
            "--text",
            type=Path,
            metavar="FILE",
            help="the methods section of a paper kit (.tex or Markdown), also with other words",
        )
        parser.add_argument(
            "--sha256", metavar="HASH", help="the release's published hash, that of SHA256SUMS"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        n_wrong = n_ok = 0
        try:
            with open_bundle(options["release"]) as bundle:
                if options["sha256"] and bundle.sha256("SHA256SUMS") != options["sha256"].lower():
                    n_wrong += 1
                    self.stdout.write("WRONG  SHA256SUMS: it is not the release with this hash")
                for check in verify(bundle, opened=options["opened"], text=options["text"]):
                    n_wrong += check.outcome is Outcome.WRONG
                    n_ok += check.outcome is Outcome.OK
                    if check.outcome is not Outcome.OK or options["verbosity"] > 1:
                        mark = MARKS[check.outcome]
                        self.stdout.write(f"{mark:<11}  {check.place}: {check.sentence}")
        except (ValueError, OSError, KeyError) as error:
            raise CommandError(f"The release cannot be read: {error}") from error
        self.stdout.write(f"{n_ok:,} checks are in order (--verbosity 2 lists them).")
        if n_wrong:
            raise CommandError(f"{n_wrong:,} things are wrong.")
        self.stdout.write("Everything that can be recomputed is as the release says.")
