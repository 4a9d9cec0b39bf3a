"""The staged rows of an import: temporary tables with the columns of the exported ones."""

from collections.abc import Mapping
from pathlib import Path

from django.db import connection
from django.db.backends.utils import CursorWrapper

from collection.models import Campaign
from validation.imports.files import rows_of
from validation.imports.refusals import Refused
from validation.selectors.tables.table import Table
from winoplatform.db.copying import text_of
from winoplatform.exporting.columns import Column, Kind

TYPES = {
    Kind.TEXT: "text",
    Kind.TYPED: "text",
    Kind.INTEGER: "integer",
    Kind.NUMBER: "numeric",
    Kind.FLAG: "boolean",
    Kind.TIME: "timestamptz",
    Kind.JSON: "jsonb",
}


def stage(cursor: CursorWrapper, name: str, path: Path, columns: Mapping[str, Column]) -> int:
    """COPY the rows of a file to the table ``staged_<name>``; return their number.

    ``line`` is the row's line in the file; the order of lines is the order of rows.
    """
    make_table(cursor, name, columns)
    count = 0
    with cursor.copy(f"COPY staged_{name} FROM STDIN") as copy:
        for line, values in rows_of(path, columns):
            copy.write_row((line, *values))
            count += 1
    cursor.execute(f"ANALYZE pg_temp.staged_{name}")
    return count


def make_table(cursor: CursorWrapper, name: str, columns: Mapping[str, Column]) -> None:
    """Make an empty table ``staged_<name>``."""
    fields = ", ".join(f"{key} {TYPES[column.kind]}" for key, column in columns.items())
    cursor.execute(f"DROP TABLE IF EXISTS pg_temp.staged_{name}")
    cursor.execute(f"CREATE TEMPORARY TABLE staged_{name} (line bigint, {fields}) ON COMMIT DROP")


def refuse_first(cursor: CursorWrapper, path: Path, select: str, sentence: str) -> None:
    """Refuse the file at the first line of *select*; none is good."""
    cursor.execute(f"SELECT min(line) FROM ({select}) AS wrong")
    [line] = cursor.fetchone()
    if line is not None:
        raise Refused(path.name, line, sentence)


def refuse_differing(
    cursor: CursorWrapper, campaign: Campaign, name: str, path: Path, table: Table
) -> None:
    """Refuse the file if the campaign's export would not give each of its rows again."""
    columns = table.columns(campaign)
    stored = text_of(table.rows(campaign).values_list(*(c.value for c in columns.values())))
    key = next(iter(columns))
    differing = ", ".join(
        f"CASE WHEN {_plain('line', c, kind)} IS DISTINCT FROM {_plain('s', c, kind)} "
        f"THEN '{c}' END"
        for c, kind in ((c, column.kind) for c, column in columns.items())
    )
    with connection.cursor() as found:
        found.execute(
            f"SELECT s.line, array_remove(ARRAY[{differing}], NULL) AS differing "
            f"FROM pg_temp.staged_{name} s "
            f"LEFT JOIN ({stored}) AS line ({', '.join(columns)}) ON line.{key}::text = s.{key} "
            f"WHERE cardinality(array_remove(ARRAY[{differing}], NULL)) > 0 "
            "ORDER BY s.line LIMIT 1"
        )
        row = found.fetchone()
    if row is not None:
        raise Refused(path.name, row[0], _says(row[1]))


def _says(differing: list[str]) -> str:
    return (
        f"An export of the imported row would differ in {', '.join(differing)}: the file was "
        "changed, or the campaign has another row with this id."
    )


def _plain(table: str, column: str, kind: Kind) -> str:
    return f"{table}.{column}::text" if kind is Kind.TEXT else f"{table}.{column}"
