from pathlib import Path
from typing import Any

from django.core.management.base import CommandError, CommandParser

from corpora.core.bundle.reading import open_bundle
from corpora.models import ReferenceSet
from knowledge import services
from winoplatform.db.tables import TablesCommand
from winoplatform.management.runs import refusals_as_errors


class Command(TablesCommand):
    help = "Import a knowledge release, with its set, from the files that export_knowledge writes."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "file", type=Path, help="zip file of a knowledge release, or its folder"
        )
        parser.add_argument(
            "--reference-set",
            metavar="NAME",
            help="that has the questions; by default they become a set of their own",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        questions = _questions(options["reference_set"])
        try:
            with open_bundle(options["file"]) as archive, refusals_as_errors():
                made = services.import_knowledge(archive=archive, by=None, reference_set=questions)
        except (ValueError, OSError) as error:
            raise CommandError(f"The file cannot be imported: {error}") from error
        over = made.knowledge_set.reference_set
        for split in over.splits.all() if over else ():
            if split.warning:
                self.stderr.write(split.warning, self.style.WARNING)
        self.stdout.write(
            f"Imported the release “{made.name}” of the set “{made.knowledge_set}”: "
            f"{made.n_pairs} pairs. Prove its formulas with: manage.py prove {made.knowledge_set}"
        )


def _questions(name: str | None) -> ReferenceSet | None:
    if name is None:
        return None
    reference_set = ReferenceSet.objects.filter(name=name).first()
    if reference_set is None:
        raise CommandError(f"There is no reference set “{name}”.")
    return reference_set
