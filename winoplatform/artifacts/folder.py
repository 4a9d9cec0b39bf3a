"""Artifacts in a folder, each complete or absent."""

import hashlib
import os
import re
import secrets
from collections.abc import Iterator
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from typing import Any

from django.core.files.storage import FileSystemStorage

from winoplatform.processes import private

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

    def names(self) -> Iterator[str]:
        """Yield the names of all files."""
        for path in Path(self.location).glob("*/[0-9a-f]*"):
            yield f"{path.parent.name}/{path.name}"

    def is_intact(self, name: str) -> bool:
        """Return whether a file is there, with the content that its name says."""
        try:
            return sha256_of(Path(self.path(name))) == Path(name).name
        except FileNotFoundError:
            return False


def sha256_of(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
