from collections.abc import Iterable
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from django.core.exceptions import ValidationError
from django.core.management.base import CommandError, CommandParser

from corpora import services
from corpora.core.readers import BY_NAME, FIELDS, MAIN, Format
from corpora.models import ReferenceSet, ReferenceSplit
from tabular import open_stream
from winoplatform.db.tables import TablesCommand
from winoplatform.errors import DomainError


class Command(TablesCommand):
    help = "Import a published benchmark as a reference set, split by split."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("name", help="a short name, used in URLs")
        parser.add_argument(
            "splits",
            nargs="+",
            metavar="SPLIT=PATH",
            help="a file; SPLIT/PART=FILE for a further file of the format; or the folder with "
            "the published files of a format that has several",
        )
        formats = "; ".join(f"{name}: {_described(BY_NAME[name])}" for name in sorted(BY_NAME))
        parser.add_argument("--format", required=True, choices=sorted(BY_NAME), help=formats)
        fields = "; ".join(f"{name}: {text}" for name, text in FIELDS.items())
        parser.add_argument(
            "--column",
            action="append",
            default=[],
            metavar="FIELD=COLUMN",
            help=f"for the format table, the column of a field; {fields}",
        )
        parser.add_argument("--title", default="", help="default: that of the published set")
        parser.add_argument("--licence", default="", help="default: that of the published set")
        parser.add_argument("--source", default="", help="origin, and how to cite it")
        parser.add_argument("--public", action="store_true", help="show it to all signed-in users")

    def handle(self, *args: Any, **options: Any) -> None:
        format = BY_NAME[options["format"]]
        paths = _paths(format, _pairs(options["splits"], "A split"))
        if ReferenceSet.objects.filter(name=options["name"]).exists():
            raise CommandError(
                f"A reference set “{options['name']}” already exists. Choose another name, or "
                "delete that set first."
            )
        with ExitStack() as opened:
            try:
                reference_set = services.import_reference_set(
                    name=options["name"],
                    format=options["format"],
                    splits={
                        name: opened.enter_context(open_stream(path))
                        for name, path in paths.items()
                    },
                    columns=_pairs(options["column"], "A column"),
                    title=options["title"],
                    licence=options["licence"],
                    source=options["source"],
                    is_public=options["public"],
                    by=None,
                    left_out=self.stderr.write,
                )
            except (OSError, DomainError, ValidationError) as error:
                raise CommandError("; ".join(getattr(error, "messages", [str(error)]))) from error
        for row in reference_set.splits.all():
            self._report(row, is_grouped=format.is_grouped, format=options["format"])

    def _report(self, row: ReferenceSplit, *, is_grouped: bool, format: str) -> None:
        self.stdout.write(f"{row}: {row.n_items} items in {row.n_groups} groups")
        if row.warning:
            self.stderr.write(row.warning, self.style.WARNING)
        if row.n_labelled < row.n_items:
            self.stdout.write(f"{row}: the answers of {row.n_items - row.n_labelled} are unknown")
        if is_grouped and 1 < row.n_items == row.n_groups:
            self.stderr.write(
                f"{row} has no two items in one group, so it gets no group score. If the file "
                f"is not in the format “{format}”, delete the set and import it "
                "again with another --format.",
                self.style.WARNING,
            )


def _described(format: Format) -> str:
    parts = [part for part in (*format.required, *format.optional) if part != MAIN]
    return format.about + (f" (parts: {', '.join(parts)})" if parts else "")


def _pairs(arguments: Iterable[str], what: str) -> dict[str, str]:
    pairs: dict[str, str] = {}
    for argument in arguments:
        name, equals, value = argument.partition("=")
        if not (name and equals and value):
            raise CommandError(f"Write “{argument}” as a name, an equals sign and a value.")
        if name in pairs:
            raise CommandError(f"{what} is named twice; name each of them once.")
        pairs[name] = value
    return pairs


def _paths(format: Format, given: dict[str, str]) -> dict[str, Path]:
    """Return the files by split and part; a folder stands for the published files in it."""
    paths: dict[str, Path] = {}
    for name, value in given.items():
        path = Path(value)
        if format.files and path.is_dir() and "/" not in name:
            paths |= _published(format, name, path)
        else:
            paths[name] = path
    return paths


def _published(format: Format, split: str, folder: Path) -> dict[str, Path]:
    """Return the files of a split in *folder*; an optional one may be absent."""
    paths = {part: folder / name.format(split=split) for part, name in format.files.items()}
    return {
        split if part == MAIN else f"{split}/{part}": path
        for part, path in paths.items()
        if part in format.required or path.exists()
    }
