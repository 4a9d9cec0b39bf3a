"""Statements that lack a part and tables without triggers, for controls that lose."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from django.db import connection

from winoplatform.db.prepared import Prepared


def without(part: str, prepared: Prepared[Any], monkeypatch: pytest.MonkeyPatch) -> None:
    """Take *part*, such as a lock, out of a statement that everybody uses."""
    sql, _ = prepared.statement
    assert part in sql
    cut = prepared.statement._replace(sql=sql.replace(part, ""))
    monkeypatch.setattr(prepared, "statement", cut)


@contextmanager
def disabled_triggers(table: str) -> Iterator[None]:
    with connection.cursor() as cursor:
        cursor.execute(f"ALTER TABLE {table} DISABLE TRIGGER USER")
        try:
            yield
        finally:
            cursor.execute(f"ALTER TABLE {table} ENABLE TRIGGER USER")
