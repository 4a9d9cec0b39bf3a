"""A paper's table with the figures measured here, as CSV and as LaTeX."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import chain, groupby

from evaluation.core.published_tables.layout import (
    Cell,
    Column,
    FilledTable,
    Line,
    Measured,
    Published,
)
from tabular.writing import csv_text, latex, latex_percent, latex_spanning, latex_table

ABOUT = ("section", "row", "model", "evaluations")
PUBLISHED = ("published", "published_sd", "mark")
MEASURED = ("percent", "low", "high", "people_low", "people_high", "sd", "n")


def to_csv(filled: FilledTable) -> str:
    """Return the table as CSV with a header, all figures in percent, and None empty.

    Of a column there are ``published`` as printed, and of what was measured here the figure, its
    95 % interval, of people also that for people like them, its deviation over seeds and its n, not
    rounded.
    """
    columns = filled.table.columns
    header = [f"{column.key}_{name}" for column in columns for name in _names(column)]
    rows = (
        [line.section, line.label, line.model, line.evaluations, *chain(*map(_values, line.cells))]
        for line in filled.lines
    )
    return csv_text([*ABOUT, *header], rows)


def to_latex(filled: FilledTable) -> str:
    r"""Return the table for LaTeX with the package booktabs; sources and runs are comments.

    Each column has the published figures first, and beside them those measured here with their
    95 % intervals, those for people like the ones measured in square brackets; all in percent.

    Examples
    --------
    >>> from evaluation.core.published_tables import TABLES
    >>> print(to_latex(FilledTable(TABLES["winogrande-4"], [])).splitlines()[3])
    \toprule
    """
    table = filled.table
    parts = [part for column in table.columns for part in _parts(column)]
    head = [
        ["", "", *(_spanned(column) for column in table.columns)],
        ["", "Measured here", *parts],
    ]
    about = [*map(latex, (table.source, *table.notes)), *_runs(filled.lines)]
    sections = groupby(filled.lines, key=lambda line: line.section)
    body = (_section(name, list(lines), 2 + len(parts)) for name, lines in sections)
    return latex_table(f"ll{'r' * len(parts)}", head, body, about=about)


WRITERS: Mapping[str, tuple[Callable[[FilledTable], str], str]] = {
    "csv": (to_csv, "text/csv; charset=utf-8"),
    "tex": (to_latex, "application/x-tex; charset=utf-8"),
}
"""By a file's ending: what writes it, and its media type."""


def _section(name: str, lines: Sequence[Line], width: int) -> list[list[str]]:
    title = [[latex_spanning(name, width)]] if name else []
    return title + [
        [latex(line.label), latex(line.model), *chain(*map(_of, line.cells))] for line in lines
    ]


def _spanned(column: Column) -> str:
    return latex_spanning(column.title, len(_parts(column)), at="c")


def _parts(column: Column) -> list[str]:
    return ["published"] * column.is_published + ["here"] * column.is_measured


def _names(column: Column) -> tuple[str, ...]:
    return PUBLISHED * column.is_published + MEASURED * column.is_measured


def _values(cell: Cell) -> Iterator[object]:
    printed, found = cell.published, cell.measured
    if cell.column.is_published:
        yield from (printed.text, printed.sd, printed.mark) if printed else [""] * 3
    if cell.column.is_measured:
        yield from _percents(found) if found else [""] * len(MEASURED)


def _percents(measured: Measured) -> list[object]:
    ends = (measured.low, measured.high, measured.people_low, measured.people_high)
    shares = (measured.value, *ends, measured.sd)
    return [*("" if share is None else 100 * share for share in shares), measured.n]


def _of(cell: Cell) -> list[str]:
    measured = cell.measured or Measured()
    ends, people = (measured.low, measured.high), (measured.people_low, measured.people_high)
    here = latex_percent(measured.value, ends, people=people, sd=measured.sd)
    return [_printed(cell.published)] * cell.column.is_published + [here] * cell.column.is_measured


def _printed(published: Published | None) -> str:
    if published is None:
        return "--"
    return published.text + (f" ({published.sd})" if published.sd else "") + latex(published.mark)


def _runs(lines: Sequence[Line]) -> list[str]:
    runs = dict.fromkeys((line.model, line.evaluations) for line in lines if line.evaluations)
    return [f"{latex(model)}: {latex(evaluations)}" for model, evaluations in runs]
