"""Files that other users of the machine cannot read, and the signing key of an installation."""

import contextlib
import os
import secrets
from pathlib import Path
from typing import IO, Any

FOLDER_MODE = 0o700
FILE_MODE = 0o600


def make_folder(path: Path) -> None:
    """Make a folder, and those above it that are missing; existing ones stay as they are."""
    for folder in reversed([path, *path.parents]):
        if not folder.exists():
            folder.mkdir(mode=FOLDER_MODE, exist_ok=True)


def create(path: Path, mode: str = "wb", **options: Any) -> IO[Any]:
    """Open a file for writing; a new one is its owner's alone, and an old one becomes so."""
    return open(path, mode, opener=_opened, **options)


def _opened(name: str, flags: int) -> int:
    descriptor = os.open(name, flags, FILE_MODE)
    os.fchmod(descriptor, FILE_MODE)
    return descriptor


def stored_secret(path: Path) -> str:
    """Return the secret stored in *path*, creating it on first use.

    The complete file is linked into place, so when several processes start first at the same time
    one of them wins and all read the same secret. Only its owner can read it.
    """
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        draft = path.with_name(f".{path.name}.{os.getpid()}.{secrets.token_hex(4)}")
        with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
            file.write(secrets.token_urlsafe(50))
        with contextlib.suppress(FileExistsError):
            os.link(draft, path)
        draft.unlink()
    return path.read_text()
