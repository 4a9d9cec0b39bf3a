"""The two roles of the database: one owns the tables and migrates, the processes have the other.

A table's owner can truncate it and disable its triggers, which are what makes the ledger and other
histories append-only. The processes' role owns nothing, so what it may do is what is granted here.

The functions take a session of psycopg that belongs to the owner.
"""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from psycopg import Connection
from psycopg.errors import InsufficientPrivilege, InternalError_
from psycopg.sql import SQL, Composed, Identifier, Literal

Session = Connection[Any]
# A row trigger BEFORE UPDATE OR DELETE without a condition refuses every change: bits 1 (row),
# 2 (before), 8 (delete) and 16 (update) of tgtype.
APPEND_ONLY = """
SELECT DISTINCT relname FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid
WHERE relnamespace = current_schema()::regnamespace AND NOT tgisinternal
  AND tgtype = 27 AND tgqual IS NULL AND tgattr::text = ''
ORDER BY relname
"""
MAY_DO_MORE = """
SELECT rolsuper OR rolcreaterole OR rolcreatedb
    OR EXISTS (SELECT FROM pg_class WHERE relowner = r.oid AND relkind IN ('r', 'p', 'S', 'v')
        AND relnamespace = current_schema()::regnamespace)
    OR pg_has_role(r.oid, (SELECT oid FROM pg_roles WHERE rolname = current_user), 'MEMBER')
FROM pg_roles r WHERE rolname = %s
"""
SESSIONS = "FROM pg_stat_activity WHERE usename = %s AND datname = current_database()"
GRANTS = """
REVOKE CREATE ON SCHEMA {schema} FROM PUBLIC;
REVOKE ALL ON ALL TABLES IN SCHEMA {schema} FROM {role};
REVOKE ALL ON ALL SEQUENCES IN SCHEMA {schema} FROM {role};
GRANT USAGE ON SCHEMA {schema} TO {role};
GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA {schema} TO {role};
GRANT USAGE ON ALL SEQUENCES IN SCHEMA {schema} TO {role};
ALTER DEFAULT PRIVILEGES IN SCHEMA {schema}
    GRANT SELECT, INSERT, UPDATE, DELETE ON TABLES TO {role};
ALTER DEFAULT PRIVILEGES IN SCHEMA {schema} GRANT USAGE ON SEQUENCES TO {role};
"""


class RoleError(RuntimeError):
    """The roles cannot be used as they are; the message says why and what to do."""


def append_only(session: Session) -> list[str]:
    """Return the tables whose triggers refuse every change of a row."""
    return [name for (name,) in session.execute(APPEND_ONLY)]


def provide(session: Session, role: str, password: str = "") -> None:
    """Create the processes' role, or give it its present password and let it sign in again.

    Raises
    ------
    RoleError
        If the role may do more than is granted here, or is missing and cannot be created.
    """
    role_row = session.execute(MAY_DO_MORE, [role]).fetchone()
    if role_row and role_row[0]:
        raise RoleError(
            f"The role “{role}” of DATABASE_URL is a superuser, owns tables, or may act as their "
            "owner. Name another role there, and the owner in DATABASE_OWNER_URL."
        )
    verb = "ALTER" if role_row else "CREATE"
    # Encrypted here: the server's log may show statements.
    secret = session.pgconn.encrypt_password(password.encode(), role.encode()).decode()
    statement = SQL(verb + " ROLE {role} LOGIN PASSWORD {secret}").format(
        role=Identifier(role), secret=Literal(secret if password else None)
    )
    try:
        _execute_alone(session, statement)
    except InsufficientPrivilege:
        if not role_row:
            raise RoleError(
                f"The owner may not create the role “{role}”. Create it as a superuser: "
                f"CREATE ROLE {role} LOGIN PASSWORD '…';"
            ) from None


def _execute_alone(session: Session, statement: Composed) -> None:
    """Change a role, again if the processes of another database of the server change it now."""
    for wait in (0.1, 0.3, 1.0, None):
        try:
            with session.transaction():
                session.execute(statement)
        except (
            InternalError_
        ) as error:  # "tuple concurrently updated", which has no code of its own
            if wait is None or "concurrently" not in str(error):
                raise
            time.sleep(wait)
        else:
            return


def grant(session: Session, role: str) -> None:
    """Grant the processes' role what they need of every table, and nothing more."""
    schema_row = session.execute("SELECT current_schema()").fetchone()
    assert schema_row is not None
    names = {"schema": Identifier(schema_row[0]), "role": Identifier(role)}
    with session.transaction():
        session.execute(SQL(GRANTS).format(**names))
        for table in append_only(session):
            _revoke(session, "UPDATE, DELETE", table, role)
        if session.execute("SELECT to_regclass('django_migrations')").fetchone() != (None,):
            _revoke(session, "INSERT, UPDATE, DELETE", "django_migrations", role)


@contextmanager
def locked_out(session: Session, role: str) -> Iterator[None]:
    """Let no process use the database in a block: sessions end, and new ones are refused.

    If this process is killed, the role stays locked out until `provide` lets it in.

    Raises
    ------
    RoleError
        If the owner may not do so, and processes are connected.
    """
    login = SQL("ALTER ROLE {} ").format(Identifier(role))
    try:
        with session.transaction():
            session.execute(login + SQL("NOLOGIN"))
            session.execute(f"SELECT pg_terminate_backend(pid) {SESSIONS}", [role])
    except InsufficientPrivilege:
        if session.execute(f"SELECT pid {SESSIONS}", [role]).fetchone():
            raise RoleError(
                "Processes use the database, and its owner may not end their sessions. Stop web, "
                "workers and beat, then migrate again."
            ) from None
        yield
        return
    try:
        yield
    finally:
        session.execute(login + SQL("LOGIN"))


def _revoke(session: Session, rights: str, table: str, role: str) -> None:
    statement = SQL("REVOKE " + rights + " ON {} FROM {}")
    session.execute(statement.format(Identifier(table), Identifier(role)))
