"""What a table of a paper consists of, and how figures measured here get beside its own."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

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
    sections += [one.section for one in own if not one.row and one.section not in sections]
    return [line for name in dict.fromkeys(sections) for line in _section(table, own, name)]


def _section(table: PaperTable, own: Sequence[OwnRow], section: str) -> Iterator[Line]:
    for row in (row for row in table.rows if row.section == section):
        repeated = [one for one in own if one.row == row.key]
        for one in repeated or [OwnRow(row.key, "", {})]:
            yield _line(table, one, section, row.label, row.cells)
    for one in (one for one in own if not one.row and one.section == section):
        yield _line(table, one, section, one.label)


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
    for one in own:
        if one.row not in rows:
            raise ValueError(f"row must be one of {table.name}, got {one.row!r}")
        if unknown := set(one.figures) - columns:
            raise ValueError(f"figures must be measured columns of {table.name}, got {unknown}")
