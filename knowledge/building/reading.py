"""Read a release that was made elsewhere."""

import tempfile
from collections.abc import Iterator
from contextlib import AbstractContextManager, ExitStack, nullcontext
from io import BytesIO
from typing import IO

from corpora.core.bundle import codec
from corpora.core.bundle.archive import write_archive
from corpora.core.bundle.reading import Bundle as Archive
from knowledge.building.making import Made
from knowledge.core.bundle import layout
from knowledge.core.bundle.consistency import checked_claims, require_consistent
from knowledge.core.bundle.lines import FIELDS, read_bundle, read_claims
from knowledge.core.bundle.manifest import Manifest
from knowledge.core.bundle.records import Bundle
from winoplatform.artifacts import store
from winoplatform.models import Artifact

LARGEST = 1 << 30
"""Bytes of all files together, unpacked."""
LARGEST_MANIFEST = 1 << 20


def read_archive(archive: Archive) -> tuple[Manifest, Bundle]:
    """Read the records of an archive; nothing is stored.

    Raises
    ------
    ValueError
        When it is too large, lacks a file, or a record breaks a rule.
    """
    names = archive.names()
    if missing := [name for name in (layout.MANIFEST, *layout.RECORDS) if name not in names]:
        raise ValueError(f"this is no release of a knowledge set: it has no {missing[0]}")
    if sum(map(archive.declared_size, names)) > LARGEST:
        raise ValueError(f"its files have more than {LARGEST:,} bytes together")
    manifest = Manifest.from_json(_text(archive, layout.MANIFEST))
    with ExitStack() as stack:
        opened = {name: stack.enter_context(archive.files.open(name)) for name in FIELDS}
        bundle = read_bundle(manifest.about, opened)
    require_consistent(bundle)
    with archive.files.open(layout.PROOFS) as file:
        for _claim in checked_claims(read_claims(file), bundle):
            pass
    return manifest, bundle


def frozen_records(archive: Archive, manifest: Manifest) -> Artifact:
    """Store the records of an archive as a build freezes them."""
    with tempfile.TemporaryFile() as file:
        write_archive(_files(archive, manifest), file, folder=manifest.about.name)
        return store.put_file(file)


def require_same(archive: Archive, made: Made) -> None:
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
    for name in layout.in_order(mine):
        if archive.sha256(name) != mine[name]:
            raise ValueError(
                f"{name} is not what its records make. The file was changed, or made by another "
                "version of the platform."
            )


def _files(
    archive: Archive, manifest: Manifest
) -> Iterator[tuple[str, AbstractContextManager[IO[bytes]]]]:
    yield layout.MANIFEST, nullcontext(BytesIO(codec.to_json(manifest.about).encode()))
    for name in layout.RECORDS:
        yield name, archive.files.open(name)


def _text(archive: Archive, name: str) -> str:
    with archive.files.open(name) as file:
        text = file.read(LARGEST_MANIFEST + 1)
    if len(text) > LARGEST_MANIFEST:
        raise ValueError(f"{name} has more than {LARGEST_MANIFEST:,} bytes")
    return text.decode()
