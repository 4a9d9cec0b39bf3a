"""A bare Django request, answered by the server that is measured: what ``ratio_bare`` divides by.

It reads one row by an index and inserts one, through the ORM and the platform's middleware, in two
transactions. A ratio to it holds on machines that differ by a factor of four.
"""

import secrets
from dataclasses import dataclass

import psutil

from benchmarks.clients import Client, Crowd, post

CLIENTS = 24


@dataclass(frozen=True)
class Cpu:
    """Processor seconds of the web server, and of its PostgreSQL where that is on this machine."""

    web: float
    database: float

    def __sub__(self, other: "Cpu") -> "Cpu":
        return Cpu(self.web - other.web, self.database - other.database)

    def __truediv__(self, count: float) -> "Cpu":
        return Cpu(self.web / count, self.database / count)

    @property
    def sum(self) -> float:
        return self.web + self.database


def cpu(server: psutil.Process) -> Cpu:
    """Return what both have used so far: load of other programs hardly changes it."""
    web = sum(map(_seconds, (server, *server.children(recursive=True))))
    return Cpu(web, _of_database())


def _of_database() -> float:
    """Count the server's processes that have ended, too; 0 where it is another machine's."""
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        backend = cursor.fetchone()[0]
    try:
        main = psutil.Process(backend).parent()
    except psutil.NoSuchProcess:
        return 0.0
    if main is None or "postgres" not in main.name():
        return 0.0
    ended = main.cpu_times()
    return sum(map(_seconds, (main, *main.children()))) + float(
        ended.children_user + ended.children_system
    )


def _seconds(process: psutil.Process) -> float:
    try:
        times = process.cpu_times()
    except psutil.NoSuchProcess:
        return 0.0
    return float(times.user + times.system)


def bare_cpu(port: int, server: psutil.Process, *, seconds: float) -> Cpu:
    """Return what one bare request costs, of many clients that ask without a pause."""
    from tests.races.crowd import make_users

    names = [user.username for user in make_users(f"bare-{secrets.token_hex(4)}-", CLIENTS)]
    _ask(port, names, seconds=seconds / 4)  # so that everything is loaded and planned
    before = cpu(server)
    count = _ask(port, names, seconds=seconds)
    return (cpu(server) - before) / count


def _ask(port: int, names: list[str], *, seconds: float) -> int:
    def asking(name: str) -> Client:
        while True:
            status, _ = yield post("bare", f"/bare/?name={name}")
            assert status == 200, f"the bare request answered {status}"

    clients = (("none", asking(name)) for name in names)
    return len(Crowd(port).run(clients, seconds=seconds).seconds["bare"])
