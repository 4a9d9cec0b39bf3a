"""Execute knowledge releases."""

import zipfile
from dataclasses import asdict
from typing import Any

from django.db import transaction

from collection.core.people import title_of
from corpora import drawing
from corpora.models import PublishedFile
from knowledge.building.making import Made, made_of
from knowledge.building.snapshots import freeze
from knowledge.core.bundle import layout
from knowledge.core.bundle.problems import is_valid
from knowledge.models import KnowledgeRelease, KnowledgeReleaseFile
from knowledge.selectors import knowledge_people, questions_for_people
from validation.services.golds import note_published
from winoplatform.artifacts import store
from winoplatform.errors import DomainError
from winoplatform.runs.attempts import Attempt


def release(attempt: Attempt[KnowledgeRelease]) -> None:
    """Build a release's files of records that are frozen first.

    Nothing is published before the last statement.
    """
    run = attempt.run
    if run.frozen is None:
        attempt.report(0, activity="collecting the sentences")
        people = knowledge_people(run.knowledge_set)
        title = title_of(run.title or run.knowledge_set.title, people)
        attempt.note(people=asdict(people), title=title if people.is_simulated else run.title)
        attempt.note(frozen=freeze(attempt))
    assert run.frozen is not None
    with store.open_artifact(run.frozen) as file, zipfile.ZipFile(file) as packed:
        made = made_of(
            run, packed, progress=lambda n: attempt.report(n, activity="writing the problems")
        )
    _finish(attempt, made)


@transaction.atomic
def _finish(attempt: Attempt[KnowledgeRelease], made: Made) -> None:
    """Publish the files, and note the answers of their questions as public."""
    drawing.take_turns()
    published = {item.id for item in made.bundle.questions}
    if published - questions_for_people(attempt.run.knowledge_set, published).keys():
        raise DomainError(
            "labels_secret",
            "The answer of a question in it has been held back since it was begun. Start another "
            "release.",
        )
    note_published({item.blanked for item in made.bundle.questions})
    store_files(made.files)
    attempt.finish(**results(made))


def store_files(files: list[PublishedFile]) -> None:
    """Store the rows that name the files."""
    KnowledgeReleaseFile.objects.bulk_create(files)  # type: ignore[arg-type]  # of this model


def results(made: Made) -> dict[str, Any]:
    """Return what a release that is done has."""
    bundle = made.bundle
    validated = bundle.about.validation is not None
    return {
        "problems": made.file(layout.PROBLEMS).artifact,
        "content_hash": made.content_hash,
        "n_pairs": len(bundle.pairs),
        "n_valid": sum(map(is_valid, bundle.pairs)) if validated else None,
    }
