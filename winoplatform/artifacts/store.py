"""Store files in the artifact store and read them, by content hash.

In the store, which is a file storage of Django, a file is either complete or absent.
"""

import errno
import hashlib
import io
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

import numpy as np
from django.core.files import File
from django.core.files.storage import storages
from django.utils import timezone
from numpy.typing import NDArray

from winoplatform.errors import FileMissing, StoreAway
from winoplatform.metrics import counting, events
from winoplatform.models import Artifact

CHUNK = 1 << 20
FULL = (errno.ENOSPC, errno.EDQUOT)


@contextmanager
def _errors_counted() -> Iterator[None]:
    """Count failures of the store; one that lacks a file is a ``FileMissing``."""
    try:
        yield
    except OSError as error:
        counting.count(events.STORE_ERRORS, _kind_of(error))
        if isinstance(error, FileNotFoundError):
            raise FileMissing(*error.args, error.filename) from error
        raise


def _kind_of(error: OSError) -> str:
    if isinstance(error, StoreAway):
        return "away"
    if isinstance(error, FileNotFoundError):
        return "missing"
    return "full" if error.errno in FULL else "other"


def put_file(file: IO[bytes]) -> Artifact:
    """Store the content of *file* (a binary, seekable file) and return its artifact.

    The same content is stored once, even if several processes store it at the same time.
    """
    digest = hashlib.sha256()
    file.seek(0)
    while chunk := file.read(CHUNK):
        digest.update(chunk)
    now = timezone.now()
    # The row first: it protects the file from deletion as an unreferenced one.
    artifact, _ = Artifact.objects.update_or_create(
        sha256=digest.hexdigest(),
        defaults={"put_at": now},
        create_defaults={"size": file.tell(), "created_at": now, "put_at": now},
    )
    storage = storages["artifacts"]
    with _errors_counted():
        if not storage.exists(artifact.storage_name):
            file.seek(0)
            storage.save(artifact.storage_name, File(file))
    return artifact


def put_bytes(data: bytes) -> Artifact:
    return put_file(io.BytesIO(data))


def put_array(array: NDArray[np.generic]) -> Artifact:
    """Store an array in NumPy's format, which can be opened as a memory map."""
    with tempfile.TemporaryFile() as file:
        np.save(file, array, allow_pickle=False)
        return put_file(file)


def open_artifact(artifact: Artifact) -> IO[bytes]:
    with _errors_counted():
        return storages["artifacts"].open(artifact.storage_name, "rb")


def is_intact(sha256: str) -> bool:
    """Return whether the store itself has an artifact, with the content that its name says."""
    storage: Any = storages["artifacts"]
    return bool(storage.is_intact(Artifact(sha256=sha256).storage_name))


def store_again(sha256: str, path: Path) -> None:
    """Store a known content, in place of a file that may be missing or damaged."""
    with path.open("rb") as file:
        storages["artifacts"].save(Artifact(sha256=sha256).storage_name, File(file))


def load_array(artifact: Artifact) -> NDArray[np.generic]:
    """Open a stored array as a read-only memory map."""
    with _errors_counted():
        path = storages["artifacts"].path(artifact.storage_name)
        array: NDArray[np.generic] = np.load(path, mmap_mode="r", allow_pickle=False)
    return array


def local_path(sha256: str) -> Path:
    """Return the path of the artifact's file, for libraries that map files themselves."""
    with _errors_counted():
        return Path(storages["artifacts"].path(Artifact(sha256=sha256).storage_name))
