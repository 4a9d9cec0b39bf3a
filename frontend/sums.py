"""Sums of pay by kind and state."""

from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal

from workers.models import LedgerEntry

State = LedgerEntry.State


ZERO = Decimal("0.00")


@dataclass(frozen=True, slots=True)
class Cell:
    count: int
    sum: Decimal


@dataclass(frozen=True, slots=True)
class SumRow:
    """One kind of pay, with a cell for each state; the total is without what is void."""

    words: str
    cells: tuple[Cell, ...]

    @property
    def total(self) -> Cell:
        owed = [cell for state, cell in zip(State, self.cells, strict=True) if state != State.VOID]
        return Cell(sum(c.count for c in owed), sum((c.sum for c in owed), ZERO))


def column_sums(rows: Iterable[SumRow]) -> list[Cell]:
    """Sum the rows for each state, and the total last."""
    columns = list(zip(*((*row.cells, row.total) for row in rows), strict=True))
    return [
        Cell(sum(c.count for c in cells), sum((c.sum for c in cells), ZERO)) for cells in columns
    ]
