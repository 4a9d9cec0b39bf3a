"""Files in a folder that are either whole or absent."""

import os
import secrets
from pathlib import Path
from typing import Any

from django.core.files.storage import FileSystemStorage


class AtomicFileStorage(FileSystemStorage):
    """A folder whose files are written beside and renamed: a killed writer leaves no half file."""

    def _save(self, name: str, content: Any) -> str:
        path = Path(self.path(name))
        path.parent.mkdir(parents=True, exist_ok=True)
        draft = path.with_name(f".{path.name}.{secrets.token_hex(6)}")
        try:
            with draft.open("xb") as file:
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
