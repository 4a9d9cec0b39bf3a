"""Queries that the database parses and plans once per connection.

Django compiles each query again and binds values on the client, so PostgreSQL also plans it
again; for a short query, both take longer than running it. Use this module for the requests that
limit the platform's throughput.
"""

from collections.abc import Callable, Sequence
from contextlib import nullcontext
from functools import cached_property, wraps
from threading import Lock
from typing import Any, Generic, NamedTuple, ParamSpec, TypeVar

from django.db import connection, transaction
from django.db.models import Expression, Field, Model, QuerySet
from django.db.models.expressions import RawSQL
from django.db.models.query import get_related_populators
from django.db.models.sql import InsertQuery, UpdateQuery
from psycopg import Cursor

from winoplatform.db import slow

M = TypeVar("M", bound=Model)
R = TypeVar("R")
P = ParamSpec("P")


def once(make: Callable[P, R]) -> Callable[P, R]:
    """Decorate a function that makes a prepared query, so that one thread makes it, on first use.

    Compiling takes milliseconds, and with ``functools.cache`` all threads of a new process would
    compile at the same time.
    """
    values: dict[Any, R] = {}
    lock = Lock()

    @wraps(make)
    def result(*args: P.args, **_: P.kwargs) -> R:
        if args not in values:
            with lock:
                if args not in values:
                    values[args] = make(*args)  # type: ignore[call-arg]
        return values[args]

    return result


def rows(sql: str, values: Any) -> list[tuple[Any, ...]]:
    """Run *sql*, which returns rows, in the current transaction if there is one."""
    connection.ensure_connection()
    connection.validate_no_broken_transaction()
    with (
        connection.wrap_database_errors,
        slow.timed(sql),
        Cursor(connection.connection) as cursor,
    ):
        cursor.execute(sql, values, prepare=True)
        return cursor.fetchall()


class Placeholder(Expression):
    """A placeholder in a ``Prepared`` query for a value that is given when it runs."""

    def __init__(self, name: str, output_field: "Field[Any, Any] | None" = None) -> None:
        super().__init__(output_field=output_field)
        self.name = name

    def as_sql(self, compiler: Any, connection: Any) -> Any:
        return "%s", (self,)


class Statement(NamedTuple):
    """SQL and its values, which may contain ``Placeholder`` expressions."""

    sql: str
    values: Sequence[Any]

    def filled(self, **given: Any) -> "Statement":
        """Return a statement with the placeholders replaced by the given values."""
        arguments = [
            given[each.name] if isinstance(each, Placeholder) else each for each in self.values
        ]
        return Statement(self.sql, arguments)


NOTHING = Statement("SELECT", ())


def updating(queryset: "QuerySet[Any, Any]", **changes: Any) -> Statement:
    """Return the statement that stores *changes* in the rows of a query set."""
    update: Any = queryset.query.chain(UpdateQuery)
    update.add_update_values(changes)
    return Statement(*update.get_compiler(queryset.db).as_sql())


