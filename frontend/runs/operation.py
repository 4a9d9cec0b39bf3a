"""The state of the platform in words, for admins."""

from datetime import UTC, datetime
from typing import Any

from django.utils.html import format_html
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from frontend.templatetags.pages import duration, when
from validation.selectors.operation import (
    BrokerState,
    DatabaseState,
    LedgerState,
    OperationState,
)
from winoplatform.metrics.events import STORE_ERRORS

Rows = list[tuple[str, Any]]


def operation_rows(state: OperationState) -> Rows:
    """Return what the platform's state is: names and values."""
    rows: Rows = []
    if state.broker is None:
        rows.append(("Redis", _("does not answer")))
    else:
        rows += _of_broker(state.broker)
    return rows + (_of_database(state.database) if state.database is not None else [])


def _of_broker(state: BrokerState) -> Rows:
    workers = ", ".join(f"{queue} {n}" for queue, n in state.workers_of.items())
    lost = sum(n for (event, _p, _v), n in state.events.items() if event == STORE_ERRORS.name)
    return [
        (_("Workers alive"), workers),
        (_("Waiting runs last dispatched"), _time(state.dispatched_at)),
        (_("Ledger"), _ledger(state.ledger)),
        (_("Failed reads and writes of files, since Redis was started"), round(lost)),
    ]


def _of_database(state: DatabaseState) -> Rows:
    ready = sum(state.startable.values())
    waits = str(ready)
    if ready:
        longest = duration(max(state.wait_seconds.values()))
        waits = _("{n}, the longest for {duration}").format(n=ready, duration=longest)
    return [
        (_("Runs that wait for a worker"), waits),
        (_("Runs under way"), state.work["run", "held"]),
        (_("Runs whose worker has died"), state.work["run", "lapsed"]),
        (_("Seats that wait for a validator"), state.work["seat", "waiting"]),
        (_("Seats in validators’ hands"), state.work["seat", "held"]),
    ]


def _ledger(state: LedgerState | None) -> Any:
    if state is None:
        return _("not checked since Redis was started")
    wrong = sum(state.problems.values())
    said = ngettext("{n} mismatch", "{n} mismatches", wrong).format(n=wrong)
    return format_html("{} · {}", said if wrong else _("reconciled"), _time(state.checked_at))


def _time(seconds: float | None) -> str:
    return _("not yet") if seconds is None else when(datetime.fromtimestamp(seconds, UTC))
