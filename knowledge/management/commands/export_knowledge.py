from pathlib import Path
from typing import Any

from django.core.management.base import CommandError, CommandParser

from corpora.exports import ARCHIVE
from corpora.management.exporting import add_base_url, exported
from knowledge import services
from knowledge.models import KnowledgeRelease, KnowledgeSet
from winoplatform.db.tables import TablesCommand
from winoplatform.management.runs import execute, refusals_as_errors
from winoplatform.runs.models import RunStatus


class Command(TablesCommand):
    help = (
        "Write the public files of a knowledge release, or of a set's newest one; a set without "
        "a release is released first, under its own name."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("name", help="name of a knowledge release or of a knowledge set")
        parser.add_argument(
            "--out", type=Path, help="a folder, or a path that ends with .zip; by default NAME.zip"
        )
        add_base_url(parser)

    def handle(self, *args: Any, **options: Any) -> None:
        release = _release(options["name"])
        target = options["out"] or Path(f"{release.name}{ARCHIVE}")
        for path in exported(release, target, options["base_url"]):
            self.stdout.write(str(path))


def _release(name: str) -> KnowledgeRelease:
    done = KnowledgeRelease.objects.filter(status=RunStatus.DONE)
    if (named := done.filter(name=name).first()) is not None:
        return named
    knowledge_set = KnowledgeSet.objects.filter(name=name).first()
    if knowledge_set is None:
        raise CommandError(f"There is no finished release and no knowledge set “{name}”.")
    return done.filter(knowledge_set=knowledge_set).first() or _build(knowledge_set)


def _build(knowledge_set: KnowledgeSet) -> KnowledgeRelease:
    with refusals_as_errors():
        release = services.build_knowledge_release(
            knowledge_set=knowledge_set, name=knowledge_set.name, by=None
        )
    execute(release)
    return release