class Prepared(Generic[M]):
    """A query set compiled once to a statement, and run with values for its placeholders.

    Parameters
    ----------
    queryset
        The query, as it is to be run each time.
    changes
        Store these in the row found (at most one) in the same statement. The query set should
        lock the row; the result has the new values.
    is_timed
        Also return the database's time, taken after the query set's rows have been locked.
    """

    def __init__(
        self, queryset: "QuerySet[M, Any]", *, is_timed: bool = False, **changes: Any
    ) -> None:
        self._compiler = queryset.query.get_compiler(queryset.db)
        # Django writes no lock into a query outside of a transaction.
        with transaction.atomic() if queryset.query.select_for_update else nullcontext():
            self.statement = Statement(*self._compiler.as_sql())
        columns = [column for column, *_ in self._compiler.select]
        self._converters = self._compiler.get_converters(columns)
        fields: list[Any] = [queryset.model._meta.get_field(name) for name in changes]
        self._width, self._changed = len(columns), [field.attname for field in fields]
        if changes:
            self._change(queryset, changes)
        if is_timed:
            sql = (
                f"WITH found AS ({self.statement.sql}) SELECT found.*, clock_timestamp() FROM found"
            )
            self.statement = self.statement._replace(sql=sql)

    def _change(self, queryset: "QuerySet[M, Any]", changes: dict[str, Any]) -> None:
        updated = queryset.model._base_manager.filter(pk=RawSQL("SELECT key FROM found", ()))
        sql, values = updating(updated, **changes)
        self.statement = Statement(
            f"WITH found (key) AS ({self.statement.sql}), "
            f"changed AS ({sql} RETURNING {', '.join(self._changed)}) "
            "SELECT found.*, changed.* FROM found, changed",
            (*self.statement.values, *values),
        )

    def rows(self, **given: Any) -> list[tuple[Any, ...]]:
        """Run it; return the columns of each row."""
        result_rows = rows(*self.statement.filled(**given))
        if self._converters:
            return [*map(tuple, self._compiler.apply_converters(result_rows, self._converters))]
        return result_rows

    def all(self, **given: Any) -> list[M]:
        """Run the statement and return objects, with their selected related objects."""
        return [self._instance(row) for row in self.rows(**given)]

    def first(self, **given: Any) -> M | None:
        return next(iter(self.all(**given)), None)

    def _instance(self, row: tuple[Any, ...]) -> M:
        model, names, start, end, related, annotated = self._reading
        made: M = model.from_db(connection.alias, names, row[start:end])
        for populator in related:
            populator.populate(row, made)
        for name, place in annotated:
            setattr(made, name, row[place])
        for name, value in zip(self._changed, row[self._width :], strict=True):
            setattr(made, name, value)
        return made

    @cached_property
    def _reading(self) -> tuple[Any, ...]:
        """Return how to read a row, as ``django.db.models.query.ModelIterable`` does."""
        compiler = self._compiler
        info, select = compiler.klass_info, compiler.select
        fields = info["select_fields"]
        start, end = fields[0], fields[-1] + 1
        names = [column.target.attname for column, *_ in select[start:end]]
        related = get_related_populators(info, select, connection.alias)  # type: ignore[call-arg]
        return info["model"], names, start, end, related, [*compiler.annotation_col_map.items()]


@once
def _inserting(model: type[Model]) -> tuple[str, tuple[str, ...]]:
    fields = [field for field in model._meta.concrete_fields if not field.primary_key]
    query = InsertQuery(model)
    query.insert_values(
        fields, [model(**{each.attname: Placeholder(each.attname) for each in fields})]
    )
    compiler = query.get_compiler(connection.alias)
    compiler.returning_fields = [model._meta.pk]
    [(sql, values)] = compiler.as_sql()
    return sql, tuple(value.name for value in values)


def inserting(new: Model) -> Statement:
    """Return the statement that stores a new object and returns its key.

    The object's fields must hold database values: no JSON, no expressions. No signal is sent and
    no constraint is validated in Python.
    """
    sql, names = _inserting(type(new))
    return Statement(sql, [getattr(new, name) for name in names])


def insert(new: Model, *others: Statement, read: Statement = NOTHING) -> list[tuple[Any, ...]]:
    """Store *new*, run *others*, and return what *read* read before them, in one round trip."""
    stored = inserting(new)
    parts = [f"also{number} AS ({other.sql})" for number, other in enumerate(others)]
    sql = (
        f"WITH {', '.join([*parts, ''])}stored (key) AS ({stored.sql}), read AS ({read.sql}) "
        "SELECT key, read.* FROM stored LEFT JOIN read ON TRUE"
    )
    inserted = rows(sql, [value for part in (*others, stored, read) for value in part.values])
    new.pk, new._state.adding, new._state.db = inserted[0][0], False, connection.alias
    return [row[1:] for row in inserted]
