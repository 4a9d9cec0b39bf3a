"""The papers' tables: published figures, layout, and the rows measured here."""

import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from stats.intervals import Estimate
from stats.people import PeopleEstimate


@dataclass(frozen=True, slots=True)
class Published:
    """A figure as printed, in percent or in points.

    Parameters
    ----------
    text : str
        With the decimals of the paper.
    sd : str
        Standard deviation over seeds as printed; empty if there is none.
    mark : str
        A footnote's mark, such as a dagger, or empty.
    """

    text: str
    sd: str = ""
    mark: str = ""

    @property
    def percent(self) -> float:
        """The figure as a number."""
        return float(self.text)


@dataclass(frozen=True, slots=True)
class Measured(PeopleEstimate):
    """A figure measured here, as a share: of a model, or of people.

    Parameters
    ----------
    value, low, high : float or None
        With its 95 % interval; of several seeds, of their mean.
    n : int
        Questions or groups.
    people_low, people_high, n_people
        None and 0 for a model.
    sd : float or None
        Over seeds; None for fewer than two.
    """

    value: float | None = None
    low: float | None = None
    high: float | None = None
    n: int = 0
    people_low: float | None = None
    people_high: float | None = None
    n_people: int = 0
    sd: float | None = None


@dataclass(frozen=True, slots=True)
class Column:
    """A figure of a table, and whether there are published and measured ones of it."""

    key: str
    title: str
    is_published: bool = True
    is_measured: bool = True


@dataclass(frozen=True, slots=True)
class Row:
    """A line of the paper; `cells` has a published figure or None for each published column."""

    key: str
    section: str
    label: str
    cells: tuple[Published | None, ...]


@dataclass(frozen=True, slots=True)
class PaperTable:
    """A published table.

    Parameters
    ----------
    name : str
        For addresses and files.
    title, source : str
    columns : tuple of Column
    rows : tuple of Row
    notes : tuple of str
        What marks mean, and where the paper contradicts itself or its data.
    """

    name: str
    title: str
    source: str
    columns: tuple[Column, ...]
    rows: tuple[Row, ...]
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class OwnRow:
    """Figures measured here, for one line.

    Parameters
    ----------
    row : str
        Key of the paper's line that was repeated; empty for a line that the paper does not have.
    model : str
        What was measured, in words.
    figures : mapping of column key to Measured
    section, label : str
        Of a line that the paper does not have.
    evaluations : str
        Ids of the runs behind the figures.
    """

    row: str
    model: str
    figures: Mapping[str, Measured]
    section: str = ""
    label: str = ""
    evaluations: str = ""


@dataclass(frozen=True, slots=True)
class Cell:
    """Both figures of a column; None where there is none."""

    column: Column
    published: Published | None = None
    measured: Measured | None = None


@dataclass(frozen=True, slots=True)
class Line:
    """A line of the filled table, with a cell for each column."""

    section: str
    label: str
    cells: tuple[Cell, ...]
    model: str = ""
    evaluations: str = ""


@dataclass(frozen=True)
class FilledTable:
    """A table and the rows measured here."""

    table: PaperTable
    own: Sequence[OwnRow]

    @cached_property
    def lines(self) -> list[Line]:
        """The lines, with the figures measured here beside the published ones."""
        return table_lines(self.table, self.own)


def table_lines(table: PaperTable, own: Sequence[OwnRow]) -> list[Line]:
    """Return the lines of a table with the figures measured here beside the published ones.

    A line of the paper that several models repeat is there once for each of them; lines that the
    paper does not have come at the end of their section.

    Parameters
    ----------
    table : PaperTable
    own : sequence of OwnRow

    Raises
    ------
    ValueError
        When the table has no such row or column, or a column takes no measured figures.

    Examples
    --------
    >>> columns, cells = (Column("dev", "dev"),), (Published("79.3"),)
    >>> table = PaperTable("t", "T", "S", columns, (Row("large", "", "RoBERTa", cells),))
    >>> own = [OwnRow("large", "MiniLM", {"dev": Measured(0.52)})]
    >>> [(line.label, line.model, line.cells[0].measured.value) for line in table_lines(table, own)]
    [('RoBERTa', 'MiniLM', 0.52)]
    """
    _check(table, own)
    sections = list(dict.fromkeys([row.section for row in table.rows]))
    sections += [row.section for row in own if not row.row and row.section not in sections]
    return [line for name in dict.fromkeys(sections) for line in _section(table, own, name)]


def _section(table: PaperTable, own: Sequence[OwnRow], section: str) -> Iterator[Line]:
    for row in (row for row in table.rows if row.section == section):
        repeated = [line for line in own if line.row == row.key]
        for own_row in repeated or [OwnRow(row.key, "", {})]:
            yield _line(table, own_row, section, row.label, row.cells)
    for own_row in (line for line in own if not line.row and line.section == section):
        yield _line(table, own_row, section, own_row.label)


