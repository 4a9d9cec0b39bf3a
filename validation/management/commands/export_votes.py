import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError, CommandParser

from collection.models import Campaign
from validation.exports.votes import CONTENT_TYPES, blocks
from winoplatform.tables import TablesCommand


class Command(TablesCommand):
    help = "Write every vote of a campaign, with pseudonyms, as JSONL or CSV."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("campaign", help="slug of the campaign")
        parser.add_argument("--format", choices=sorted(CONTENT_TYPES), default="jsonl")
        parser.add_argument("--output", type=Path, help="file to write; standard output by default")

    def handle(self, *args: Any, **options: Any) -> None:
        campaign = Campaign.objects.filter(slug=options["campaign"]).first()
        if campaign is None:
            raise CommandError(f"There is no campaign “{options['campaign']}”.")
        found = blocks(campaign, options["format"])
        if options["output"] is None:
            self._print(found)
            return
        _write(options["output"], found)
        self.stderr.write(str(options["output"]))

    def _print(self, found: Iterator[bytes]) -> None:
        try:
            for block in found:
                self.stdout.write(block.decode(), ending="")
            self.stdout.flush()
        except BrokenPipeError:  # the reader has closed the pipe, such as `head`
            # The rest of the buffer would be written at exit, and fail again.
            os.dup2(os.open(os.devnull, os.O_WRONLY), self.stdout.fileno())


def _write(path: Path, found: Iterator[bytes]) -> None:
    """Write a temporary file and rename it, so that the file is complete or absent."""
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_name(f".{path.name}")
    with draft.open("wb") as sink:
        for block in found:
            sink.write(block)
    draft.replace(path)
