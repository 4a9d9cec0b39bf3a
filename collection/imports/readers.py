"""Streams records from untrusted files: one bounded line at a time, plain or gzip, JSONL or CSV."""

import csv
import gzip
import json
import zlib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from io import BufferedIOBase
from pathlib import Path
from types import MappingProxyType
from typing import Any, cast

GZIP_MAGIC = b"\x1f\x8b"
BOM = b"\xef\xbb\xbf"

PROBLEMS = MappingProxyType(
    {
        "line_too_long": "The line is longer than any valid record; it was skipped.",
        "not_utf8": "The line is not UTF-8 text; save the file as UTF-8.",
        "file_broken": "The compressed file is damaged or truncated here, and nothing after this "
        "line could be read. Download it again and repeat the import: nothing is duplicated.",
        "not_json": "The line is not valid JSON.",
        "not_an_object": "The line is JSON, but not an object with named fields.",
        "not_csv": "The row is not valid CSV; a quote may be open, or a field far too long.",
        "unknown_kind": "Only .txt, .md, .json, .jsonl and .csv files (the last two also with .gz) "
        "are supported.",
        "file_too_long": "The file is longer than any article; it was skipped.",
        "file_unreadable": "The file or folder could not be read; check its permissions.",
        "wrong_columns": "The row has more or fewer fields than the header.",
    }
)
"""Errors of a line before its fields are read: code and message."""


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a file, without its line ending, or a code in `PROBLEMS`."""

    number: int
    text: str = ""
    problem: str = ""


@dataclass(frozen=True, slots=True)
class Record:
    """One record of a file, or a code in `PROBLEMS`.

    `source` is the file's name if there are several files.
    """

    line: int
    fields: dict[str, Any]
    problem: str = ""
    source: str = ""


@contextmanager
def open_stream(path: Path) -> Iterator[BufferedIOBase]:
    """Open a file as bytes, decompressed if its content (not its name) is gzip.

    Raises
    ------
    OSError
        If the file cannot be opened.
    """
    with path.open("rb") as raw:
        if raw.peek(len(GZIP_MAGIC))[: len(GZIP_MAGIC)] == GZIP_MAGIC:
            with gzip.GzipFile(fileobj=raw) as unpacked:
                yield cast(BufferedIOBase, unpacked)
        else:
            yield raw


def read_lines(stream: BufferedIOBase, *, longest: int) -> Iterator[Line]:
    """Yield the lines, including empty ones, each with its number from 1.

    Parameters
    ----------
    stream : buffered bytes
        Lines end with LF or CR LF. A byte order mark at the start is dropped.
    longest : int
        Maximum length in bytes. A longer line is skipped in pieces, so that memory is bounded.

    Notes
    -----
    Damaged gzip data end the stream with a line that has this problem; earlier lines are valid.
    """
    number = 0
    while True:
        number += 1
        try:
            raw = stream.readline(longest + 1)
            too_long = len(raw) > longest and not raw.endswith(b"\n")
            if too_long:
                _skip_line(stream, longest)
        except (EOFError, zlib.error, gzip.BadGzipFile):
            yield Line(number, problem="file_broken")
            return
        if not raw:
            return
        if too_long:
            yield Line(number, problem="line_too_long")
        else:
            yield _decoded(number, raw.removeprefix(BOM if number == 1 else b""))


def _skip_line(stream: BufferedIOBase, piece: int) -> None:
    while (rest := stream.readline(piece)) and not rest.endswith(b"\n"):
        pass


def _decoded(number: int, raw: bytes) -> Line:
    try:
        return Line(number, raw.decode().rstrip("\r\n"))
    except UnicodeDecodeError:
        return Line(number, problem="not_utf8")


def with_content(lines: Iterable[Line]) -> Iterator[Line]:
    """Leave out the lines of whitespace only."""
    return (line for line in lines if line.problem or line.text.strip())


def read_json(line: Line) -> Record:
    """Return the JSON object of a line; never raises."""
    if line.problem:
        return Record(line.number, {}, line.problem)
    try:
        value = json.loads(line.text)
    except (ValueError, RecursionError):  # deeply nested brackets raise the latter
        return Record(line.number, {}, "not_json")
    if not isinstance(value, dict):
        return Record(line.number, {}, "not_an_object")
    return Record(line.number, value)


def read_records(
    stream: BufferedIOBase, *, columns: frozenset[str], longest: int
) -> Iterator[Record]:
    """Yield the records of JSON lines, or of CSV if the first line is a header with *columns*.

    Notes
    -----
    A CSV field may span lines, up to 131,072 characters (Python's limit), so an unclosed quote
    costs some rows but not unbounded memory.
    """
    lines = read_lines(stream, longest=longest)
    first = next(with_content(lines), None)
    if first is None:
        return
    header = _header(first.text)
    if columns <= set(header):
        yield from _read_csv(lines, header)
    else:
        yield read_json(first)
        yield from map(read_json, with_content(lines))


def _header(text: str) -> list[str]:
    try:
        return [name.strip() for name in next(csv.reader([text]), [])]
    except csv.Error:
        return []


class _CsvSource:
    """Feeds text to the csv module and tracks its line numbers."""

    def __init__(self, lines: Iterator[Line]) -> None:
        self._lines = lines
        self.number = 0
        self.problem = ""

    def __iter__(self) -> Iterator[str]:
        for line in self._lines:
            self.number = line.number
            self.problem = self.problem or line.problem
            yield line.text + "\n"


def _read_csv(lines: Iterator[Line], header: list[str]) -> Iterator[Record]:
    source = _CsvSource(lines)
    rows = csv.reader(source, strict=True)
    while True:
        source.problem = ""
        try:
            row = next(rows)
        except StopIteration:
            return
        except csv.Error:
            yield Record(source.number, {}, source.problem or "not_csv")
            continue
        if row or source.problem:  # an empty row is an empty line
            yield _csv_record(source, header, row)


def _csv_record(source: _CsvSource, header: list[str], row: list[str]) -> Record:
    if source.problem:
        return Record(source.number, {}, source.problem)
    if len(row) != len(header):
        return Record(source.number, {}, "wrong_columns")
    return Record(source.number, dict(zip(header, row, strict=True)))
