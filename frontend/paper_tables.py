"""The lines of a paper's table, as pages show them."""

from collections.abc import Sequence
from dataclasses import dataclass

from evaluation.core.paper_tables import Cell, Column, Line, OwnRow, PaperTable, table_lines


@dataclass(frozen=True, slots=True)
class LineView:
    """A line of the table, with each column beside its cell."""

    line: Line
    pairs: list[tuple[Column, Cell]]


def line_views(table: PaperTable, own: Sequence[OwnRow]) -> list[LineView]:
    """Return the lines of a table with the rows measured here, each column beside its cell."""
    return [
        LineView(line, list(zip(table.columns, line.cells, strict=True)))
        for line in table_lines(table, own)
    ]
