"""``manage.py import_winogrande``: published questions into a campaign."""

from typing import Any

from django.core.management.base import CommandParser

from collection.imports.report import printable, render
from collection.imports.winogrande import import_winogrande
from collection.management.commands._importing import add_file_arguments, rejects_to
from collection.models import Twin
from winoplatform.db.tables import TablesCommand
from winoplatform.management.runs import refusals_as_errors


class Command(TablesCommand):
    help = (
        "Import published questions (WinoGrande's columns, plain or gzip; without qID, twins are "
        "found by their text). A second run of the same file changes nothing."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        add_file_arguments(parser)
        parser.add_argument(
            "--campaign",
            default="",
            metavar="SLUG",
            help="The campaign; created and closed if missing. By default the file's name.",
        )

        parser.add_argument(
            "--split",
            default="",
            choices=Twin.SourceSplit.values,
            help="The file's split in its own data set, which releases then keep: with test its "
            "labels stay secret. By default the platform draws the splits.",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        path = options["path"]
        with (
            refusals_as_errors(),
            rejects_to(options["rejects"], source=path) as on_reject,
        ):
            report = import_winogrande(
                path=path,
                slug=options["campaign"],
                split=options["split"],
                on_reject=on_reject,
            )
        self.stdout.write(render(report))
        if warning := report.repeats.warning():
            self.stderr.write(warning, self.style.WARNING)
        if options["rejects"]:
            self.stdout.write(f"All rejected lines: {printable(str(options['rejects']))}")
