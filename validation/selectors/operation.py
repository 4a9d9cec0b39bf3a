"""The state of the platform for those who operate it: database, broker, runs, work, ledger.

No figure is of one person, campaign or question.
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from django.db import connection, transaction
from django.db.models import F, QuerySet
from django.db.models.functions import Greatest
from redis.exceptions import RedisError

from collection.models import Campaign
from winoplatform import clock
from winoplatform.db.copying import text_of
from winoplatform.embedded import ServiceError
from winoplatform.errors import DATABASE_ERRORS
from winoplatform.metrics import counting
from winoplatform.processes import broker
from winoplatform.runs import workers_alive
from winoplatform.runs.dispatch import DISPATCHED_AT, run_models, startable
from winoplatform.runs.models import QUEUES, Run, RunStatus
from workers.models.promised_pay import PromisedPay, promising, rows_of

LEDGER_CHECK = "ledger_check"
MESSAGE_QUEUES = (*QUEUES, "dispatch")
MOST_COUNTED = 100_000
"""Of work that waits: a longer queue costs each look no more."""
LONGEST_LOOK = "5s"


@dataclass(frozen=True, slots=True)
class DatabaseState:
    """Counts by kind and state, and how long a run that could start has waited at most."""

    runs: Mapping[tuple[str, str], int]
    """By kind and status."""
    startable: Mapping[str, int]
    """Waiting runs whose inputs are done, by kind."""
    wait_seconds: Mapping[str, float]
    """Of the one of them that waits longest, by kind."""
    work: Mapping[tuple[str, str], int]
    """Runs and paid work by kind: ``waiting``, ``held`` or ``lapsed``, whose lease has ended."""


@dataclass(frozen=True, slots=True)
class LedgerState:
    """The last check of the ledger: its time in seconds since 1970, and mismatches by code."""

    checked_at: float
    problems: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class BrokerState:
    """What Redis knows: workers, messages, the last dispatch, the last check, counted events."""

    workers: Mapping[str, list[str]]
    """Queues of each live worker, by host name."""
    messages: Mapping[str, int]
    """Not yet consumed, by queue."""
    dispatched_at: float | None
    ledger: LedgerState | None
    events: counting.Counts

    @property
    def workers_of(self) -> dict[str, int]:
        """The number of live workers by queue."""
        return {queue: sum(queue in queues for queues in self.workers.values()) for queue in QUEUES}


@dataclass(frozen=True, slots=True)
class OperationState:
    """Whether the database answers, what it has, and what Redis knows; None if it does not."""

    database_answers: bool
    database: DatabaseState | None
    broker: BrokerState | None


def operation_state() -> OperationState:
    """Look at database and Redis now."""
    answers = _database_answers()
    return OperationState(answers, _database_state() if answers else None, _broker_state())


def _database_answers() -> bool:
    try:
        connection.ensure_connection()
    except DATABASE_ERRORS:
        return False
    return True


def _database_state() -> DatabaseState | None:
    """Count in one statement; None if it takes too long."""
    try:
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute("SELECT set_config('statement_timeout', %s, true)", [LONGEST_LOOK])
            cursor.execute(_statement())
            rows = cursor.fetchall()
    except DATABASE_ERRORS:
        return None
    return _read(rows)


def _read(rows: list[tuple[Any, ...]]) -> DatabaseState:
    runs = {(name(kind), status): 0 for kind in run_models() for status in RunStatus.values}
    runs |= {(kind, status): n for what, kind, status, n, _ in rows if what == "runs"}
    lapsed = sum(int(n) for what, *_, n in rows if what == "runs")
    running = sum(n for (_, status), n in runs.items() if status == RunStatus.RUNNING)
    work = {(kind, state): n for what, kind, state, n, _ in rows if what == "work"}
    ready = {kind: (n, float(s or 0)) for what, kind, _, n, s in rows if what == "startable"}
    return DatabaseState(
        runs,
        {kind: n for kind, (n, _) in ready.items()},
        {kind: seconds for kind, (_, seconds) in ready.items()},
        work | {("run", "held"): running - lapsed, ("run", "lapsed"): lapsed},
    )


@cache
def _statement() -> str:
    """Return the statement, whose values never change: writing it takes longer than running it."""
    return "\nUNION ALL\n".join(_selects())


def _selects() -> Iterator[str]:
    for kind in run_models():
        yield _by_status(kind)
        yield _startable(kind)
    for work in promising():
        for state, rows in _work(work):
            counted = text_of(rows.values("pk"))
            yield (
                f"SELECT 'work', '{name(work)}', '{state}', count(*), NULL FROM ({counted}) AS row"
            )


def name(model: type[Any]) -> str:
    return str(model._meta.model_name)


def _by_status(kind: type[Run]) -> str:
    """Count runs by status, with those whose lease has ended."""
    rows = text_of(kind._base_manager.order_by().values("status", "leased_until"))
    return (
        f"SELECT 'runs', '{name(kind)}', status, count(*), count(*) FILTER (WHERE "
        f"status = 'running' AND leased_until < clock_timestamp())::numeric "
        f"FROM ({rows}) AS run GROUP BY status"
    )


def _startable(kind: type[Run]) -> str:
    waiting = kind._base_manager.filter(status=RunStatus.QUEUED).filter(startable(kind))
    ends = [F(f"{need}__ended_at") for need in kind.needs() if _has_end(kind, need)]
    since = Greatest(F("created_at"), *ends) if ends else F("created_at")
    rows = text_of(waiting.order_by().annotate(since=since).values("since"))
    return (
        f"SELECT 'startable', '{name(kind)}', '', count(*), "
        f"extract(epoch FROM clock_timestamp() - min(since)) FROM ({rows}) AS run"
    )


def _has_end(kind: type[Run], need: str) -> bool:
    related: Any = kind._meta.get_field(need).related_model
    return issubclass(related, Run)


def _work(kind: type[PromisedPay]) -> Iterator[tuple[str, "QuerySet[Any]"]]:
    rows, now = rows_of(kind).order_by(), clock.Now()
    is_open = {f"{kind.CAMPAIGN}__status": Campaign.Status.OPEN}
    yield "waiting", rows.waiting().filter(worker=None, **is_open)[:MOST_COUNTED]
    yield "held", rows.held(now=now)
    yield "lapsed", rows.waiting().filter(worker__isnull=False, leased_until__lte=now)


def _broker_state() -> BrokerState | None:
    workers = workers_alive.alive()
    if workers is None:
        return None
    try:
        with broker.client().pipeline(transaction=False) as pipe:
            for queue in MESSAGE_QUEUES:
                pipe.llen(broker.key(queue))
            pipe.get(broker.key(DISPATCHED_AT))
            pipe.get(broker.key(LEDGER_CHECK))
            pipe.hgetall(counting.key())
            *lengths, dispatched_at, checked, events = pipe.execute()
    except (RedisError, ServiceError):
        return None
    return BrokerState(
        workers,
        dict(zip(MESSAGE_QUEUES, lengths, strict=True)),
        float(dispatched_at) if dispatched_at else None,
        LedgerState(**json.loads(checked)) if checked else None,
        counting.counts(events),
    )
