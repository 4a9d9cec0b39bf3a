"""Stream rows in the format that PostgreSQL writes: COPY … TO STDOUT."""

from collections.abc import Generator, Iterable, Iterator
from contextlib import contextmanager
from typing import Any

from django.db import DEFAULT_DB_ALIAS, connection, connections
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.models import QuerySet
from psycopg import Connection
from psycopg.pq import TransactionStatus

BLOCK = 64 * 1024
ONE_STATE = "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY"


def text_of(rows: "QuerySet[Any, Any]") -> str:
    """Return the SQL of a query set with its values inlined: COPY takes no parameters."""
    # Also of a query that Django knows to have no rows, which it would not write out.
    compiler = rows.query.get_compiler(connection=connection, elide_empty=False)
    sql, values = compiler.as_sql()
    with connection.cursor() as cursor:
        text: str = cursor.mogrify(sql, values)
        return text


def copied(statement: str) -> Generator[bytes, None, None]:
    """Yield the output of COPY, one row at a time."""
    with connection.cursor() as cursor, cursor.copy(statement) as copy:
        yield from map(bytes, copy)


def streamed(fact: str, statement: str) -> Generator[bytes, None, None]:
    """Yield the one value of the query *fact*, then the output of COPY, of the same state.

    There is no time limit: the reader determines the duration. Inside a transaction, the state is
    that transaction's.
    """
    with connection.cursor() as cursor, _one_state(cursor.connection):
        cursor.execute(fact)
        [value] = cursor.fetchone()
        yield str(value).encode()
        yield from copied(statement)


@contextmanager
def _one_state(session: Connection[Any]) -> Iterator[None]:
    """Read in a transaction of its own, unless there is one."""
    if session.info.transaction_status != TransactionStatus.IDLE:
        session.execute("SET LOCAL statement_timeout = 0")
        yield
        return
    # psycopg's own transaction: a generator may be closed in another thread, where Django's
    # ``atomic`` would end that thread's transaction.
    with session.transaction():
        session.execute(ONE_STATE)
        session.execute("SET LOCAL statement_timeout = 0")
        yield


@contextmanager
def beside_a_stream() -> Iterator[None]:
    """Use another connection while `streamed` reads from this thread's one.

    What is written then is stored at once: the stream's transaction is read-only, and rolled back
    if the reader breaks off.
    """
    reading = connections[DEFAULT_DB_ALIAS]
    if not _is_streaming(reading):
        yield
        return
    other = reading.copy()
    connections[DEFAULT_DB_ALIAS] = other
    try:
        yield
    finally:
        connections[DEFAULT_DB_ALIAS] = reading
        other.close()


def _is_streaming(used: BaseDatabaseWrapper) -> bool:
    """Whether a transaction is open that Django did not begin."""
    if used.in_atomic_block or used.connection is None:
        return False
    return bool(used.connection.info.transaction_status != TransactionStatus.IDLE)


def in_blocks(rows: Iterable[bytes]) -> Iterator[bytes]:
    """Yield *rows* joined to blocks of some size, each of whole rows."""
    content = bytearray()
    for row in rows:
        content += row
        if len(content) >= BLOCK:
            yield bytes(content)
            content.clear()
    if content:
        yield bytes(content)
