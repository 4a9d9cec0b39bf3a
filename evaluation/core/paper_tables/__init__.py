"""Tables of the two papers, with the published figures beside those measured here."""

from evaluation.core.paper_tables.figures import Figure, by_set, mean_of, measured
from evaluation.core.paper_tables.files import to_csv, to_latex
from evaluation.core.paper_tables.layout import (
    Cell,
    Column,
    Line,
    Measured,
    OwnRow,
    PaperTable,
    Published,
    Row,
    table_lines,
)
from evaluation.core.paper_tables.square_one import SQUARE_ONE_TABLES
from evaluation.core.paper_tables.winogrande import WINOGRANDE_TABLES

TABLES: dict[str, PaperTable] = {
    table.name: table for table in (*WINOGRANDE_TABLES, *SQUARE_ONE_TABLES)
}

__all__ = [
    "TABLES",
    "Cell",
    "Column",
    "Figure",
    "Line",
    "Measured",
    "OwnRow",
    "PaperTable",
    "Published",
    "Row",
    "by_set",
    "mean_of",
    "measured",
    "table_lines",
    "to_csv",
    "to_latex",
]
