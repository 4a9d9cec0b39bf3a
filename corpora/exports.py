"""Write a release's public files to a folder."""

import shutil
from pathlib import Path

from corpora.models import Release
from winoplatform.artifacts import store


def write_release(*, release: Release, folder: Path) -> list[Path]:
    """Write the public files; each is complete or absent. Return their paths."""
    folder.mkdir(parents=True, exist_ok=True)
    written = []
    for file in release.files.filter(restricted=False).select_related("artifact"):
        target = folder / file.name
        draft = folder / f".{file.name}"
        with store.open_artifact(file.artifact) as source, draft.open("wb") as sink:
            shutil.copyfileobj(source, sink)
        draft.replace(target)
        written.append(target)
    return written
