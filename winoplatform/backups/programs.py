"""PostgreSQL's own programs: pg_dump writes a database, pg_restore turns it into statements."""

import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

from psycopg import Connection
from psycopg.conninfo import make_conninfo

from winoplatform.backups.folder import BackupError
from winoplatform.embedded.postgres import program
from winoplatform.embedded.system import ServiceError

Session = Connection[Any]
COPY = re.compile(rb"COPY .* FROM stdin;\n")
END_OF_ROWS = b"\\.\n"
# A database of a version before 17 does not know it.
NOT_EVERYWHERE = b"SET transaction_timeout"
CHUNK_OF_ROWS = 1 << 20


def dump(session: Session, path: Path, *, snapshot: str, without_rows: list[str]) -> None:
    """Write the session's database as it is in *snapshot*, compressed.

    Raises
    ------
    BackupError
        With what pg_dump says.
    """
    least = session.info.server_version // 10_000
    tables = [word for table in without_rows for word in ("--exclude-table-data", table)]
    command = [
        *(str(_program("pg_dump", least)), "--format=custom", f"--file={path}"),
        *("--no-owner", "--no-privileges", f"--snapshot={snapshot}", *tables),
        *("--dbname", make_conninfo(**session.info.get_parameters())),
    ]
    password = {"PGPASSWORD": session.info.password} if session.info.password else {}
    done = subprocess.run(command, capture_output=True, text=True, env=_environment() | password)
    if done.returncode:
        raise BackupError(f"pg_dump could not write the database: {done.stderr.strip()}")


def load(session: Session, path: Path) -> None:
    """Restore a dump within the session's transaction, which the caller commits.

    pg_restore itself would commit before what is then to be ended and erased: so its statements
    are executed here.

    Raises
    ------
    BackupError
        If pg_restore cannot read the dump to its end.
    """
    before = session.execute("SELECT current_setting('search_path')").fetchone()
    with _script(path) as lines:
        _execute(session, lines)
    session.execute("SELECT set_config('search_path', %s, false)", before)


@contextmanager
def _script(path: Path) -> Iterator[IO[bytes]]:
    command = [str(_program("pg_restore", 0)), "--file=-", "--no-owner", "--no-comments", str(path)]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=_environment()
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        yield process.stdout
        reason = process.stderr.read().decode(errors="replace").strip()
        if process.wait():
            raise BackupError(f"pg_restore could not read {path}: {reason}")


def _execute(session: Session, lines: IO[bytes]) -> None:
    statements: list[bytes] = []
    for line in lines:
        if COPY.fullmatch(line):
            session.execute(b"".join(statements))
            statements.clear()
            _copy(session, line, lines)
        elif not line.startswith((b"--", b"\\", NOT_EVERYWHERE)):
            statements.append(line)
    session.execute(b"".join(statements))


def _copy(session: Session, statement: bytes, lines: IO[bytes]) -> None:
    """Copy the rows that follow a statement."""
    with session.cursor() as cursor, cursor.copy(statement) as copy:
        rows, size = [], 0
        for line in lines:
            if line == END_OF_ROWS:
                break
            rows.append(line)
            size += len(line)
            if size > CHUNK_OF_ROWS:
                copy.write(b"".join(rows))
                rows, size = [], 0
        copy.write(b"".join(rows))


def _program(name: str, least: int) -> Path:
    """Return a program of PostgreSQL that is of version *least* or later.

    Raises
    ------
    BackupError
        If there is none.
    """
    for path in _places(name):
        shown = subprocess.run([path, "--version"], capture_output=True, text=True).stdout
        version = re.search(r"\) (\d+)", shown)
        if version and int(version[1]) >= least:
            return path
    raise BackupError(f"There is no {name} of PostgreSQL {least} or later. Install its client.")


def _places(name: str) -> Iterator[Path]:
    try:
        wheel = program(name)
    except ServiceError:
        pass  # the package is not installed
    else:
        if wheel.exists():
            yield wheel
    if found := shutil.which(name):
        yield Path(found)


def _environment() -> dict[str, str]:
    """Return an environment without the caller's variables of PostgreSQL."""
    return {"PATH": os.environ.get("PATH", os.defpath), "LC_ALL": "C"}
