import gzip
import io
from pathlib import Path
from typing import Any

from django.core.exceptions import ValidationError
from django.core.management.base import CommandError, CommandParser

from knowledge import services
from knowledge.imports.winowhy import (
    LONGEST_FILE,
    read_examples,
    read_reasons,
    repeats_among,
)
from winoplatform.db.tables import TablesCommand
from winoplatform.errors import DomainError


class Command(TablesCommand):
    help = "Import WinoWhy's reasons with the share of people who accepted each."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "folder",
            type=Path,
            help="the folder with winowhy.json, cat_ref.json and dataset.csv or dataset.csv.gz",
        )
        parser.add_argument("--name", default="winowhy", help="default: winowhy")

    def handle(self, *args: Any, **options: Any) -> None:
        folder: Path = options["folder"]
        try:
            texts = [_text(folder / name) for name in ("winowhy.json", "cat_ref.json")]
            questions, reasons = read_reasons(*texts)
            examples = list(read_examples(io.StringIO(_examples(folder), newline="")))
            n = services.import_reasons(
                collection=options["name"],
                questions=questions,
                reasons=reasons,
                examples=examples,
            )
        except (OSError, ValueError, DomainError, ValidationError) as error:
            raise CommandError("; ".join(getattr(error, "messages", [str(error)]))) from error
        self.stdout.write(f"{n} reasons for {len(questions)} questions")
        if warning := repeats_among(reasons).warning("reasons"):
            self.stderr.write(warning, self.style.WARNING)


def _text(path: Path) -> str:
    with path.open(encoding="utf-8") as file:
        return file.read(LONGEST_FILE + 1)


def _examples(folder: Path) -> str:
    packed = folder / "dataset.csv.gz"
    if not packed.exists():
        return _text(folder / "dataset.csv")
    with gzip.open(packed, "rt", encoding="utf-8", newline="") as file:
        text = file.read(LONGEST_FILE + 1)
    if len(text) > LONGEST_FILE:
        raise ValueError(f"{packed.name} has more than {LONGEST_FILE:,} characters")
    return text
