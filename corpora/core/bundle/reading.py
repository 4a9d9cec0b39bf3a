"""Read the files of a release from a zip file or a folder; nothing is unpacked."""

import hashlib
import json
import zipfile
import zlib
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, Protocol

BLOCK = 1 << 20
MOST_FILES = 1_000
MOST_BYTES = 16 << 30
"""Of all files of a release."""
RATIO, FREE = 100, 16 << 20
"""A file of a zip has at most this many times its compressed bytes, and these bytes more."""
LONGEST_LINE = 4 << 20
LARGEST_DOCUMENT = 16 << 20
"""Bytes of a line, and of a file that is read as a whole."""


class Files(Protocol):
    """Where the files are."""

    def names(self) -> list[str]:
        """Return the files' names, with slashes."""
        ...

    def open(self, name: str) -> IO[bytes]:
        """Open one file."""
        ...

    def size(self, name: str) -> int:
        """Return the bytes of a file, of which no more can be read."""
        ...


@dataclass(frozen=True, slots=True)
class Bundle:
    """The files of a release.

    Parameters
    ----------
    files : Files
    """

    files: Files

    def names(self) -> list[str]:
        """Return the files' names, sorted."""
        return sorted(self.files.names())

    def sha256(self, name: str) -> str:
        """Return the SHA-256 of a file's bytes."""
        digest = hashlib.sha256()
        with self.files.open(name) as file:
            while block := file.read(BLOCK):
                digest.update(block)
        return digest.hexdigest()

    def declared_size(self, name: str) -> int:
        """Return the bytes of a file as it says, without reading it."""
        return self.files.size(name)

    def size(self, name: str) -> int:
        """Return the bytes of a file, as read."""
        with self.files.open(name) as file:
            return sum(len(block) for block in iter(lambda: file.read(BLOCK), b""))

    def content(self, name: str) -> bytes:
        """Return the bytes of a document; ValueError if there are more than `LARGEST_DOCUMENT`."""
        with self.files.open(name) as file:
            content = file.read(LARGEST_DOCUMENT + 1)
        if len(content) > LARGEST_DOCUMENT:
            raise ValueError(f"it has more than {LARGEST_DOCUMENT:,} bytes")
        return content

    def lines(self, name: str, *, longest: int | None = None) -> Iterator[bytes]:
        """Yield the lines of a file without their newlines; ValueError at one that is too long."""
        longest = longest or LONGEST_LINE
        with self.files.open(name) as file:
            while line := file.readline(longest + 1):
                if len(line) > longest:
                    raise ValueError(f"a line has more than {longest:,} bytes")
                yield line.removesuffix(b"\n")

    def rows(self, name: str) -> Iterator[dict[str, Any]]:
        """Yield the objects of a file of JSON lines.

        Raises
        ------
        ValueError
            When a line is no JSON object, with its number.
        """
        for number, line in enumerate(self.lines(name), 1):
            try:
                row = json.loads(line)
            except (ValueError, RecursionError) as error:
                raise ValueError(f"line {number} is not JSON") from error
            if not isinstance(row, dict):
                raise ValueError(f"line {number} is not an object")
            yield row

    def document(self, name: str) -> dict[str, Any]:
        """Return the object in a JSON file; ValueError if it is not one."""
        content = self.content(name)
        try:
            document = json.loads(content)
        except (ValueError, RecursionError) as error:
            raise ValueError("it is not JSON") from error
        if not isinstance(document, dict):
            raise ValueError("it is not an object")
        return document


@dataclass(frozen=True, slots=True)
class _Folder:
    path: Path

    def names(self) -> list[str]:
        paths = (path for path in self.path.rglob("*") if path.is_file())
        return [path.relative_to(self.path).as_posix() for path in paths]

    def open(self, name: str) -> IO[bytes]:
        return (self.path / name).open("rb")

    def size(self, name: str) -> int:
        return (self.path / name).stat().st_size


@dataclass(frozen=True, slots=True)
class Packed:
    """The files below one folder of a zip file."""

    archive: zipfile.ZipFile
    top: str

    def names(self) -> list[str]:
        return [info.filename.removeprefix(self.top) for info in _members(self.archive)]

    def open(self, name: str) -> IO[bytes]:
        return self.archive.open(self.top + name)

    def size(self, name: str) -> int:
        return self.archive.getinfo(self.top + name).file_size


@contextmanager
def open_bundle(path: Path) -> Iterator[Bundle]:
    """Open a release's zip file, or a folder with its files.

    Raises
    ------
    ValueError
        When it is neither, or the zip file is damaged, has a file twice, more than one folder at
        its top, or more files or bytes than the limits.
    """
    if path.is_dir():
        yield Bundle(_Folder(path))
        return
    try:
        with zipfile.ZipFile(path) as archive:
            _refuse_large(archive)
            yield Bundle(Packed(archive, _top(archive)))
    except (OSError, zipfile.BadZipFile, zlib.error) as error:
        raise ValueError(f"{path.name} cannot be read as a zip file: {error}") from error


def _members(archive: zipfile.ZipFile) -> list[zipfile.ZipInfo]:
    return [info for info in archive.infolist() if not info.is_dir()]


def _refuse_large(archive: zipfile.ZipFile) -> None:
    """Refuse by the sizes in the directory; of each file, no more can be read than it says."""
    members = archive.infolist()
    if len(members) > MOST_FILES:
        raise ValueError(f"the zip file has more than {MOST_FILES:,} files")
    if sum(info.file_size for info in members) > MOST_BYTES:
        raise ValueError(f"the files in the zip file have more than {MOST_BYTES:,} bytes")
    for info in members:
        if info.file_size > FREE + RATIO * info.compress_size:
            raise ValueError(
                f"{info.filename} has more than {RATIO} times the bytes that it has in the zip file"
            )


def _top(archive: zipfile.ZipFile) -> str:
    names = [info.filename for info in _members(archive)]
    if twice := [name for name, n in Counter(names).items() if n > 1]:
        raise ValueError(f"the zip file has {twice[0]} twice")
    tops = {name.partition("/")[0] for name in names}
    if len(tops) != 1 or not all("/" in name for name in names):
        raise ValueError("the zip file must have one folder at its top")
    return f"{tops.pop()}/"
