"""Rows of delimiter-separated text, one bounded row at a time."""

import csv
from collections.abc import Iterator, Sequence
from itertools import chain

from tabular.header import DELIMITERS, Names, header_cells
from tabular.lines import Line
from tabular.problems import Problem, problem, short
from tabular.values import Record


def separated_records(
    lines: Iterator[Line], first: Line, *, names: Names, delimiter: str, is_exact: bool
) -> Iterator[Record]:
    """Yield the rows below a header.

    Parameters
    ----------
    lines : iterator of Line
        Those after the header's first one.
    first : Line
        The first line of the header.
    names : Names
    delimiter : str
    is_exact : bool
        Keep line breaks in cells as they are; otherwise they become LF.

    Notes
    -----
    Rows of empty cells are passed over. A column without a name is dropped if it is the first, as
    pandas writes its index so, and must be empty otherwise. A cell has up to 131,072 characters
    (Python's limit), so a quotation mark that is never closed costs rows but not the memory.
    """
    source = _Source(chain([first], lines), is_exact=is_exact)
    # “a, b” has spaces that are no part of the cells, which else keep theirs.
    spaced = f"{delimiter} " in first.text
    reader = csv.reader(source, delimiter=delimiter, skipinitialspace=spaced, strict=True)
    rows = _rows(source, reader)
    _, header, found = next(rows)
    header = header_cells(header)
    if found := found or names.problem_of(header):
        yield Record(first.number, {}, found)
        return
    while header and not header[-1]:
        header.pop()
    columns = [names.spelled(name) for name in header]
    for number, row, found in rows:
        if found is not None:
            yield Record(number, {}, found)
        elif any(cell.strip() for cell in row):
            yield _record(number, columns, row, delimiter)


class _Source:
    """Feeds text to the csv module and keeps the line numbers."""

    def __init__(self, lines: Iterator[Line], *, is_exact: bool) -> None:
        self._lines = lines
        self._is_exact = is_exact
        self.number = 0
        self.first: int | None = None
        self.problem: Problem | None = None

    def __iter__(self) -> Iterator[str]:
        for line in self._lines:
            self.number = line.number
            self.first = self.first or line.number
            self.problem = self.problem or line.problem
            yield line.text + (line.ending if self._is_exact else "\n")


def _rows(
    source: _Source, rows: Iterator[list[str]]
) -> Iterator[tuple[int, list[str], Problem | None]]:
    """Yield each row with the number of its first line, or its problem."""
    while True:
        source.problem, source.first = None, None
        row: list[str] = []
        fault = None
        try:
            row = next(rows)
        except StopIteration:
            return
        except csv.Error as error:
            fault = _csv_problem(str(error))
        yield source.first or source.number, row, source.problem or fault


def _csv_problem(why: str) -> Problem:
    if "field limit" in why or "unexpected end" in why:
        return problem("quote_open")
    return problem("not_csv", why=why)


def _record(number: int, columns: Sequence[str], row: list[str], delimiter: str) -> Record:
    while len(row) > len(columns) and not row[-1].strip():
        row.pop()
    if len(row) != len(columns):
        fault = problem(
            "wrong_columns", cells=len(row), columns=len(columns),
            delimiter=DELIMITERS.get(delimiter, short(delimiter)),
        )  # fmt: skip
        return Record(number, {}, fault)
    for place, (name, cell) in enumerate(zip(columns, row, strict=True), 1):
        if not name and place > 1 and cell.strip():
            fault = problem("column_unnamed", number=place, found=f"has {short(cell)}")
            return Record(number, {}, fault)
    return Record(number, {name: cell for name, cell in zip(columns, row, strict=True) if name})
