"""Execute knowledge releases, and read those made elsewhere."""

import tempfile
from collections.abc import Iterator
from contextlib import AbstractContextManager, nullcontext
from io import BytesIO
from typing import IO, Any

from django.db import transaction

from corpora import drawing
from corpora.building import bundling
from corpora.core.bundle import codec
from corpora.core.bundle.archive import write_archive
from corpora.core.bundle.layout import MANIFEST, in_order
from corpora.core.bundle.reading import Bundle as Archive
from corpora.models import PublishedFile
from knowledge.building.making import ReleaseFiles, made_of
from knowledge.building.snapshots import freeze
from knowledge.core.bundle import layout
from knowledge.core.bundle.consistency import checked_claims, require_consistent
from knowledge.core.bundle.files import read_bundle, read_claims
from knowledge.core.bundle.manifest import Manifest
from knowledge.core.bundle.records import Bundle, is_valid
from knowledge.models import KnowledgeRelease, KnowledgeReleaseFile
from knowledge.selectors import knowledge_people, questions_for_people
from validation.services.golds import note_published
from winoplatform.artifacts import store
from winoplatform.errors import DomainError
from winoplatform.models import Artifact
from winoplatform.runs.attempts import Attempt

LARGEST, LARGEST_MANIFEST = 1 << 30, 1 << 20
"""Bytes of all files together, unpacked."""


def read_archive(archive: Archive) -> tuple[Manifest, Bundle]:
    """Read the records of an archive; nothing is stored.

    Raises
    ------
    ValueError
        When it is too large, lacks a file, or a record breaks a rule.
    """
    names = archive.names()
    if missing := [name for name in (MANIFEST, *layout.RECORDS) if name not in names]:
        raise ValueError(f"this is no release of a knowledge set: it has no {missing[0]}")
    if sum(map(archive.declared_size, names)) > LARGEST:
        raise ValueError(f"its files have more than {LARGEST:,} bytes together")
    if archive.declared_size(MANIFEST) > LARGEST_MANIFEST:
        raise ValueError(f"{MANIFEST} has more than {LARGEST_MANIFEST:,} bytes")
    manifest = codec.from_json(Manifest, archive.content(MANIFEST).decode())
    bundle = read_bundle(manifest.about, archive)
    require_consistent(bundle)
    for _claim in checked_claims(read_claims(archive), bundle):
        pass
    return manifest, bundle


def frozen_records(archive: Archive, manifest: Manifest) -> Artifact:
    """Store the records of an archive as a build freezes them."""
    with tempfile.TemporaryFile() as file:
        write_archive(_files(archive, manifest), file, folder=manifest.about.name)
        return store.put_file(file)


def require_same(archive: Archive, made: ReleaseFiles) -> None:
    """Refuse an archive with a file that does not follow from its records.

    Raises
    ------
    ValueError
        Naming the first such file.
    """
    mine = {file.name: file.artifact_id for file in made.files if not file.restricted}
    mine.pop(f"{made.bundle.about.name}.zip")
    if unknown := sorted(set(archive.names()) ^ mine.keys()):
        raise ValueError(f"a release of these records has other files: {unknown[0]:.100}")
    for name in in_order(mine, layout.ORDER):
        if archive.sha256(name) != mine[name]:
            raise ValueError(
                f"{name} is not what its records make. The file was changed, or made by another "
                "version of the platform."
            )


def _files(
    archive: Archive, manifest: Manifest
) -> Iterator[tuple[str, AbstractContextManager[IO[bytes]]]]:
    yield MANIFEST, nullcontext(BytesIO(codec.to_json(manifest.about).encode()))
    for name in layout.RECORDS:
        yield name, archive.files.open(name)


def release(attempt: Attempt[KnowledgeRelease]) -> None:
    """Build a release's files of records that are frozen first.

    Nothing is published before the last statement.
    """
    run = attempt.run
    if run.frozen is None:
        attempt.report(0, activity="collecting the sentences")
        people = knowledge_people(run.knowledge_set)
        bundling.note_people(attempt, people, of=run.knowledge_set.title)
        attempt.note(frozen=freeze(attempt))
    made = made_of(run, progress=lambda n: attempt.report(n, activity="writing the problems"))
    _finish(attempt, made)


@transaction.atomic
def _finish(attempt: Attempt[KnowledgeRelease], made: ReleaseFiles) -> None:
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


def results(made: ReleaseFiles) -> dict[str, Any]:
    """Return what a release that is done has."""
    bundle = made.bundle
    validated = bundle.about.validation is not None
    return {
        "problems": made.file(layout.PROBLEMS).artifact,
        "content_hash": made.content_hash,
        "n_pairs": len(bundle.pairs),
        "n_valid": sum(map(is_valid, bundle.pairs)) if validated else None,
    }
