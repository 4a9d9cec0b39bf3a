"""Write a release's public files, to a folder or as one zip file."""

import shutil
from pathlib import Path
from typing import Any

from corpora.core.bundle.croissant import to_text
from corpora.core.bundle.layout import CROISSANT
from corpora.models import PublishedFile, PublishedRun
from corpora.selectors import metadata_for
from winoplatform.artifacts import store
from winoplatform.processes import private

ARCHIVE = ".zip"


def write_release(*, release: Any, target: Path) -> list[Path]:
    """Write a release of questions or of knowledge.

    Write the archive if *target* ends with .zip, else the public files to that folder.

    Each file is complete or absent. Return their paths.
    """
    files = release.files.filter(restricted=False).select_related("artifact")
    if target.suffix == ARCHIVE:
        return [_written(files.get(name=f"{release.name}{ARCHIVE}"), target)]
    singles = files.exclude(name__endswith=ARCHIVE)
    return [_written(file, target / file.name) for file in singles]


def write_metadata(*, release: PublishedRun, target: Path, base_url: str) -> Path:
    """Write the Croissant description with addresses beside what `write_release` writes.

    It is not in the folder or archive, whose sums would no longer be those of the release.

    Raises
    ------
    ValueError
        As of `with_addresses`, or if the release has no description.
    """
    metadata = metadata_for(release, base_url)
    if metadata is None:
        raise ValueError(f"The release “{release.name}” has no {CROISSANT}.")
    target = target.resolve()
    name = target.stem if target.suffix == ARCHIVE else target.name
    path = target.with_name(f"{name}.{CROISSANT}")
    private.make_folder(path.parent)
    draft = path.with_name(f".{path.name}")
    with private.create(draft) as sink:
        sink.write(to_text(metadata).encode())
    draft.replace(path)
    return path


def _written(file: PublishedFile, target: Path) -> Path:
    private.make_folder(target.parent)
    draft = target.with_name(f".{target.name}")
    with store.open_artifact(file.artifact) as source, private.create(draft) as sink:
        shutil.copyfileobj(source, sink)
    draft.replace(target)
    return target
