"""The temporary tables of a plan, which the database keeps on disk."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from django.db import connection

_TABLES = (
    "planned_twin, planned_blind, planned_secret, planned_similar, planned_near, planned_turn, "
    "planned_named"
)
_CREATE = f"""
DROP TABLE IF EXISTS {_TABLES};
CREATE TEMPORARY TABLE planned_twin (
    twin bigint PRIMARY KEY, public_id uuid UNIQUE, split text, left_out text
);
CREATE TEMPORARY TABLE planned_blind (
    question text PRIMARY KEY, twin bigint, key text, is_kept boolean,
    is_new boolean, is_published boolean
);
CREATE TEMPORARY TABLE planned_secret (twin bigint PRIMARY KEY);
CREATE TEMPORARY TABLE planned_similar (blind bigint, question bigint);
CREATE TEMPORARY TABLE planned_near (
    blind bigint, other bigint, is_answered boolean, PRIMARY KEY (blind, other)
);
CREATE TEMPORARY TABLE planned_turn (
    role text, unit bigint, turn integer, PRIMARY KEY (role, unit)
);
CREATE TEMPORARY TABLE planned_named (question text, place integer);
CREATE INDEX ON planned_named (question);
"""
_DROP = f"DROP TABLE IF EXISTS {_TABLES}"


@contextmanager
def planning() -> Iterator[None]:
    """Create the tables for the block; they belong to the connection, so no other one sees them."""
    execute(_CREATE)
    try:
        yield
    finally:
        execute(_DROP)


def execute(statement: str, values: Any = None) -> int:
    """Execute a statement; return the number of rows."""
    with connection.cursor() as cursor:
        cursor.execute(statement, values)
        return int(cursor.rowcount)


def fetch(statement: str, values: Any = None) -> list[tuple[Any, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(statement, values)
        return list(cursor.fetchall())


def insert(table: str, rows: Iterable[Sequence[Any]], *, columns: Collection[str]) -> None:
    """Copy rows into one of the tables."""
    with connection.cursor() as cursor:
        into = f"COPY {table} ({', '.join(columns)}) FROM STDIN"
        with cursor.copy(into) as copy:
            for row in rows:
                copy.write_row(row)
