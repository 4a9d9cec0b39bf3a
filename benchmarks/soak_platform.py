"""The whole platform under the soak, and what kills its processes."""

import os
import signal
import subprocess
import sys
import tempfile
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from random import Random

import psutil

from benchmarks.database import close_connections
from benchmarks.writers import PATIENCE_SECONDS, free_port, wait_for

KILL_SECONDS = (3.0, 7.0)
KINDS = ("web", "web", "web server", "worker", "pool", "beat", "redis", "database")
SERVICES = {"redis": "redis-server", "database": "postgres"}


@dataclass(frozen=True)
class Running:
    """Where the platform answers, its main process and its log."""

    port: int
    process: psutil.Process
    log: Path
    tls: bool


@contextmanager
def platform(*, behind_proxy: bool) -> Iterator[Running]:
    """Run the whole platform, as ``make run`` does, on this process's database."""
    from django.conf import settings

    from tests.served.proxy import Proxy

    with tempfile.TemporaryDirectory(prefix="soak-") as name:
        folder, outer = Path(name), free_port()
        public = f"https://localhost:{outer}" if behind_proxy else ""
        with _served(folder / "serve.log", public) as (port, process):
            if not behind_proxy:
                yield Running(port, process, folder / "serve.log", tls=False)
                return
            files = Path(settings.STATIC_ROOT)
            proxy = Proxy(folder, web=port, files=files, http=free_port(), https=outer)
            proxy.start()
            try:
                yield Running(outer, process, folder / "serve.log", tls=True)
            finally:
                proxy.stop()


def key_prefix() -> str:
    """Return what the names of this platform's keys in Redis begin with."""
    return f"soak-{os.getpid()}:"


@contextmanager
def _served(log: Path, public: str) -> Iterator[tuple[int, psutil.Process]]:
    from tests.races.processes import database_url

    port = free_port()
    environment = os.environ | {
        "DATABASE_URL": database_url(),
        "REDIS_KEY_PREFIX": key_prefix(),
        "RUN_LEASE_SECONDS": "5",
        "RUN_DISPATCH_SECONDS": "2",
    }
    environment |= {"PUBLIC_URL": public} if public else {}
    command = [sys.executable, "manage.py", "serve", "--port", str(port)]
    with log.open("wb") as file:
        process = subprocess.Popen(command, env=environment, stdout=file, stderr=file)
    try:
        wait_for(port)
        yield port, psutil.Process(process.pid)
    finally:
        process.send_signal(signal.SIGINT)
        process.wait(PATIENCE_SECONDS)


@contextmanager
def killing(running: Running, random: Random) -> Iterator[Counter[str]]:
    """Kill processes of the platform until the end of the block; count them by kind.

    The platform starts its own processes and Redis again, and this process PostgreSQL, which it
    started for the benchmark. Afterwards PostgreSQL runs, and broken connections are closed.
    """
    over, killed = threading.Event(), Counter[str]()
    threads = [
        threading.Thread(target=_kill, args=(running.process, random, over, killed)),
        threading.Thread(target=_keep_database, args=(over,)),
    ]
    for thread in threads:
        thread.start()
    try:
        yield killed
    finally:
        over.set()
        for thread in threads:
            thread.join()
        _hold_database()
        close_connections()


def _kill(
    process: psutil.Process, random: Random, over: threading.Event, killed: Counter[str]
) -> None:
    while not over.wait(random.uniform(*KILL_SECONDS)):
        kind = random.choice(KINDS)
        victims = _victims(process).get(kind)
        if victims:
            with suppress(psutil.NoSuchProcess):
                random.choice(victims).kill()
                killed[kind] += 1


def _keep_database(over: threading.Event) -> None:
    while not over.wait(1.0):
        _hold_database()


def _hold_database() -> None:
    from django.conf import settings

    from winoplatform import embedded

    if settings.DATABASES["default"]["ENGINE"] == "winoplatform.embedded.backend":
        with suppress(embedded.ServiceError):  # it is tried again
            embedded.hold_postgres(settings.VAR_DIR / "postgres")


def _victims(process: psutil.Process) -> dict[str, list[psutil.Process]]:
    """Find the main processes of the web server and Celery, those below, and the services."""
    found = {kind: _service(name) for kind, name in SERVICES.items()}
    for child in process.children():
        try:
            command = " ".join(child.cmdline())
            below = child.children(recursive=True)
        except psutil.NoSuchProcess:
            continue
        if "granian" in command:
            found["web server"], found["web"] = [child], below
        elif " worker " in command:
            found.setdefault("worker", []).append(child)
            found.setdefault("pool", []).extend(below)
        elif " beat " in command:
            found["beat"] = [child]
    return found


def _service(name: str) -> list[psutil.Process]:
    """Return the main process of one of the platform's own services, if it has one."""
    from django.conf import settings

    mine = [
        each
        for each in psutil.process_iter(["name", "cmdline"])
        if each.info["name"] == name
        and any(str(settings.VAR_DIR) in word for word in each.info["cmdline"] or ())
    ]
    return mine[:1]
