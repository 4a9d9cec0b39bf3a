"""Rows that PostgreSQL itself writes, as they come: COPY … TO STDOUT."""

from collections.abc import Generator
from typing import Any

from django.db import connection
from psycopg import sql


def copied(statement: str, **values: Any) -> Generator[bytes, None, None]:
    """Yield what COPY sends, a row at a time; ``{name}`` in *statement* stands for a value.

    COPY takes no parameters, so the values are written into it, quoted as literals.
    """
    literals = {name: sql.Literal(value) for name, value in values.items()}
    with connection.cursor() as cursor:
        # The statement is the program's own text; only the literals vary.
        query = sql.SQL(statement).format(**literals)  # type: ignore[arg-type]
        with cursor.copy(query.as_string(cursor.cursor)) as copy:
            yield from map(bytes, copy)


def streamed(statement: str, **values: Any) -> Generator[bytes, None, None]:
    """As ``copied``, without a time limit: the statement lasts as long as its reader takes."""
    # psycopg's own transaction: a generator may end in another thread, where Django's ``atomic``
    # would end that thread's.
    with connection.cursor() as cursor, cursor.connection.transaction():
        cursor.execute("SET LOCAL statement_timeout = 0")
        yield from copied(statement, **values)
