"""Records: the named values of a row or object, or what is wrong with it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from tabular.problems import Problem


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
