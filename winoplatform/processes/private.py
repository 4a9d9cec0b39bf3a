"""Files and folders that other users of the machine cannot read."""

import os
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
