"""What is recorded every ten seconds of a day, and the exports and sweeps that fall into it."""

import http.client
import json
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from statistics import median
from typing import Any

import psutil
import psycopg

from benchmarks.besiegers import TRUSTING
from benchmarks.day_rows import SLUG, World
from benchmarks.idle import processes
from benchmarks.soak_platform import Running, key_prefix

EVERY_SECONDS = 10.0
TABLES = """
SELECT relname, n_dead_tup, n_live_tup, pg_total_relation_size(relid), autovacuum_count
FROM pg_stat_user_tables ORDER BY 4 DESC LIMIT 12
"""
SESSIONS = """
SELECT count(*), count(*) FILTER (WHERE state = 'active'),
    count(*) FILTER (WHERE wait_event_type = 'Lock')
FROM pg_stat_activity WHERE datname = current_database() AND backend_type = 'client backend'
"""
EXPORTS = ("votes.csv", "export/questions?format=csv")
SWEEPS = (
    *("validation.check_ledger", "workers.keep_periods", "winoplatform.clear_sessions"),
    *("winoplatform.sweep_artifacts", "validation.settle_all_closed"),
)
CHUNK = 1 << 20

Sample = dict[str, Any]


@contextmanager
def watching(running: Running, start: float, file: Path) -> Iterator[list[Sample]]:
    """Record until the end of the block, also into *file*, a JSON object a line."""
    from tests.races.processes import database_url

    over, samples = threading.Event(), list[Sample]()
    url = database_url(is_owner=True)

    def watch() -> None:
        with psycopg.connect(url, autocommit=True) as session, file.open("w") as lines:
            while not over.wait(EVERY_SECONDS):
                sample = {"at": round(time.perf_counter() - start, 1), **_sample(running, session)}
                samples.append(sample)
                lines.write(json.dumps(sample) + "\n")
                lines.flush()

    thread = threading.Thread(target=watch)
    thread.start()
    try:
        yield samples
    finally:
        over.set()
        thread.join()


def _sample(running: Running, session: "psycopg.Connection[Any]") -> Sample:
    from django.conf import settings

    from winoplatform.processes import broker

    memory, cpu = dict[str, float](), dict[str, float]()
    for kind, process in processes(running.process, str(settings.VAR_DIR)):
        with suppress(psutil.NoSuchProcess):
            times = process.cpu_times()
            memory[kind] = memory.get(kind, 0.0) + process.memory_info().rss / 2**20
            cpu[kind] = cpu.get(kind, 0.0) + times.user + times.system
    tables = session.execute(TABLES).fetchall()
    (all_of_them, active, waiting) = session.execute(SESSIONS).fetchone() or (0, 0, 0)
    (size,) = session.execute("SELECT pg_database_size(current_database())").fetchone() or (0,)
    own = psutil.Process().cpu_times()
    return {
        "memory": {kind: round(mb) for kind, mb in memory.items()},
        "cpu": {kind: round(n, 1) for kind, n in cpu.items()} | {"people": own.user + own.system},
        "load": psutil.getloadavg()[0],
        "connections": all_of_them,
        "active": active,
        "waiting": waiting,
        "database_mb": round(size / 2**20),
        "redis_mb": broker.client().info("memory")["used_memory"] / 2**20,
        "tables": {name: [dead, live, size >> 20, n] for name, dead, live, size, n in tables},
    }


def memory_growth(samples: list[Sample]) -> float:
    """Return the largest ratio of the memory in the last tenth to that after the first third.

    Of the processes of web, workers and beat; those of services grow with their caches.
    """
    after = samples[len(samples) // 3 :]
    few = max(1, len(samples) // 10)
    kinds = [k for k in after[0]["memory"] if "web" in k or "worker" in k or k == "beat"]
    return max(_memory(after[-few:], kind) / _memory(after[:few], kind) for kind in kinds)


def _memory(samples: list[Sample], kind: str) -> float:
    return median(sample["memory"].get(kind, 0.0) for sample in samples) or 1.0


@contextmanager
def exporting(
    running: Running, world: World, start: float, seconds: float
) -> Iterator[list[tuple[str, float, float]]]:
    """Three times load both files, and send beat's hourly tasks; yields name, seconds and MB."""
    over, taken = threading.Event(), list[tuple[str, float, float]]()

    def export() -> None:
        for share in (0.15, 0.5, 0.8):
            if over.wait(max(0.0, start + share * seconds - time.perf_counter())):
                return
            send_sweeps()
            for name in EXPORTS:
                path = f"/api/v1/campaigns/{SLUG}/{name}"
                with suppress(OSError, http.client.HTTPException):
                    taken.append((name, *_load(running, path, world.curators[0].split()[1])))

    thread = threading.Thread(target=export)
    thread.start()
    try:
        yield taken
    finally:
        over.set()
        thread.join()


def _load(running: Running, path: str, token: str) -> tuple[float, float]:
    begun, size = time.perf_counter(), 0
    link: http.client.HTTPConnection = http.client.HTTPSConnection(
        "localhost", running.port, context=TRUSTING, timeout=600
    )
    link.request("GET", path, headers={"Authorization": f"Token {token}"})
    answer = link.getresponse()
    if answer.status != 200:
        raise OSError(f"{path} answered {answer.status}")
    while part := answer.read(CHUNK):
        size += len(part)
    link.close()
    return time.perf_counter() - begun, size / 2**20


def send_sweeps() -> None:
    """Send what beat sends once an hour, which may not fall into the day."""
    from celery import Celery

    from winoplatform.processes import broker

    app = Celery(broker=broker.url())
    app.conf.broker_transport_options = {"global_keyprefix": key_prefix()}
    for name in SWEEPS:
        app.send_task(name, queue="light")
