"""Compare the rows of artifacts with the store, and store again what can be had elsewhere."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from django.core.files.storage import storages

from winoplatform.artifacts import store
from winoplatform.artifacts.folder import sha256_of
from winoplatform.models import Artifact


@dataclass(slots=True)
class ArtifactCheck:
    """How many artifacts were checked, and those that differ, by SHA-256.

    ``missing`` and ``damaged`` are those that could not be stored again; ``without_row`` counts
    files that no row names, which stay: their database may be yet to be restored.
    """

    checked: int = 0
    missing: list[str] = field(default_factory=list)
    damaged: list[str] = field(default_factory=list)
    repaired: list[str] = field(default_factory=list)
    without_row: int = 0


def check_artifacts(*, by_size: bool = False, folders: Iterable[Path] = ()) -> ArtifactCheck:
    """Check every artifact that a row refers to.

    Parameters
    ----------
    by_size
        Compare sizes alone, which reads no file.
    folders
        Folders of artifacts from which missing and damaged files are stored again. A bucket's cache
        is one of them.
    """
    storage: Any = storages["artifacts"]
    check, named = ArtifactCheck(), set()
    sources = [*folders, *_cache(storage)]
    for artifact in Artifact.objects.order_by("pk").iterator():
        named.add(artifact.storage_name)
        state = _state(storage, artifact, by_size)
        if state is None or not _is_referenced(artifact):
            check.checked += state is None
        elif _repair(artifact, sources):
            check.repaired.append(artifact.sha256)
        else:
            getattr(check, state).append(artifact.sha256)
    check.checked += len(check.repaired) + len(check.missing) + len(check.damaged)
    check.without_row = sum(name not in named for name in storage.names())
    return check


def _cache(storage: Any) -> Iterator[Path]:
    if hasattr(storage, "cache"):
        yield Path(storage.cache.location)


def _state(storage: Any, artifact: Artifact, by_size: bool) -> str | None:
    """Return what is wrong with an artifact's file: ``missing``, ``damaged`` or None."""
    try:
        if storage.size(artifact.storage_name) != artifact.size:
            return "damaged"
    except FileNotFoundError:
        return "missing"
    is_right = by_size or storage.is_intact(artifact.storage_name)
    return None if is_right else "damaged"


def _is_referenced(artifact: Artifact) -> bool:
    return not Artifact.objects.unreferenced().filter(pk=artifact.pk).exists()


def _repair(artifact: Artifact, folders: Iterable[Path]) -> bool:
    """Store an artifact again from the first folder that has it."""
    for folder in folders:
        path = folder / artifact.storage_name
        if path.is_file() and sha256_of(path) == artifact.sha256:
            store.store_again(artifact.sha256, path)
            return True
    return False
