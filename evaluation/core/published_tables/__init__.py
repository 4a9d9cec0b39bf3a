"""Tables of the papers, with the published figures beside those measured here."""

from evaluation.core.published_tables.files import WRITERS, to_csv, to_latex
from evaluation.core.published_tables.layout import (
    KNOWLEDGE_TABLES,
    TABLES,
    Cell,
    Figure,
    FilledTable,
    Measured,
    OwnRow,
    PaperTable,
    Published,
    by_set,
    mean_of,
    table_lines,
)