def _line(
    table: PaperTable,
    own: OwnRow,
    section: str,
    label: str,
    published: Sequence[Published | None] = (),
) -> Line:
    keys = [column.key for column in table.columns if column.is_published]
    printed = dict(zip(keys, published, strict=False))
    cells = (
        Cell(column, printed.get(column.key), own.figures.get(column.key))
        for column in table.columns
    )
    return Line(section, label, tuple(cells), own.model, own.evaluations)


def _check(table: PaperTable, own: Sequence[OwnRow]) -> None:
    rows = {"", *(row.key for row in table.rows)}
    columns = {column.key for column in table.columns if column.is_measured}
    for own_row in own:
        if own_row.row not in rows:
            raise ValueError(f"row must be one of {table.name}, got {own_row.row!r}")
        if unknown := set(own_row.figures) - columns:
            raise ValueError(f"figures must be measured columns of {table.name}, got {unknown}")


Columns = Mapping[str, Sequence["Figure"]]


@dataclass(frozen=True, slots=True)
class Figure:
    """A figure of one seed: where it belongs, and what it is of; ``of`` is the set scored on."""

    row: str
    column: str
    model: str
    estimate: Estimate
    run: str
    of: str
    section: str = ""
    label: str = ""


def by_set(columns: Columns) -> Mapping[str, Columns]:
    """Divide the figures of a row by the set scored on, if a column has several.

    Figures on different questions are no seeds of one figure. If no column has several, the only
    name is empty: the columns of a row may be of different sets.
    """
    if all(len({one.of for one in cells}) == 1 for cells in columns.values()):
        return {"": columns}
    figures_by_set: dict[str, dict[str, list[Figure]]] = {}
    for column, figures in columns.items():
        for cell in figures:
            figures_by_set.setdefault(cell.of, {}).setdefault(column, []).append(cell)
    return figures_by_set


def mean_of(estimates: Sequence[Estimate]) -> Measured:
    """Return the mean over seeds of figures on the same questions; of nothing known, no value."""
    values = [estimate.value for estimate in estimates if estimate.value is not None]
    if not values:
        return Measured()
    return Measured(
        float(np.mean(values)),
        _mean_end([estimate.low for estimate in estimates]),
        _mean_end([estimate.high for estimate in estimates]),
        int(estimates[0].n),
        sd=float(np.std(values, ddof=1)) if len(values) > 1 else None,
    )


def _mean_end(ends: Sequence[float | None]) -> float | None:
    return None if None in ends else float(np.mean([end for end in ends if end is not None]))


def tables_of(paper: str) -> dict[str, PaperTable]:
    """Return the tables of a paper by name."""
    text = Path(__file__).with_name(f"{paper}.toml").read_text(encoding="utf-8")
    return {table["name"]: _table(table) for table in tomllib.loads(text)["tables"]}


def _table(table: Mapping[str, Any]) -> PaperTable:
    """Return a table; a column is ``key | title``, or only published or only measured."""
    columns = [line.split(" | ") for line in table["columns"].splitlines()]
    return PaperTable(
        table["name"],
        table["title"],
        table["source"],
        tuple(
            Column(key, title, "measured" not in only, "published" not in only)
            for key, title, *only in columns
        ),
        rows_of(table.get("rows", "")),
        tuple(table.get("notes", ())),
    )


def rows_of(text: str) -> tuple[Row, ...]:
    """Return the rows written in *text*.

    A line ``# key | Title`` begins a section; ``key | label | figure | …`` is a row, whose key has
    the section's before it. A figure is ``-`` for none, or a number, its deviation in parentheses
    and its mark.

    Examples
    --------
    >>> rows_of("# wsc | WSC\\nours | RoBERTa | 90.1 (0.5)† | -")[0].cells
    (Published(text='90.1', sd='0.5', mark='†'), None)
    """
    rows, prefix, section = [], "", ""
    for line in text.strip().splitlines():
        parts = [part.strip() for part in line.removeprefix("#").split("|")]
        if line.startswith("#"):
            prefix, section = f"{parts[0]}/", parts[1]
        else:
            cells = tuple(_published(part) for part in parts[2:])
            rows.append(Row(prefix + parts[0], section, parts[1], cells))
    return tuple(rows)


def _published(text: str) -> Published | None:
    if text == "-":
        return None
    mark = text[-1] if text[-1] in "†‡" else ""
    number, _, sd = text.removesuffix(mark).removesuffix(")").partition("(")
    return Published(number.strip(), sd, mark)


TABLES = tables_of("winogrande") | tables_of("square_one")
KNOWLEDGE_TABLES = tables_of("winologic")
"""Those of WinoLogic, what they lack, and the table of reasons."""
