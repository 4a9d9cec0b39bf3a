"""Statements written by hand that the database parses and plans once per connection.

Django binds values on its own side, so PostgreSQL plans each of its queries anew: for a short one
that takes longer than the query. Where a request is the platform's pace, this way is worth it.
"""

from typing import Any

from django.db import connection
from psycopg import Cursor


def rows(sql: str, values: dict[str, Any]) -> list[tuple[Any, ...]]:
    """Run *sql*, which returns rows, in the present transaction if there is one."""
    connection.ensure_connection()
    connection.validate_no_broken_transaction()
    with connection.wrap_database_errors, Cursor(connection.connection) as cursor:
        cursor.execute(sql, values, prepare=True)
        return cursor.fetchall()
