"""The figures of the platform: who reads them, that they are right, and what they never tell."""

import json
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from prometheus_client.parser import text_string_to_metric_families

from tests.factories import (
    CampaignFactory,
    EncodingFactory,
    LedgerEntryFactory,
    SeatFactory,
    SnapshotFactory,
    TwinFactory,
)
from tests.winoplatform.attempts import claimed, lease_ends
from validation.selectors import operation
from validation.selectors.reconciliation import PROBLEMS
from validation.services.ledger_checks import keep_ledger_check
from validation.tasks import check_ledger
from winoplatform.celery import app
from winoplatform.metrics import counting
from winoplatform.metrics.counting import Sums
from winoplatform.processes import broker
from winoplatform.runs.dispatch import dispatch_waiting, run_models

TOKEN = "t" * 40
Values = dict[tuple[str, ...], float]


@pytest.fixture(autouse=True)
def counting_here(settings: Any, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    settings.METRICS_TOKEN = TOKEN
    monkeypatch.setattr(counting, "_sums", Sums(is_counting=True, has_sender=True))
    yield
    for name in (counting.key(), broker.key(operation.LEDGER_CHECK)):
        broker.client().delete(name)


def text(token: str = TOKEN) -> str:
    counting.send()
    answer = Client().get("/metrics/", headers={"Authorization": f"Bearer {token}"})
    assert answer.status_code == 200
    return answer.content.decode()


def figures() -> dict[str, Values]:
    """Return all samples by name, and by the values of their labels in order of their names."""
    read: dict[str, Values] = {}
    for family in text_string_to_metric_families(text()):
        for sample in family.samples:
            read.setdefault(sample.name, {})[tuple(sample.labels.values())] = sample.value
    return read


@pytest.mark.parametrize(
    "headers",
    [{}, {"Authorization": ""}, {"Authorization": "Bearer "}, {"Authorization": f"Token {TOKEN}"},
     {"Authorization": f"Bearer {TOKEN}x"}, {"Authorization": "Bearer ť"}],
)  # fmt: skip
def test_others_find_nothing(headers: dict[str, str]) -> None:
    answer = Client().get("/metrics/", headers=headers)
    assert (answer.status_code, answer.content) == (404, b"")


def test_without_a_token_of_the_installation_there_is_nothing(settings: Any) -> None:
    settings.METRICS_TOKEN = ""
    for sent in ("Bearer ", "Bearer", ""):
        assert Client().get("/metrics/", headers={"Authorization": sent}).status_code == 404


def test_runs_are_counted_by_kind_and_state() -> None:
    held, left = claimed(), claimed()
    lease_ends(left.run)
    read = figures()
    expected = {
        (operation.name(kind), status): float(kind.objects.filter(status=status).count())
        for kind in run_models()
        for status in ("queued", "running", "done", "failed", "cancelled")
    }
    assert read["wino_runs"] == expected
    assert read["wino_runs"][operation.name(type(held.run)), "running"] == 2
    assert read["wino_work"]["held", "run"] == read["wino_work"]["lapsed", "run"] == 1


def test_a_run_waits_from_when_its_input_was_done() -> None:
    ago = timezone.now() - timedelta(hours=2)
    SnapshotFactory(created_at=ago)
    EncodingFactory(snapshot=SnapshotFactory(finished=True, created_at=ago), created_at=ago)
    EncodingFactory(snapshot=SnapshotFactory(), created_at=ago)  # it cannot start
    read = figures()
    waits = read["wino_runs_startable_seconds"]
    assert read["wino_runs_startable"]["encoding",] == 1
    assert waits["encoding",] < 60
    assert waits["snapshot",] == pytest.approx(7200, abs=60)


def test_work_waits_is_held_or_has_lapsed(twin_with_seats: Any) -> None:
    work = figures()["wino_work"]
    assert (work["waiting", "seat"], work["held", "seat"], work["lapsed", "seat"]) == (4, 1, 1)


@pytest.fixture
def twin_with_seats(bob: Any, carol: Any) -> None:
    question, other = TwinFactory(campaign__status="open").questions.order_by("number")
    now = timezone.now()
    for number in (1, 2, 3):
        SeatFactory(question=question, number=number)
    SeatFactory(question=other, number=1)
    for number, worker, until in ((2, bob, 60), (3, carol, -60)):
        lease = {"claimed_at": now, "leased_until": now + timedelta(seconds=until)}
        SeatFactory(question=other, number=number, worker=worker, reward="0.03", **lease)


def test_the_state_is_two_statements_however_much_there_is() -> None:
    def queries() -> int:
        with CaptureQueriesContext(
            connection,
        ) as queries:
            text()
        return len([q for q in queries.captured_queries if "SAVEPOINT" not in q["sql"]])

    before = queries()
    for _ in range(5):
        claimed()
    assert before == queries() == 2


def test_a_mismatch_is_told_once_the_ledger_was_checked() -> None:
    assert "wino_ledger_mismatches" not in figures()
    keep_ledger_check()
    assert figures()["wino_ledger_mismatches"] == dict.fromkeys(((c,) for c in PROBLEMS), 0.0)
    LedgerEntryFactory()
    assert app.conf.beat_schedule["check-ledger"]["task"] == check_ledger.name
    check_ledger()
    read = figures()
    assert read["wino_ledger_mismatches"]["without_work",] == 1
    age = timezone.now().timestamp() - read["wino_ledger_check_timestamp_seconds"][()]
    assert 0 <= age < 60


def test_requests_and_expired_leases_are_counted() -> None:
    Client().get("/live/")
    Client().get("/none/")
    attempt = claimed()
    lease_ends(attempt.run)
    claimed(attempt.run)
    dispatch_waiting()
    read = figures()
    assert read["wino_requests_total"]["200",] >= 1
    assert read["wino_requests_total"]["404",] == 1
    assert read["wino_request_seconds_count"]["live/",] == 1
    assert read["wino_leases_expired_total"]["run",] == 1
    assert read["wino_run_wait_seconds_count"][attempt.run.queue,] == 1
    assert read["wino_dispatch_timestamp_seconds"][()] > 0


def test_every_event_begins_with_zero() -> None:
    read = figures()
    assert read["wino_store_errors_total"]["away",] == read["wino_slow_statements_total"][()] == 0
    assert read["wino_claim_seconds_count"]["seat",] == 0


def test_the_figures_name_nobody_and_nothing(bob: Any, twin_with_seats: Any) -> None:
    campaign = CampaignFactory(slug="a-secret-slug", name="A secret name")
    Client().get(f"/campaigns/{campaign.slug}/")
    Client().get(f"/people/{bob.public_id}/")
    said = text()
    assert "campaigns/<slug:slug>/" in said
    for secret in (campaign.slug, bob.username, bob.public_id, str(campaign.public_id), TOKEN):
        assert secret not in said


def test_without_redis_the_database_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(operation.workers_alive, "alive", lambda: None)
    read = figures()
    assert (read["wino_database_up"][()], read["wino_broker_up"][()]) == (1, 0)
    assert "wino_workers" not in read
    assert read["wino_runs"]


def test_what_is_kept_of_a_check_can_be_read_back() -> None:
    check = keep_ledger_check()
    kept = json.loads(broker.client().get(broker.key(operation.LEDGER_CHECK)))
    assert check.reconciled
    assert set(kept) == {"checked_at", "problems"}
