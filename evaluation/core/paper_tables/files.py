"""A paper's table with the figures measured here, as CSV and as LaTeX."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Sequence
from itertools import groupby

from evaluation.core.paper_tables.layout import (
    Cell,
    Column,
    Line,
    Measured,
    OwnRow,
    PaperTable,
    Published,
    table_lines,
)
from tabular.escapes import latex, safe_cell

ABOUT = ("section", "row", "model", "evaluations")
MEASURED = ("percent", "low", "high", "people_low", "people_high", "sd", "n")


def to_csv(table: PaperTable, own: Sequence[OwnRow]) -> str:
    """Return the table as CSV with a header, all figures in percent, and None empty.

    Of a column there are ``published`` as printed, and of what was measured here the figure, its
    95 % interval, of people also that for people like them, its deviation over seeds and its n, not
    rounded.
    """
    file = io.StringIO()
    writer = csv.writer(file, lineterminator="\n")
    header = [name for column in table.columns for name in _names(column)]
    writer.writerow([*ABOUT, *header])
    for line in table_lines(table, own):
        about = (line.section, line.label, line.model, line.evaluations)
        cells = zip(table.columns, line.cells, strict=True)
        figures = [value for column, cell in cells for value in _values(column, cell)]
        writer.writerow([*map(safe_cell, about), *figures])
    return file.getvalue()


def to_latex(table: PaperTable, own: Sequence[OwnRow]) -> str:
    r"""Return the table for LaTeX with the package booktabs; sources and runs are comments.

    Each column has the published figures first, and beside them those measured here with their
    95 % intervals, those for people like the ones measured in square brackets; all in percent.

    Examples
    --------
    >>> from evaluation.core.paper_tables import TABLES
    >>> print(to_latex(TABLES["winogrande-4"], []).splitlines()[3])
    \toprule
    """
    lines = table_lines(table, own)
    parts = [(column, part) for column in table.columns for part in _parts(column)]
    text = [
        f"% {latex(table.source)}",
        *(f"% {latex(note)}" for note in table.notes),
        *_runs(lines),
        rf"\begin{{tabular}}{{ll{'r' * len(parts)}}}",
        r"\toprule",
        _row(["", "", *(_spanned(column) for column in table.columns)]),
        _row(["", "Measured here", *(part for _, part in parts)]),
        *_body(table, lines, 2 + len(parts)),
        r"\bottomrule",
        r"\end{tabular}",
    ]
    return "\n".join(text) + "\n"


def _body(table: PaperTable, lines: Sequence[Line], width: int) -> Iterator[str]:
    for section, same in groupby(lines, key=lambda line: line.section):
        yield r"\midrule"
        if section:
            yield rf"\multicolumn{{{width}}}{{l}}{{{latex(section)}}} \\"
        for line in same:
            cells = zip(table.columns, line.cells, strict=True)
            figures = [text for column, cell in cells for text in _texts(column, cell)]
            yield _row([latex(line.label), latex(line.model), *figures])


def _row(cells: Sequence[str]) -> str:
    return " & ".join(cells) + r" \\"


def _spanned(column: Column) -> str:
    return rf"\multicolumn{{{len(_parts(column))}}}{{c}}{{{latex(column.title)}}}"


def _parts(column: Column) -> list[str]:
    parts = (("published", column.is_published), ("here", column.is_measured))
    return [name for name, is_there in parts if is_there]


def _names(column: Column) -> list[str]:
    published = [f"{column.key}_published", f"{column.key}_published_sd", f"{column.key}_mark"]
    measured = [f"{column.key}_{name}" for name in MEASURED]
    return published * column.is_published + measured * column.is_measured


def _values(column: Column, cell: Cell) -> list[object]:
    found = cell.published
    published = [found.text, found.sd, found.mark] if found else [""] * 3
    measured: list[object] = (
        list(_percents(cell.measured)) if cell.measured else [""] * len(MEASURED)
    )
    return [*(published * column.is_published), *(measured * column.is_measured)]


def _percents(found: Measured) -> list[object]:
    ends = (found.low, found.high, found.people_low, found.people_high)
    shares = (found.value, *ends, found.sd)
    return [*("" if share is None else 100 * share for share in shares), found.n]


def _texts(column: Column, cell: Cell) -> list[str]:
    published = [_printed(cell.published)] * column.is_published
    return published + [_here(cell.measured)] * column.is_measured


def _printed(found: Published | None) -> str:
    if found is None:
        return "--"
    return found.text + (f" ({found.sd})" if found.sd else "") + latex(found.mark)


def _here(found: Measured | None) -> str:
    if found is None or found.value is None:
        return "--"
    text = f"{100 * found.value:.1f}"
    if found.low is not None and found.high is not None:
        text += f" ({100 * found.low:.1f}--{100 * found.high:.1f})"
    if found.people_low is not None and found.people_high is not None:
        text += f" [{100 * found.people_low:.1f}--{100 * found.people_high:.1f}]"
    return text + (rf" $\pm$ {100 * found.sd:.1f}" if found.sd is not None else "")


def _runs(lines: Sequence[Line]) -> list[str]:
    runs = dict.fromkeys((line.model, line.evaluations) for line in lines if line.evaluations)
    return [f"% {latex(model)}: {latex(evaluations)}" for model, evaluations in runs]
