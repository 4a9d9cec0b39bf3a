"""Files that are downloaded whole: continued after an interruption, and checked by their sums."""

from __future__ import annotations

import hashlib
import os
import time
from pathlib import Path

import httpx

from winoplatform_client.connection import Connection, checked
from winoplatform_client.errors import ChecksumError, InterruptedDownload

EMPTY_ATTEMPTS = 6  # one after another without a byte
PAUSE = 0.5  # seconds before the second try; twice as long before each further one
PART = ".part"


def download(
    connection: Connection, path: str, target: Path, *, sha256: str, pause: float = PAUSE
) -> Path:
    """Download a file of known content.

    What has arrived is kept beside the target (``NAME.part``); this call, or a later one, continues
    there. The target itself is complete or absent. A target that is there already is kept if its
    sum is right, and replaced otherwise.

    Parameters
    ----------
    path : str
        Below ``/api/v1/``.
    sha256 : str
        Of the content, as the platform lists it; the platform's ETag is the same.

    Returns
    -------
    Path
        The target.

    Raises
    ------
    InterruptedDownload
        After 6 tries in a row without a byte.
    ChecksumError
        When the content is another one.
    ApiError
        When the platform refuses, or asked 5 times in a row to wait.
    """
    if target.is_file() and _sha256(target) == sha256:
        return target
    target.parent.mkdir(parents=True, exist_ok=True)
    part = target.with_name(target.name + PART)
    _complete(connection, path, part, sha256=sha256, pause=pause)
    found = _sha256(part)
    if found != sha256:
        part.unlink()
        raise ChecksumError(f"{path} has the SHA-256 {found} in place of {sha256}.")
    os.replace(part, target)
    return target


def _complete(connection: Connection, path: str, part: Path, *, sha256: str, pause: float) -> None:
    """Continue a part until the server has sent all of it."""
    failed = 0
    while True:
        before = _size(part)
        try:
            return _continue(connection, path, part, etag=f'"{sha256}"')
        except httpx.TransportError as error:
            failed = 1 if _size(part) > before else failed + 1
            if failed >= EMPTY_ATTEMPTS:
                raise InterruptedDownload(
                    f"{path} was interrupted at byte {_size(part)}: {error}. "
                    "Call again to continue."
                ) from error
        time.sleep(pause * 2 ** (failed - 1))


def _continue(connection: Connection, path: str, part: Path, *, etag: str) -> None:
    start = _size(part)
    # If-Range: of a file that has changed, all is sent, and not the rest of another one.
    headers = {"Range": f"bytes={start}-", "If-Range": etag} if start else {}
    # Compressed content would have other bytes than the range and the sum are of.
    headers["Accept-Encoding"] = "identity"
    with connection.stream("GET", path, headers=headers) as response:
        if response.status_code == httpx.codes.REQUESTED_RANGE_NOT_SATISFIABLE:
            return  # all of it is there, or too much, which the sum tells
        checked(response)
        is_rest = response.status_code == httpx.codes.PARTIAL_CONTENT
        with part.open("ab" if is_rest else "wb") as file:
            for block in response.iter_raw():
                file.write(block)


def _size(file: Path) -> int:
    return file.stat().st_size if file.exists() else 0


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
