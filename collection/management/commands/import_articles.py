"""``manage.py import_articles``: how-to articles into a campaign."""

from typing import Any

from django.core.management.base import CommandError, CommandParser

from collection.imports.articles import import_article_files
from collection.imports.report import printable, render
from collection.management.commands._importing import add_file_arguments, rejects_to
from collection.models import Campaign
from winoplatform.db.tables import TablesCommand


class Command(TablesCommand):
    help = (
        "Import articles and find their anchors: from a file (JSON lines, or CSV with a header; "
        "title, text, optional source_id and category), or a folder of such files and of text "
        "files with one article each and the title in the first line. After an interruption, "
        "repeat the command: it continues and duplicates nothing."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        add_file_arguments(parser)
        parser.add_argument(
            "--campaign", required=True, metavar="SLUG", help="The campaign to import into."
        )

    def handle(self, *args: Any, **options: Any) -> None:
        campaign = Campaign.objects.filter(slug=options["campaign"]).first()
        if campaign is None:
            raise CommandError(
                f"There is no campaign “{options['campaign']}”; make it first, or check its slug."
            )
        with rejects_to(options["rejects"], source=options["path"]) as on_reject:
            report = import_article_files(
                campaign=campaign,
                path=options["path"],
                on_reject=on_reject,
                progress=self._say,
            )
        self.stdout.write(render(report))
        if options["rejects"]:
            self.stdout.write(f"All rejected lines: {printable(str(options['rejects']))}")

    def _say(self, lines: int, imported: int) -> None:
        self.stderr.write(f"{lines:,} read, {imported:,} imported …")
