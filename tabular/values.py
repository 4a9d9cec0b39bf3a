"""Records of named values, and numbers and labels as programs write them."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from tabular.problems import Problem

_WHOLE = re.compile(r"([+-]?[0-9]{1,9})(?:\.0*)?")
_NUMBER = re.compile(r"[+-]?[0-9][0-9.,]*(?:e[+-]?[0-9]+)?", re.IGNORECASE)
_UNKNOWN = frozenset({"", "-1", "nan", "na", "n/a", "none", "null"})


def whole_number(value: Any) -> int | None:
    """Return a whole number; None for any other value.

    >>> [whole_number(value) for value in (2, 2.0, "2", " 2.0 ", "2.5", "b", True)]
    [2, 2, 2, 2, None, None, None]
    """
    if isinstance(value, bool):
        return None
    if isinstance(value, float):
        return int(value) if value.is_integer() and abs(value) < 1e9 else None
    if isinstance(value, int):
        return value if abs(value) < 10**9 else None
    match = _WHOLE.fullmatch(value.strip()) if isinstance(value, str) and len(value) < 40 else None
    return int(match[1]) if match else None


def is_unknown(label: Any) -> bool:
    """Return whether a label says that the answer is unknown: nothing, −1, NaN or none.

    >>> [is_unknown(label) for label in (None, "", -1, "-1.0", "NaN", 0)]
    [True, True, True, True, True, False]
    """
    if label is None or whole_number(label) == -1:
        return True
    return isinstance(label, str) and label.strip().casefold() in _UNKNOWN


def reads_as_number(id: str) -> bool:
    """Return whether a spreadsheet would read an id as a number, and so change it.

    >>> [reads_as_number(id) for id in ("0012", "1234567890123456", "12e5", "12e5a", "q12")]
    [True, True, True, False, False]
    """
    return _NUMBER.fullmatch(id) is not None


@dataclass(frozen=True, slots=True)
class Record:
    """One record of a file, or its problem.

    Parameters
    ----------
    line : int
        The line where it begins, from 1; in a JSON array the number of the object, from 1.
    fields : dict of str to JSON value
        Known names are spelled as the reader was told, other ones as in the file.
    problem : Problem, optional
    source : str
        The file's name, if there are several files.
    is_json : bool
        Whether it is a JSON object; the values of other ones are texts.
    """

    line: int
    fields: dict[str, Any]
    problem: Problem | None = None
    source: str = ""
    is_json: bool = False


def strict(records: Iterable[Record]) -> Iterator[Record]:
    """Pass records on; the first with a problem is a ValueError that says it (`Problem.at`)."""
    for record in records:
        if record.problem is not None:
            raise ValueError(record.problem.at(record.line))
        yield record
