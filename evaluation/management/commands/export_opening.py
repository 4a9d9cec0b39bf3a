from pathlib import Path
from typing import Any

from django.core.management.base import CommandError, CommandParser

from corpora.models import Release
from evaluation.exports.opening import write_opening
from winoplatform.db.tables import TablesCommand
from winoplatform.runs.models import RunStatus


class Command(TablesCommand):
    help = "Write the files that open a release's commitments: they contain the blind labels."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("name", help="name of the release")
        parser.add_argument("folder", type=Path)

    def handle(self, *args: Any, **options: Any) -> None:
        release = Release.objects.filter(name=options["name"], status=RunStatus.DONE).first()
        if release is None:
            raise CommandError(f"There is no finished release “{options['name']}”.")
        for path in write_opening(release=release, folder=options["folder"]):
            self.stdout.write(str(path))
        self.stdout.write("These files contain the blind labels. Keep them with curators.")
