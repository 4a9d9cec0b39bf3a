"""Rows that PostgreSQL itself writes, as they come: COPY … TO STDOUT."""

from collections.abc import Generator
from typing import Any

from django.db import connection
from django.db.models import QuerySet


def text_of(rows: "QuerySet[Any, Any]") -> str:
    """The SQL of a query set with its values written into it: COPY takes no parameters."""
    sql, values = rows.query.sql_with_params()
    with connection.cursor() as cursor:
        text: str = cursor.mogrify(sql, values)
        return text


def copied(statement: str) -> Generator[bytes, None, None]:
    """Yield what COPY sends, a row at a time."""
    with connection.cursor() as cursor, cursor.copy(statement) as copy:
        yield from map(bytes, copy)


def streamed(statement: str) -> Generator[bytes, None, None]:
    """As ``copied``, without a time limit: the statement lasts as long as its reader takes."""
    # psycopg's own transaction: a generator may end in another thread, where Django's ``atomic``
    # would end that thread's.
    with connection.cursor() as cursor, cursor.connection.transaction():
        cursor.execute("SET LOCAL statement_timeout = 0")
        yield from copied(statement)
