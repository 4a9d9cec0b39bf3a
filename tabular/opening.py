"""Open a file: what kind it is by its first bytes, packed or not, and in which encoding."""

import gzip
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from io import SEEK_END, BufferedReader, TextIOWrapper
from pathlib import Path
from shutil import copyfileobj
from tempfile import TemporaryFile
from typing import IO, cast

from tabular.problems import PROBLEMS, Problem, problem

GZIP = b"\x1f\x8b"
UTF16 = (b"\xff\xfe", b"\xfe\xff")
HEAD = 4096
RATIO, FREE = 200, 64 << 20
"""A compressed file unpacks to at most this many times its bytes, and these bytes more."""
_ZIP = b"PK\x03\x04"
# Archives by the name of their first file.
_ARCHIVES = (
    (b"[Content_Types].xml", "workbook", "an Excel workbook (.xlsx)"),
    (b"_rels/", "workbook", "an Excel workbook (.xlsx)"),
    (b"xl/", "workbook", "an Excel workbook (.xlsx)"),
    (b"docProps/", "workbook", "an Excel workbook (.xlsx)"),
    (b"mimetypeapplication/vnd.oasis", "workbook", "an OpenDocument file (.ods)"),
    (b"Index/", "workbook", "a Numbers file"),
    (b"_journal/", "not_a_table", "an Inspect log of the kind .eval (“inspect log convert --to "
     "json” makes the JSON log)"),
    (b"", "not_a_table", "a ZIP archive, to be unpacked first"),
)  # fmt: skip
_KINDS = (
    (b"\xd0\xcf\x11\xe0", "workbook", "an old Excel workbook (.xls)"),
    (GZIP, "not_a_table", "compressed (gzip), to be unpacked first"),
    (b"BZh", "not_a_table", "compressed (bzip2), to be unpacked first"),
    (b"\xfd7zXZ\0", "not_a_table", "compressed (xz), to be unpacked first"),
    (b"\x28\xb5\x2f\xfd", "not_a_table", "compressed (zstd), to be unpacked first"),
    (b"7z\xbc\xaf", "not_a_table", "a 7z archive, to be unpacked first"),
    (b"PAR1", "not_a_table", "a Parquet file"),
    (b"ARROW1", "not_a_table", "an Arrow file"),
    (b"SQLite format 3\0", "not_a_table", "an SQLite database"),
    (b"%PDF", "not_a_table", "a PDF"),
    (b"{\\rtf", "not_a_table", "a rich text document (.rtf)"),
    (b"version https://git-lfs", "not_a_table", "only a Git LFS pointer to the file"),
    (b"\xff\xfe\0\0", "not_a_table", "UTF-32 text, to be saved as UTF-8"),
    (b"\0\0\xfe\xff", "not_a_table", "UTF-32 text, to be saved as UTF-8"),
)
_PAGES = (b"<!doctype", b"<html", b"<?xml", b"<table")


class _Unpacked(gzip.GzipFile):
    """Unpacked content, which is damaged where there is more of it than can honestly be."""

    def __init__(self, raw: IO[bytes], most: int) -> None:
        super().__init__(fileobj=raw, mode="rb")
        self._most = most

    def read(self, size: int | None = -1) -> bytes:
        return self._within_limit(super().read(-1 if size is None else min(size, self._most)))

    def read1(self, size: int = -1) -> bytes:
        return self._within_limit(super().read1(size))

    def _within_limit(self, content: bytes) -> bytes:
        if self.tell() > self._most:
            raise gzip.BadGzipFile(f"it unpacks to more than {self._most:,} bytes")
        return content


@contextmanager
def open_stream(path: Path) -> Iterator[IO[bytes]]:
    """Open a file as bytes, decompressed if its content (not its name) is gzip.

    A pipe is copied to a temporary file, since tables are read twice.

    Raises
    ------
    OSError
        If the file cannot be opened.
    """
    with ExitStack() as files:
        raw = files.enter_context(path.open("rb"))
        if not raw.seekable():
            copy = files.enter_context(TemporaryFile())
            copyfileobj(raw, copy)
            copy.seek(0)
            raw = cast(BufferedReader, copy)
        if raw.peek(len(GZIP))[: len(GZIP)] == GZIP:
            most = FREE + RATIO * raw.seek(0, SEEK_END)
            raw.seek(0)
            with _Unpacked(raw, most) as unpacked:
                yield cast(IO[bytes], unpacked)
        else:
            yield raw


def kind_problem(head: bytes) -> Problem | None:
    """Return why a file that begins with these bytes is no table; None for any text."""
    if head.startswith(_ZIP):
        return _first_of(_ARCHIVES, head[30:])
    if (fault := _first_of(_KINDS, head)) is not None:
        return fault
    if head.lstrip(b"\xef\xbb\xbf \t\r\n").lower().startswith(_PAGES):
        return problem("not_a_table", kind="a web page or XML")
    if not head.startswith(UTF16) and _is_utf16(head):
        return problem("utf16_unmarked")
    return None


def decoded(content: bytes) -> str:
    """Return the text of a whole file that is in memory.

    Raises
    ------
    ValueError
        With a sentence, when it is no text.
    """
    fault = kind_problem(content)
    if fault is None:
        encoding = "utf-16" if content.startswith(UTF16) else "utf-8-sig"
        try:
            return content.decode(encoding)
        except UnicodeDecodeError as error:
            number = content[: error.start].count(b"\n") + 1
            raise ValueError(f"Line {number}: {PROBLEMS['not_utf8']}") from error
    raise ValueError(fault.sentence)


def as_text(stream: IO[bytes], head: bytes) -> TextIOWrapper:
    """Return the stream as text whose lines keep their endings: LF, CR LF or CR.

    Bytes that are not UTF-8 become lone surrogates, so that they cost only their line.
    """
    if head.startswith(UTF16):
        return TextIOWrapper(stream, encoding="utf-16", newline="")
    return TextIOWrapper(stream, encoding="utf-8-sig", errors="surrogateescape", newline="")


def _first_of(kinds: Iterable[tuple[bytes, str, str]], head: bytes) -> Problem | None:
    matching = ((code, kind) for begin, code, kind in kinds if head.startswith(begin))
    return next((problem(code, kind=kind) for code, kind in matching), None)


def _is_utf16(head: bytes) -> bool:
    """Return whether every second of the first bytes is NUL, as in UTF-16 of English text."""
    start = head[:64]
    even, odd = start[::2], start[1::2]
    return len(start) > 3 and ((not any(odd) and all(even)) or (not any(even) and all(odd)))
