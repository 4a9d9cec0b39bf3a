from contextlib import ExitStack
from typing import Any

from django.core.exceptions import ValidationError
from django.core.management.base import CommandError, CommandParser

from corpora import services
from corpora.core.readers import FORMATS, GROUPED, READERS
from corpora.models import ReferenceSet
from winoplatform.errors import DomainError
from winoplatform.tables import TablesCommand


class Command(TablesCommand):
    help = "Import a published benchmark as a reference set, split by split."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("name", help="a short name, used in URLs")
        parser.add_argument("splits", nargs="+", metavar="SPLIT=FILE")
        formats = "; ".join(f"{name}: {FORMATS[name]}" for name in sorted(READERS))
        parser.add_argument("--format", required=True, choices=sorted(READERS), help=formats)
        parser.add_argument("--title", default="")
        parser.add_argument("--licence", default="")
        parser.add_argument("--source", default="", help="origin, and how to cite it")
        parser.add_argument("--public", action="store_true", help="show it to all signed-in users")

    def handle(self, *args: Any, **options: Any) -> None:
        paths = dict(split.partition("=")[::2] for split in options["splits"])
        if len(paths) < len(options["splits"]):
            raise CommandError("A split is named twice; name each of them once.")
        if ReferenceSet.objects.filter(name=options["name"]).exists():
            raise CommandError(
                f"A reference set “{options['name']}” already exists. Choose another name, or "
                "delete that set first."
            )
        with ExitStack() as opened:
            try:
                files = {
                    split: opened.enter_context(open(path, encoding="utf-8"))
                    for split, path in paths.items()
                }
                found = services.import_reference_set(
                    name=options["name"],
                    format=options["format"],
                    splits=files,
                    title=options["title"],
                    licence=options["licence"],
                    source=options["source"],
                    is_public=options["public"],
                    by=None,
                )
            except (OSError, DomainError, ValidationError) as error:
                raise CommandError("; ".join(getattr(error, "messages", [str(error)]))) from error
        for row in found.splits.all():
            self.stdout.write(f"{row}: {row.n_items} items in {row.n_groups} groups")
            if options["format"] in GROUPED and 1 < row.n_items == row.n_groups:
                self.stderr.write(
                    f"{row} has no two items in one group, so it gets no group score. If the file "
                    f"is not in the format “{options['format']}”, delete the set and import it "
                    "again with another --format.",
                    self.style.WARNING,
                )
