"""What a table of a paper consists of, and how figures measured here get beside its own."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field


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
class Measured:
    """A figure measured here, as a share.

    Parameters
    ----------
    value, low, high : float or None
        With its 95 % interval; of several seeds, of their mean.
    n : int
        Questions or groups.
    sd : float or None
        Over seeds; None for fewer than two.
    n_people : int
        Of a figure of people, whose ``low`` and ``high`` are for these people; else 0.
    people_low, people_high : float or None
        For people like them; None if there are too few.
    """

    value: float | None
    low: float | None = None
    high: float | None = None
    n: int = 0
    sd: float | None = None
    n_people: int = 0
    people_low: float | None = None
    people_high: float | None = None


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

    published: Published | None = None
    measured: Measured | None = None


@dataclass(frozen=True, slots=True)
class Line:
    """A line of the filled table, with a cell for each column."""

    section: str
    label: str
    cells: tuple[Cell, ...]
    model: str = ""
    evaluations: str = field(default="")


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
        published = dict(
            zip((one.key for one in table.columns if one.is_published), row.cells, strict=True)
        )
        repeated = [one for one in own if one.row == row.key]
        for one in repeated or [OwnRow(row.key, "", {})]:
            cells = tuple(
                Cell(published.get(column.key), one.figures.get(column.key))
                for column in table.columns
            )
            yield Line(section, row.label, cells, one.model, one.evaluations)
    for one in (one for one in own if not one.row and one.section == section):
        cells = tuple(Cell(None, one.figures.get(column.key)) for column in table.columns)
        yield Line(section, one.label, cells, one.model, one.evaluations)


def _check(table: PaperTable, own: Sequence[OwnRow]) -> None:
    rows = {"", *(row.key for row in table.rows)}
    columns = {column.key for column in table.columns if column.is_measured}
    for one in own:
        if one.row not in rows:
            raise ValueError(f"row must be one of {table.name}, got {one.row!r}")
        if unknown := set(one.figures) - columns:
            raise ValueError(f"figures must be measured columns of {table.name}, got {unknown}")


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
