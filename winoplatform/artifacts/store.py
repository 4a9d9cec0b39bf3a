"""Store files in the artifact store and read them, by content hash.

In the store, which is a file storage of Django, a file is either complete or absent.
"""

import hashlib
import io
import os
import re
import secrets
import tempfile
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from typing import IO, Any

import numpy as np
from django.core.files import File
from django.core.files.storage import FileSystemStorage, storages
from django.utils import timezone
from numpy.typing import NDArray

from winoplatform.models import Artifact
from winoplatform.processes import private

CHUNK = 1 << 20
DRAFT = re.compile(r"\.[0-9a-f]{64}\.[0-9a-f]{12}")


class AtomicFileStorage(FileSystemStorage):
    """A folder whose files are written under a temporary name and renamed.

    A writer that is killed leaves a draft, never half a file under the final name.
    """

    def _save(self, name: str, content: Any) -> str:
        path = Path(self.path(name))
        private.make_folder(path.parent)
        draft = path.with_name(f".{path.name}.{secrets.token_hex(6)}")
        try:
            with private.create(draft, "xb") as file:
                for chunk in content.chunks():
                    file.write(chunk)
                file.flush()
                os.fsync(file.fileno())
            draft.replace(path)
        finally:
            draft.unlink(missing_ok=True)
        return name

    def get_available_name(self, name: str, max_length: int | None = None) -> str:
        return name

    def delete_drafts(self, *, before: datetime) -> int:
        """Delete the drafts last written *before*; return their number."""
        count = 0
        for path in Path(self.location).glob("*/.*"):
            if DRAFT.fullmatch(path.name):
                # A live writer may rename or delete its own draft at any moment.
                with suppress(FileNotFoundError):
                    if path.stat().st_mtime < before.timestamp():
                        path.unlink()
                        count += 1
        return count


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
    return storages["artifacts"].open(artifact.storage_name, "rb")


def load_array(artifact: Artifact) -> NDArray[np.generic]:
    """Open a stored array as a read-only memory map."""
    array: NDArray[np.generic] = np.load(
        local_path(artifact.sha256), mmap_mode="r", allow_pickle=False
    )
    return array


def local_path(sha256: str) -> Path:
    """Return the path of the artifact's file, for libraries that map files themselves."""
    return Path(storages["artifacts"].path(Artifact(sha256=sha256).storage_name))
