"""What the processes of the platform take at rest: memory (PSS) and processor time, by process.

``make run``'s processes on an empty database of their own, each with what it has loaded after its
start and a few pages. PSS counts memory that processes share once, in parts. ``--checkout`` names
the folder of another version to measure instead, with the packages of this one.
"""

import os
import signal
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from urllib.request import urlopen

import psutil

from benchmarks.report import parse_args, result, table

SETTLING_SECONDS = 45.0
SECONDS = {False: 120.0, True: 10.0}
PATIENCE_SECONDS = 180.0
PAGES = ("/", "/sign-in/", "/api/schema/", "/static/frontend/app.js") * 10
# A campaign: without one, the platform would load its starter campaign.
CAMPAIGN = "from collection.models import Campaign; Campaign(slug='idle', name='Idle').save()"
SERVICES = {"postgres": "PostgreSQL", "redis-server": "Redis"}


@dataclass
class Taken:
    """Megabytes of PSS and seconds of processor, of *count* processes."""

    count: int = 0
    megabytes: float = 0.0
    seconds: float = 0.0


def main() -> None:
    """Run the benchmark."""
    args = parse_args(__doc__ or "", seconds=0.0, checkout="")
    seconds = args.seconds or SECONDS[args.quick]
    checkout = Path(args.checkout or Path(__file__).parents[1]).resolve()
    with tempfile.TemporaryDirectory(prefix="idle-") as folder, served(checkout, folder) as main:
        time.sleep(SETTLING_SECONDS)
        before = taken(main, folder)
        time.sleep(seconds)
        after = taken(main, folder)
    idle = {name: (each.seconds - before[name].seconds) / seconds for name, each in after.items()}
    rows = [
        (name, each.count, f"{each.megabytes:.0f}", f"{1000 * idle[name]:.1f}")
        for name, each in after.items()
    ]
    table(("process", "processes", "PSS MB", "cores / 1000"), rows)
    total = sum(each.megabytes for each in after.values())
    result(pss_mb=round(total), idle_cores=sum(idle.values()), load=os.getloadavg()[0])


@contextmanager
def served(checkout: Path, folder: str) -> Iterator[psutil.Process]:
    """Run the whole platform of *checkout*, with its data in *folder*."""
    from tests.winoplatform.ports import free_port

    port = free_port()
    without = ("DATABASE_URL", "REDIS_URL", "DJANGO_SETTINGS_MODULE")
    kept = {name: value for name, value in os.environ.items() if name not in without}
    environment = kept | {"VAR_DIR": folder, "PYTHONPATH": str(checkout)}
    manage = [sys.executable, "manage.py"]
    for step in (["migrate", "-v0"], ["shell", "-c", CAMPAIGN]):
        subprocess.run([*manage, *step], cwd=checkout, env=environment, check=True)
    with Path(folder, "serve.log").open("wb") as log:
        command = [*manage, "serve", "--port", str(port)]
        process = subprocess.Popen(command, cwd=checkout, env=environment, stdout=log, stderr=log)
    try:
        _open_pages(port)
        yield psutil.Process(process.pid)
    finally:
        process.send_signal(signal.SIGINT)
        process.wait(PATIENCE_SECONDS)


def _open_pages(port: int) -> None:
    deadline = time.monotonic() + PATIENCE_SECONDS
    for path in PAGES:
        while time.monotonic() < deadline:
            with suppress(OSError):
                urlopen(f"http://127.0.0.1:{port}{path}", timeout=30).read()
                break
            time.sleep(0.5)


def taken(main: psutil.Process, folder: str) -> dict[str, Taken]:
    """Return what each kind of process has taken so far."""
    found: defaultdict[str, Taken] = defaultdict(Taken)
    for name, process in sorted(processes(main, folder), key=lambda each: each[0]):
        with suppress(psutil.NoSuchProcess):
            times, memory = process.cpu_times(), process.memory_full_info()
            found[name].count += 1
            found[name].megabytes += memory.pss / 2**20
            # With what has ended, such as checks that are processes of their own.
            found[name].seconds += sum(times[:4])
    return found


def processes(main: psutil.Process, folder: str) -> Iterator[tuple[str, psutil.Process]]:
    """Yield each process of the platform with the name of its kind."""
    yield "supervisor", main
    for child in main.children():
        name = _kind(" ".join(child.cmdline()))
        yield name, child
        for below in child.children(recursive=True):
            yield name, below
    for process in psutil.process_iter(["name", "cmdline"]):
        service = SERVICES.get(process.info["name"])
        if service and any(folder in word for word in process.info["cmdline"] or ()):
            yield service, process
            for below in process.children():
                yield service, below


def _kind(command: str) -> str:
    kinds = {"granian": "web", "light@": "light worker", "heavy@": "heavy worker", " beat": "beat"}
    return next((kind for word, kind in kinds.items() if word in command), "other")


if __name__ == "__main__":
    main()
