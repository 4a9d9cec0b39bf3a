"""Make the index of published questions by which copied twins are recognized."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from collection.core.advice.published import FILE, WIDTH, made_index
from corpora.core.items import Item
from corpora.core.readers.winogrande import read_winogrande
from tabular import open_stream


class Command(BaseCommand):
    help = "Write hashes of published questions; the files have WinoGrande's format, or are gzipped"

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("files", nargs="+", type=Path)
        parser.add_argument("--output", type=Path, default=FILE)

    def handle(self, *args: Any, **options: Any) -> None:
        index = made_index(
            (item.sentence, item.options) for path in options["files"] for item in _items(path)
        )
        options["output"].write_bytes(index)
        self.stdout.write(f"{len(index) // WIDTH:,} questions, {len(index):,} bytes")


def _items(path: Path) -> Iterator[Item]:
    with open_stream(path) as lines:
        yield from read_winogrande(lines)
