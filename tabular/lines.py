"""Lines of an untrusted text, of a bounded length each."""

import gzip
import re
import zlib
from collections.abc import Generator, Iterable, Iterator
from dataclasses import dataclass
from io import TextIOWrapper
from typing import IO

from tabular.opening import HEAD, as_text, kind_problem
from tabular.problems import Problem, problem

DAMAGED = (EOFError, zlib.error, gzip.BadGzipFile)
_NOT_UTF8 = re.compile("[\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class Line:
    """One line and its ending apart, or its problem."""

    number: int
    text: str = ""
    problem: Problem | None = None
    ending: str = "\n"


def read_lines(stream: IO[bytes], *, longest: int) -> Generator[Line, None, None]:
    """Yield the lines of a file, including empty ones, each with its number from 1.

    Parameters
    ----------
    stream : binary file, seekable
        At its start. UTF-8 or, with a byte order mark, UTF-16; lines end with LF, CR LF or CR. Not
        closed.
    longest : int
        Characters of a line. A longer one is skipped in pieces, so that memory is bounded.

    Notes
    -----
    A file of another kind is one line with this problem. Damaged gzip data end the lines with a
    problem; earlier lines are valid.
    """
    try:
        head = stream.read(HEAD)
        stream.seek(0)
    except DAMAGED:
        yield Line(1, problem=problem("file_broken"))
        return
    if (fault := kind_problem(head)) is not None:
        yield Line(1, problem=fault)
        return
    text = as_text(stream, head)
    try:
        yield from text_lines(text, longest=longest)
    finally:
        if not text.closed:  # a reader that stopped at a refusal may have closed the file
            text.detach()


def text_lines(text: TextIOWrapper, *, longest: int) -> Iterator[Line]:
    """Yield the lines of a text, as `read_lines` does."""
    number = 0
    while True:
        number += 1
        try:
            raw = text.readline(longest + 2)
            content = raw.rstrip("\r\n")
            if len(content) > longest:
                _skip_line(text, raw, longest)
        except DAMAGED:
            yield Line(number, problem=problem("file_broken"))
            return
        except UnicodeDecodeError:  # of UTF-16, whose later lines cannot be found
            yield Line(number, problem=problem("not_utf8"))
            return
        if not raw:
            return
        # A file may be millions of empty lines.
        is_empty = raw == "\n"
        yield Line(number) if is_empty else _line(number, content, raw[len(content) :], longest)


def with_content(lines: Iterable[Line]) -> Iterator[Line]:
    """Leave out the lines of whitespace only."""
    return (line for line in lines if line.problem or line.text.strip())


def text_problem(text: str) -> Problem | None:
    """Return why decoded text is no text."""
    if "\0" in text:
        return problem("has_nul")
    if not text.isascii() and _NOT_UTF8.search(text):
        return problem("not_utf8")
    return None


def _skip_line(text: TextIOWrapper, piece: str, longest: int) -> None:
    while piece and not piece.endswith(("\n", "\r")):
        piece = text.readline(longest)


def _line(number: int, content: str, ending: str, longest: int) -> Line:
    is_long = len(content) > longest
    fault = problem("line_too_long", longest=longest) if is_long else text_problem(content)
    return Line(number, "" if fault else content, fault, ending or "\n")
