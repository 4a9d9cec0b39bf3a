from pathlib import Path
from typing import Any

from django.core.management.base import CommandError, CommandParser

from corpora.management.exporting import add_base_url, exported
from corpora.models import Release
from winoplatform.db.tables import TablesCommand
from winoplatform.runs.models import RunStatus


class Command(TablesCommand):
    help = "Write the public files of a release to a folder, or as one zip file."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("name", help="name of the release")
        parser.add_argument("target", type=Path, help="a folder, or a path that ends with .zip")
        add_base_url(parser)

    def handle(self, *args: Any, **options: Any) -> None:
        release = Release.objects.filter(name=options["name"], status=RunStatus.DONE).first()
        if release is None:
            raise CommandError(f"There is no finished release “{options['name']}”.")
        for path in exported(release, options["target"], options["base_url"]):
            self.stdout.write(str(path))
