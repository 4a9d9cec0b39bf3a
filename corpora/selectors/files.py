"""Files of releases by their names; files never change, so texts are read once."""

from functools import lru_cache
from typing import IO, Any

from corpora.models import PublishedRun
from winoplatform.artifacts import store
from winoplatform.models import Artifact

KEPT = 128
"""Texts that a process keeps: the documents of the releases that are read now."""


def hash_of(release: PublishedRun, name: str) -> str | None:
    """Return the SHA-256 of the file of a release that has a name; None without one."""
    files: Any = release.files  # type: ignore[attr-defined]  # of each subclass
    found: str | None = files.filter(name=name).values_list("artifact", flat=True).first()
    return found


def opened(release: PublishedRun, name: str) -> IO[bytes] | None:
    """Open the file of a release that has a name; None without one."""
    sha256 = hash_of(release, name)
    return None if sha256 is None else store.open_artifact(Artifact(sha256=sha256))


@lru_cache(KEPT)
def text_of(sha256: str) -> str:
    """Return the text of a small file, such as a document of a release."""
    with store.open_artifact(Artifact(sha256=sha256)) as file:
        return str(file.read().decode())
