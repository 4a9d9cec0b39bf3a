"""The one reader of tables: it finds out what a file is, and yields its records."""

from collections.abc import Collection, Iterable, Iterator
from contextlib import closing
from io import BytesIO
from itertools import chain
from typing import IO

from tabular.header import Names, delimiter_of, stated_delimiter
from tabular.json_values import array_records, json_record
from tabular.lines import Line, read_lines, with_content
from tabular.opening import HEAD, as_text
from tabular.separated import separated_records
from tabular.values import Record

LONGEST = 1_000_000
"""Characters of a line, unless said otherwise."""


def read_records(
    stream: IO[bytes],
    *,
    known: Collection[str],
    required: Collection[str] = (),
    longest: int = LONGEST,
    is_exact: bool = False,
) -> Iterator[Record]:
    """Yield the records of a table, whatever its form.

    A file whose first character is ``{`` is JSON lines, one with ``[`` a JSON array. Any other is
    separated by commas, semicolons, tabs or vertical bars, below a line of column names; a line
    ``sep=;`` before it is followed.

    Parameters
    ----------
    stream : binary file, seekable
        At its start, unpacked. UTF-8 or, with a byte order mark, UTF-16. Not closed.
    known : collection of str
        The names that the import reads. They are found in any case, with spaces, hyphens or
        underscores, and spelled as here in the records.
    required : collection of str
        Columns that a separated table must have. Fields of JSON are checked by the import.
    longest : int
        Characters of a line.
    is_exact : bool
        Keep line breaks in the cells of a separated table as they are; otherwise they become LF.

    Yields
    ------
    Record
        A record that cannot be read has a problem and costs itself only; a file that cannot be
        read is one record with a problem.
    """
    names = Names(known, required)
    lines = read_lines(stream, longest=longest)
    with closing(lines):
        first = next(with_content(lines), None)
        if first is None:
            return
        if not _is_whole(stream, first, lines):
            yield from _by_line(first, lines, names, is_exact)
            return
    yield from _whole(stream, names)


def _by_line(first: Line, lines: Iterator[Line], names: Names, is_exact: bool) -> Iterator[Record]:
    if first.problem is None and first.text.lstrip().startswith("{"):
        yield json_record(first, names)
        yield from _json_lines(lines, names)
    else:
        yield from _separated(first, lines, names, is_exact)


def as_stream(lines: Iterable[str] | str) -> BytesIO:
    """Return text, or its lines with their endings, as a file that `read_records` takes."""
    whole = lines if isinstance(lines, str) else "".join(lines)
    return BytesIO(whole.encode("utf-8", "surrogatepass"))


def _is_whole(stream: IO[bytes], first: Line, lines: Iterator[Line]) -> bool:
    """Return whether a file is to be read as a whole: an array, or one object over lines."""
    if first.problem is None:
        return first.text.lstrip().startswith("[") or first.text.strip() == "{"
    if first.problem.code != "line_too_long" or first.number > 1:
        return False
    begin = _head(stream).lstrip(b"\xef\xbb\xbf \t\r\n\0")[:1]
    return begin == b"[" or (begin == b"{" and next(lines, None) is None)


def _head(stream: IO[bytes]) -> bytes:
    """Return the first bytes; the stream goes on where it was."""
    place = stream.tell()
    stream.seek(0)
    head = stream.read(HEAD)
    stream.seek(place)
    return head


def _whole(stream: IO[bytes], names: Names) -> Iterator[Record]:
    stream.seek(0)
    text = as_text(stream, _head(stream))
    try:
        yield from array_records(text, names)
    finally:
        if not text.closed:  # as in `read_lines`
            text.detach()


def _json_lines(lines: Iterator[Line], names: Names) -> Iterator[Record]:
    return (json_record(line, names) for line in with_content(lines))


def _separated(
    first: Line, lines: Iterator[Line], names: Names, is_exact: bool
) -> Iterator[Record]:
    if first.problem is not None:
        yield Record(first.number, {}, first.problem)
        yield from _json_below(lines, names)
        return
    delimiter = stated_delimiter(first.text)
    header = first if delimiter is None else next(with_content(lines), None)
    if header is None:
        return
    if header.problem is not None:
        yield Record(header.number, {}, header.problem)
        return
    delimiter = delimiter or delimiter_of(header.text, names)
    for record in separated_records(
        lines, header, names=names, delimiter=delimiter, is_exact=is_exact
    ):
        yield record
        if record.problem is not None and record.problem.code == "no_header":
            yield from _json_below(lines, names)


def _json_below(lines: Iterator[Line], names: Names) -> Iterator[Record]:
    """Yield the JSON lines that follow a first line of something else, if they are JSON."""
    following = next(with_content(lines), None)
    if following is not None and following.text.lstrip().startswith("{"):
        yield from _json_lines(chain([following], lines), names)
