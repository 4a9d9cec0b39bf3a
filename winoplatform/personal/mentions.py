"""Where a text stands in the database: in any column of any table, with a model or without."""

from collections.abc import Iterable
from dataclasses import dataclass

from django.db import connection

SEARCHED = """
SELECT c.relname, array_agg(a.attname ORDER BY a.attnum) FROM pg_class c
JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
JOIN pg_type t ON t.oid = a.atttypid LEFT JOIN pg_type e ON e.oid = t.typelem
WHERE c.relkind IN ('r', 'm', 'p') AND c.relnamespace = current_schema()::regnamespace
  AND (t.typcategory = 'S' OR e.typcategory = 'S' AND t.typcategory = 'A'
    OR t.typname IN ('json', 'jsonb', 'inet', 'bytea'))
GROUP BY c.relname ORDER BY c.relname
"""
SHORTEST = 4
"""Characters of a text that is searched for: shorter ones stand in other words."""


@dataclass(frozen=True, slots=True)
class Mention:
    """A column with texts of which some contain a name."""

    table: str
    column: str
    rows: int


def long_enough(names: Iterable[str]) -> list[str]:
    """Return the names that can be searched for in texts."""
    return [name for name in names if len(name) >= SHORTEST]


def mentions(names: Iterable[str]) -> list[Mention]:
    """Return the columns that contain one of *names*, in any case; every table is read."""
    wanted = sorted({name.casefold() for name in long_enough(names)})
    if not wanted:
        return []
    with connection.cursor() as cursor:
        cursor.execute(SEARCHED)
        tables = cursor.fetchall()
        return [
            mention for table, columns in tables for mention in _in(cursor, table, columns, wanted)
        ]


def _in(cursor: object, table: str, columns: list[str], wanted: list[str]) -> list[Mention]:
    quote = connection.ops.quote_name
    counts = [
        f"count(*) FILTER (WHERE lower({quote(column)}::text) ~~ ANY (%s))" for column in columns
    ]
    patterns = [f"%{_literal(name)}%" for name in wanted]
    cursor.execute(  # type: ignore[attr-defined]
        f"SELECT {', '.join(counts)} FROM {quote(table)}", [patterns] * len(columns)
    )
    counted = cursor.fetchone()  # type: ignore[attr-defined]
    return [Mention(table, name, n) for name, n in zip(columns, counted, strict=True) if n]


def _literal(name: str) -> str:
    return name.replace("\\", "\\\\").replace("%", r"\%").replace("_", r"\_")
