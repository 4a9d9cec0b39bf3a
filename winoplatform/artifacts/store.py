"""Put files into the artifact store and get them back, by content hash."""

import hashlib
import io
import tempfile
from pathlib import Path
from typing import IO

import numpy as np
from django.core.files import File
from django.core.files.storage import storages
from django.utils import timezone
from numpy.typing import NDArray

from winoplatform.models import Artifact

CHUNK = 1 << 20


def put_file(file: IO[bytes]) -> Artifact:
    """Store the content of *file* (a binary, seekable file) and return its artifact.

    The same content is stored once, however often and from however many processes it comes.
    """
    digest = hashlib.sha256()
    file.seek(0)
    while chunk := file.read(CHUNK):
        digest.update(chunk)
    now = timezone.now()
    # The row first: it keeps the file from being deleted as one that nothing needs.
    artifact, _ = Artifact.objects.update_or_create(
        sha256=digest.hexdigest(),
        defaults={"put_at": now},
        create_defaults={"size": file.tell(), "created_at": now, "put_at": now},
    )
    storage = storages["artifacts"]
    if not storage.exists(artifact.storage_name):
        file.seek(0)
        storage.save(artifact.storage_name, File(file))
    return artifact


def put_bytes(data: bytes) -> Artifact:
    return put_file(io.BytesIO(data))


def put_array(array: NDArray[np.generic]) -> Artifact:
    """Store an array in NumPy's own format, which opens as a memory map."""
    with tempfile.TemporaryFile() as file:
        np.save(file, array, allow_pickle=False)
        return put_file(file)


def open_artifact(artifact: Artifact) -> IO[bytes]:
    return storages["artifacts"].open(artifact.storage_name, "rb")


def load_array(artifact: Artifact) -> NDArray[np.generic]:
    """Open a stored array as a read-only memory map."""
    array: NDArray[np.generic] = np.load(
        local_path(artifact.sha256), mmap_mode="r", allow_pickle=False
    )
    return array


def local_path(sha256: str) -> Path:
    """Where the artifact lies in the store's folder, for libraries that map files themselves."""
    return Path(storages["artifacts"].path(Artifact(sha256=sha256).storage_name))
