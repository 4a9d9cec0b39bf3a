"""The cost of a bare Django request at the measured server: the divisor of ``ratio_bare``.

It reads one row by an index and inserts one, with the ORM and the platform's middleware, in two
transactions. Ratios to it agree on machines whose speeds differ by a factor of four.
"""

import secrets
from dataclasses import dataclass

import psutil

from benchmarks.clients import Client, Crowd, post

CLIENTS = 24


@dataclass(frozen=True)
class Cpu:
    """Processor seconds of the web server, and of PostgreSQL if it is on this machine."""

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
    """Return the processor time used so far; other load hardly affects it."""
    return Cpu(cpu_of(server), _of_database())


def cpu_of(process: psutil.Process, *, alone: bool = False) -> float:
    """Return the processor seconds of a process, and of those below it unless *alone*."""
    below = [] if alone else process.children(recursive=True)
    return sum(map(_seconds, (process, *below)))


def _of_database() -> float:
    """Include the server's finished processes; 0 if it is on another machine."""
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
    """Return the cost of one bare request, with many clients that send without pauses."""
    from tests.races.crowd import make_users

    names = [user.username for user in make_users(f"bare-{secrets.token_hex(4)}-", CLIENTS)]
    _ask(port, names, seconds=seconds / 4)  # warm-up: modules loaded, statements planned
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
