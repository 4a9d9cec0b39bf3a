"""Write a release's files as one zip: streamed, with the same bytes for the same files."""

from __future__ import annotations

import shutil
import zipfile
from collections.abc import Iterable
from contextlib import AbstractContextManager
from typing import IO

_EPOCH = (1980, 1, 1, 0, 0, 0)  # the first moment a zip can name
_LEVEL = 6
_BLOCK = 1 << 20


def write_archive(
    files: Iterable[tuple[str, AbstractContextManager[IO[bytes]]]], out: IO[bytes], *, folder: str
) -> None:
    """Write files in the given order under one folder.

    Parameters
    ----------
    files : iterable of (name, open file)
        Each file is entered, read to its end and closed before the next one is taken; memory
        holds one block of it. Parquet is stored as it is, since it is compressed already.
    out : binary file, open for writing
    folder : str
        The name of the release.

    Raises
    ------
    ValueError
        When a name is repeated, or is not a relative path inside the folder.

    Notes
    -----
    The bytes depend on the names, their order, the contents and the version of zlib: times,
    permissions and the system are constants. Files of 2 GiB and more are possible (ZIP64).
    """
    seen: set[str] = set()
    with zipfile.ZipFile(out, "w", allowZip64=True) as archive:
        for name, opened in files:
            if name in seen or not _is_inside(name):
                raise ValueError(f"files must have different relative names, got {name!r}")
            seen.add(name)
            with (
                opened as file,
                archive.open(_entry(f"{folder}/{name}"), "w", force_zip64=True) as to,
            ):
                shutil.copyfileobj(file, to, _BLOCK)


def _entry(path: str) -> zipfile.ZipInfo:
    entry = zipfile.ZipInfo(path, date_time=_EPOCH)
    entry.create_system = 3  # Unix, whichever system writes it
    entry.external_attr = 0o100644 << 16
    entry.compress_type = zipfile.ZIP_STORED if path.endswith(".parquet") else zipfile.ZIP_DEFLATED
    entry._compresslevel = _LEVEL  # type: ignore[attr-defined]  # no public way for one entry
    return entry


def _is_inside(name: str) -> bool:
    parts = name.split("/")
    return "\\" not in name and not any(part in ("", ".", "..") for part in parts)
