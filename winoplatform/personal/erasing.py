"""Empty and delete what the declarations say, of one person or after a period."""

from collections.abc import Iterator, Mapping
from datetime import datetime, timedelta
from typing import Any

from django.contrib.postgres.functions import RandomUUID
from django.db import connection, transaction
from django.db.models import Q, QuerySet, TextField, Value
from django.db.models.functions import Cast, Concat

from winoplatform.personal.declarations import ERASED, Holding, Identity, holdings

RANDOM_PREFIX = "erased-"
Counts = dict[str, int]


def counts_of(person: Identity) -> Counts:
    """Return how many rows of each table are about a person or have a text of theirs.

    In one statement, since a page shows them.
    """
    personal = [h for h in holdings() if h.about or h.wrote or h.further is not None]
    queries = [holding.rows_tied(person).order_by().values("pk").query for holding in personal]
    compiled = [query.get_compiler(connection=connection, elide_empty=False) for query in queries]
    parts, values = [], []
    for sql, given in (compiler.as_sql() for compiler in compiled):
        parts.append(f"(SELECT count(*) FROM ({sql}) AS tied)")
        values += given
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT {', '.join(parts)}", values)
        numbers = cursor.fetchone()
    return {holding.table: n for holding, n in zip(personal, numbers, strict=True) if n}


@transaction.atomic
def erase_rows(person: Identity) -> Counts:
    """Empty and delete the rows of a person; return how many of each table changed.

    Repeating it changes nothing. Columns that an account's service renews are left to it.
    """
    changed: Counts = {}
    for holding in holdings():
        if holding.release is not None:
            holding.release(person.pk)
    for holding in holdings():
        number = sum(_erase_table(holding, person))
        if number:
            changed[holding.table] = number
    return changed


def _erase_table(holding: Holding, person: Identity) -> Iterator[int]:
    if holding.function:
        yield _call(holding.function, person.pk)
        return
    if holding.eraser is not None:
        yield holding.eraser(person.pk)
    if holding.about or holding.further is not None:
        yield empty_rows(holding, holding.rows_about(person))
    for path, columns in holding.wrote.items():
        rows = holding.rows([path], person)
        yield _update(holding, rows, {*columns} if columns else {*holding.emptied})


def empty_rows(holding: Holding, rows: "QuerySet[Any]") -> int:
    """Delete rows, or empty all their columns that a person is erased from."""
    if holding.is_deleted:
        return int(rows._raw_delete(rows.db))
    return _update(holding, rows, {*holding.emptied})


def _update(holding: Holding, rows: "QuerySet[Any]", columns: set[str]) -> int:
    """Empty *columns* where they are not empty yet; a row counts once for each kind."""
    number = 0
    values = _empty_values(holding, columns)
    if values:
        full = Q(*[~Q(_is(name, value)) for name, value in values.items()], _connector=Q.OR)
        number += rows.filter(full).update(**values)
    for name in columns & {*holding.word}:
        number += rows.exclude(**{f"{name}__in": ["", ERASED]}).update(**{name: ERASED})
    for name in columns & {*holding.random}:
        key = Concat(Value(RANDOM_PREFIX), Cast(RandomUUID(), TextField()))
        number += rows.exclude(**{f"{name}__startswith": RANDOM_PREFIX}).update(**{name: key})
    return number


def _empty_values(holding: Holding, columns: set[str]) -> dict[str, Any]:
    values: dict[str, Any] = dict.fromkeys(columns & {*holding.zeroed}, 0)
    for name in columns & {*holding.blank}:
        column: Any = holding.model._meta.get_field(name)
        values[name] = None if column.null else column.get_default() if column.has_default() else ""
    return values


def _is(name: str, value: Any) -> tuple[str, Any]:
    return (f"{name}__isnull", True) if value is None else (name, value)


def _call(function: str, *values: Any) -> int:
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT {function}({', '.join(['%s'] * len(values))})", values)
        [number] = cursor.fetchone()
    return int(number)


def sweep(*, now: datetime) -> Counts:
    """Empty and delete what has been kept for its period; return how many rows of each table."""
    changed: Counts = {}
    for holding in holdings():
        period = holding.period
        if period is None or not period.days:
            continue
        before = now - timedelta(days=period.days)
        if holding.function:
            number = _call(f"{holding.function}_before", before)
        else:
            with transaction.atomic():
                number = empty_rows(holding, period.due(holding.model._base_manager.all(), before))
        if number:
            changed[holding.table] = number
    return changed


def since(column: str, **only: Any) -> Any:
    """Return the condition of a `Period` whose days count from a time in a column."""

    def due(rows: Any, before: datetime) -> Any:
        return rows.filter(**{f"{column}__lt": before}, **only)

    return due


def rows_by_table(counts: Mapping[str, int]) -> list[tuple[Holding, int]]:
    """Return counts with their declarations, most rows first."""
    counted = [
        (holding, counts[holding.table]) for holding in holdings() if counts.get(holding.table)
    ]
    return sorted(counted, key=lambda pair: -pair[1])
