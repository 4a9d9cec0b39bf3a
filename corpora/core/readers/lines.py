"""Lines of a file, and records of five lines."""

import json
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from functools import partial
from itertools import islice
from typing import Any, NoReturn

LONGEST = 1_000_000
"""Characters a line may have; the longest of the published files has 89,624."""


@dataclass(frozen=True, slots=True)
class Skipped:
    """A record of a published file that is no question, with the reason.

    Only for defects that the published file is known to have. Any other record that cannot be read
    is a ValueError.

    Parameters
    ----------
    place : str
        For example 'record 7'.
    reason : str
    """

    place: str
    reason: str

    def __str__(self) -> str:
        return f"{self.place} is left out: {self.reason}"


def decoded(readline: Callable[[int], bytes], encoding: str) -> Iterator[str]:
    """Decode a binary file line by line, without ever holding more than one line of it.

    Parameters
    ----------
    readline : callable
        As the method of a binary file: takes the largest number of bytes to return.
    encoding : str

    Raises
    ------
    ValueError
        With the number of the first line that is too long or has another encoding.
    """
    for number, line in enumerate(iter(partial(readline, LONGEST + 1), b""), 1):
        if len(line) > LONGEST:
            raise ValueError(_too_long(number))
        try:
            yield line.decode(encoding)
        except UnicodeDecodeError as error:
            raise ValueError(f"line {number} is not {encoding}: {error}") from error


def checked(lines: Iterable[str]) -> Iterator[str]:
    """Pass lines on, without the byte order mark that some programs put before the first.

    Raises
    ------
    ValueError
        With the number of the first line that has more than ``LONGEST`` characters or a NUL.
    """
    for number, line in enumerate(lines, 1):
        if len(line) > LONGEST:
            raise ValueError(_too_long(number))
        if "\0" in line:
            raise ValueError(f"line {number} has a NUL character, so it is not text")
        yield line.removeprefix("\ufeff") if number == 1 else line


@contextmanager
def at(place: str) -> Iterator[None]:
    """Put the place in the file before the message of a ValueError."""
    try:
        yield
    except ValueError as error:
        raise ValueError(f"{place}: {error}") from error


def at_line(number: int) -> AbstractContextManager[None]:
    """Put the number of the line before the message of a ValueError."""
    return at(f"line {number}")


def json_value(text: str) -> Any:
    """Parse JSON strictly: no NaN, no infinity, no nesting that exhausts the stack.

    Raises
    ------
    ValueError
        When *text* is not such JSON.
    """
    try:
        return json.loads(text, parse_constant=_refuse)
    except RecursionError as error:
        raise ValueError("not JSON: nested too deeply") from error
    except json.JSONDecodeError as error:
        raise ValueError(f"not JSON: {error.msg} at column {error.colno}") from error
    except ValueError as error:
        raise ValueError(f"not JSON: {error}") from error


def json_array(lines: Iterable[str]) -> list[dict[str, Any]]:
    """Parse a whole file that is one JSON array of objects.

    Raises
    ------
    ValueError
        When it is something else.
    """
    values = json_value("".join(lines))
    if not isinstance(values, list) or not all(isinstance(value, dict) for value in values):
        raise ValueError("the file must be a JSON array of objects")
    return values


def text_of(record: dict[str, Any], name: str) -> str:
    """Return a field that must be text.

    Raises
    ------
    ValueError
        When it is missing or something else.
    """
    value = record.get(name)
    if not isinstance(value, str):
        raise ValueError(f"“{name}” must be text, got {_short(value)}")
    return value


def _too_long(number: int) -> str:
    return f"line {number} has more than {LONGEST:,} characters"


def _refuse(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is no number")


def _short(value: object) -> str:
    return f"{value!r:.80}"


def five_line_records(lines: Iterable[str]) -> Iterator[tuple[int, list[str]]]:
    """Read five lines at a time, without the whitespace around each.

    Yields
    ------
    tuple of int and list of str
        The number of the record's first line, and its up to five lines.

    Raises
    ------
    ValueError
        When the fifth line is not empty, so that the records are out of step.
    """
    stripped = (line.strip() for line in lines)
    number = 1
    while record := list(islice(stripped, 5)):
        if any(record[4:]):
            raise ValueError(f"line {number + 4} must be empty, got {record[4]!r:.80}")
        if any(record):
            yield number, record
        number += 5
