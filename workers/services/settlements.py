"""Transitions of ledger entries: approve or void them.

Transitions of one budget's settlements are serialized (``one_at_a_time``), and each is one guarded
statement whose row count is the result.
"""

import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from typing import Any

from django.core.exceptions import ValidationError
from django.db import connection, transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from winoplatform.db import locks
from winoplatform.errors import Conflict, existing
from workers.models import AuditEvent, LedgerEntry, Settlement, User
from workers.services import audit, ledger

State = Settlement.State


def one_at_a_time(budget: uuid.UUID) -> None:
    """Lock one budget's settlements until the transaction ends; others that lock it wait."""
    locks.take_turns(f"settlements of budget {budget}")


APPROVE = """
    INSERT INTO workers_settlement (entry_id, state, by_id, changed_at)
    SELECT entry.id, 'approved', %(by)s, %(now)s
    FROM workers_ledgerentry entry
    WHERE entry.budget = %(budget)s AND entry.created_at <= %(until)s
      AND (%(worker)s::bigint IS NULL OR entry.worker_id = %(worker)s)
      AND NOT EXISTS (SELECT FROM workers_settlement s WHERE s.entry_id = entry.id)
    ON CONFLICT DO NOTHING
"""


@transaction.atomic
def approve_entries(
    *,
    budget: uuid.UUID,
    by: User | None,
    worker: User | None = None,
    until: datetime | None = None,
) -> int:
    """Approve what has accrued in a budget until a time; other states are unchanged.

    Parameters
    ----------
    worker
        Approve only this worker's entries; None for all workers.
    until
        Approve entries written until then; None for now.

    Returns
    -------
    The number of entries approved; 0 if repeated.
    """
    now = timezone.now()
    one_at_a_time(budget)
    n = _approve(
        budget=budget,
        by=by.pk if by else None,
        worker=worker.pk if worker else None,
        until=until or now,
        now=now,
    )
    if n:
        approved = AuditEvent.Kind.PAY_APPROVED
        audit.record(approved, by=by, account=worker, what=f"campaign {budget}", entries=n)
    return n


def _approve(**asked: Any) -> int:
    with without_nested_loops() as cursor:
        cursor.execute(APPROVE, asked)
        return int(cursor.rowcount)


@contextmanager
def without_nested_loops() -> Iterator[Any]:
    """Plan the block's statements without nested loops over the settlements.

    While the statistics say that their table is empty, the planner scans it for each entry,
    including rows inserted by the same statement: minutes for 200,000 entries.
    """
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL enable_nestloop = off")
        yield cursor
        cursor.execute("SET LOCAL enable_nestloop TO DEFAULT")


@transaction.atomic
def void_entry(*, worker: User, kind: str, unit: str, reason: str, by: User) -> LedgerEntry:
    """Cancel an entry that was not exported; it and the adjustment become void.

    Returns
    -------
    The adjustment that cancels it, also if repeated.

    Raises
    ------
    DomainError
        ``not_found``; ``entry_settled`` if it is exported or paid; ``entry_cancelled`` if another
        entry cancels it already, or if it cancels one itself.
    """
    entry = _entry(worker, kind, unit)
    if not reason.strip():
        raise ValidationError({"reason": _("Enter a reason. The worker sees it.")})
    one_at_a_time(entry.budget)
    cancelled = LedgerEntry.objects.filter(
        worker=worker,
        kind=LedgerEntry.Kind.ADJUSTMENT,
        unit=ledger.compensation_unit(entry),
    ).first()
    if Settlement.objects.filter(entry=entry, state=State.VOID).exists() and cancelled:
        return cancelled
    _refuse_if_cancelled(entry, cancelled)
    _move_to_void(entry, by)
    compensation = ledger.compensate(entry, note=reason.strip(), by=by)
    Settlement.objects.create(entry=compensation, state=State.VOID, by=by)
    audit.record(AuditEvent.Kind.PAY_VOID, by=by, account=worker, what=f"{kind} {unit}")
    return compensation


def _entry(worker: User, kind: str, unit: str) -> LedgerEntry:
    return existing(
        LedgerEntry.objects.filter(worker=worker, kind=kind, unit=unit).first(), "entry"
    )


def _refuse_if_cancelled(entry: LedgerEntry, cancelled: LedgerEntry | None) -> None:
    cancels = entry.kind == LedgerEntry.Kind.ADJUSTMENT and not entry.unit.startswith(
        ledger.ADJUSTMENT
    )
    if cancelled is not None or cancels:
        raise Conflict(
            "entry_cancelled",
            "This entry cancels another one, so it cannot be voided. Add an adjustment instead."
            if cancels
            else "Another entry has already taken this one back.",
        )


def _move_to_void(entry: LedgerEntry, by: User) -> None:
    now = timezone.now()
    approved = Settlement.objects.filter(entry=entry, state=State.APPROVED)
    if approved.update(state=State.VOID, by=by, changed_at=now):
        return
    if Settlement.objects.filter(entry=entry).exists():
        raise Conflict(
            "entry_settled", "This entry is already in a payout. Add an adjustment instead."
        )
    Settlement.objects.create(entry=entry, state=State.VOID, by=by, changed_at=now)
