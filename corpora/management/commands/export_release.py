from pathlib import Path
from typing import Any

from django.core.management.base import CommandError, CommandParser

from corpora.exports import write_release
from corpora.models import Release
from winoplatform.db.tables import TablesCommand
from winoplatform.runs.models import RunStatus


class Command(TablesCommand):
    help = "Write the public files of a release to a folder, or as one zip file."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("name", help="name of the release")
        parser.add_argument("target", type=Path, help="a folder, or a path that ends with .zip")

    def handle(self, *args: Any, **options: Any) -> None:
        release = Release.objects.filter(name=options["name"], status=RunStatus.DONE).first()
        if release is None:
            raise CommandError(f"There is no finished release “{options['name']}”.")
        for path in write_release(release=release, target=options["target"]):
            self.stdout.write(str(path))
