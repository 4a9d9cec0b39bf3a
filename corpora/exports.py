"""Write a release's public files, to a folder or as one zip file."""

import shutil
from pathlib import Path
from typing import Any

from corpora.models import PublishedFile
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


def _written(file: PublishedFile, target: Path) -> Path:
    private.make_folder(target.parent)
    draft = target.with_name(f".{target.name}")
    with store.open_artifact(file.artifact) as source, private.create(draft) as sink:
        shutil.copyfileobj(source, sink)
    draft.replace(target)
    return target
