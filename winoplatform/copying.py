"""Stream rows in the format that PostgreSQL writes: COPY … TO STDOUT."""

from collections.abc import Generator
from typing import Any

from django.db import connection
from django.db.models import QuerySet


def text_of(rows: "QuerySet[Any, Any]") -> str:
    """Return the SQL of a query set with its values inlined: COPY takes no parameters."""
    sql, values = rows.query.sql_with_params()
    with connection.cursor() as cursor:
        text: str = cursor.mogrify(sql, values)
        return text


def copied(statement: str) -> Generator[bytes, None, None]:
    """Yield the output of COPY, one row at a time."""
    with connection.cursor() as cursor, cursor.copy(statement) as copy:
        yield from map(bytes, copy)


def streamed(statement: str) -> Generator[bytes, None, None]:
    """Yield as ``copied`` does, without a time limit: the reader determines the duration."""
    # psycopg's own transaction: a generator may be closed in another thread, where Django's
    # ``atomic`` would end that thread's transaction.
    with connection.cursor() as cursor, cursor.connection.transaction():
        cursor.execute("SET LOCAL statement_timeout = 0")
        yield from copied(statement)
