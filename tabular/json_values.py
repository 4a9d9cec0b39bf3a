"""JSON objects: one per line, or those of an array; names that repeat are refused."""

import json
from collections import Counter
from collections.abc import Iterator
from io import TextIOWrapper
from typing import Any, NoReturn

from tabular.header import Names
from tabular.lines import DAMAGED, Line, text_problem
from tabular.problems import Problem, problem, short
from tabular.values import Record

LONGEST_ARRAY = 64 * 1024 * 1024
"""Characters of an array or of an object over several lines, which are read as a whole."""
_SPACE = " \t\r\n"


class _RepeatedError(ValueError):
    """A name stands twice in an object."""


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    fields = dict(pairs)
    if len(fields) < len(pairs):
        counts = Counter(name for name, _ in pairs)
        raise _RepeatedError(next(name for name, n in counts.items() if n > 1))
    return fields


def _refuse(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is no number")


_DECODER = json.JSONDecoder(object_pairs_hook=_unique, parse_constant=_refuse)


def json_record(line: Line, names: Names) -> Record:
    """Return the JSON object of a line; never raises."""
    if line.problem is not None:
        return Record(line.number, {}, line.problem)
    try:
        value = _DECODER.decode(line.text)
    except (ValueError, RecursionError) as error:
        return Record(line.number, {}, _json_problem(error))
    return _as_record(line.number, value, names)


def array_records(text: TextIOWrapper, names: Names) -> Iterator[Record]:
    """Yield the objects of a file with one array, or with objects over several lines.

    The line of a record is its number. What is not JSON ends the records with a problem.
    """
    try:
        whole = text.read(LONGEST_ARRAY + 1)
    except DAMAGED:
        yield Record(1, {}, problem("file_broken"))
        return
    except UnicodeDecodeError:
        yield Record(1, {}, problem("not_utf8"))
        return
    if len(whole) > LONGEST_ARRAY:
        yield Record(1, {}, problem("array_too_long", longest=LONGEST_ARRAY))
    elif (text_fault := text_problem(whole)) is not None:
        yield Record(_first_line(whole), {}, text_fault)
    else:
        yield from _values(whole, names)


def _values(whole: str, names: Names) -> Iterator[Record]:
    place = _after_space(whole, 0)
    in_array = whole.startswith("[", place)
    place = _after_space(whole, place + in_array)
    number = 0
    while place < len(whole) and not (in_array and whole[place] == "]"):
        number += 1
        try:
            value, place = _DECODER.raw_decode(whole, place)
            yield _as_record(number, value, names)
            place = _after_comma(whole, place) if in_array else _after_space(whole, place)
        except (ValueError, RecursionError) as error:
            yield Record(number, {}, _json_problem(error))
            return
    if in_array and place >= len(whole):
        yield Record(number + 1, {}, problem("not_json", why="the array is not closed"))


def _after_space(whole: str, place: int) -> int:
    while place < len(whole) and whole[place] in _SPACE:
        place += 1
    return place


def _after_comma(whole: str, place: int) -> int:
    """Return the place of the next value, or of the array's end."""
    place = _after_space(whole, place)
    if whole.startswith(",", place):
        return _after_space(whole, place + 1)
    if place < len(whole) and whole[place] != "]":
        raise json.JSONDecodeError("a comma is missing between two values", whole, place)
    return place


def _json_problem(error: Exception) -> Problem:
    if isinstance(error, _RepeatedError):
        name = str(error)[:60]
        return problem("name_repeated", name=name, first=name, second=name)
    if isinstance(error, json.JSONDecodeError):
        return problem("not_json", why=f"{error.msg} at line {error.lineno} column {error.colno}"
                       if error.lineno > 1 else f"{error.msg} at column {error.colno}")  # fmt: skip
    if isinstance(error, RecursionError):
        return problem("not_json", why="it is nested too deeply")
    return problem("not_json", why=str(error)[:100])


def _as_record(number: int, value: Any, names: Names) -> Record:
    if not isinstance(value, dict):
        return Record(number, {}, problem("not_an_object", found=short(value)))
    spelled = {names.spelled(name): value_of_name for name, value_of_name in value.items()}
    if len(spelled) < len(value) and (repeated := names.repeated(value)):
        return Record(number, {}, repeated)
    return Record(number, spelled, is_json=True)


def _first_line(whole: str) -> int:
    """Return the line of the first character that is no text."""
    lines = enumerate(whole.splitlines(), 1)
    return next((number for number, line in lines if text_problem(line)), 1)
