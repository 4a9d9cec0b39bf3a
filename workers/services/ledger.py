"""Write the ledger: work and corrections. Entries are never changed."""

import uuid
from decimal import Decimal

from winoplatform.db.prepared import Statement, inserting
from winoplatform.errors import Conflict
from workers.models import LedgerEntry, User

# Units of entries that curators write have prefixes, so they cannot equal units of work.
BONUS, ADJUSTMENT, VOID = "bonus:", "adjustment:", "void:"


def accrue(
    *,
    worker: User,
    kind: str,
    unit: str,
    amount: Decimal,
    currency: str,
    budget: uuid.UUID,
    note: str = "",
    by: User | None = None,
) -> LedgerEntry:
    """Write what *worker* is owed for one unit of work; repeated calls write it once.

    Parameters
    ----------
    note
        Shown to the worker.
    by
        The curator who wrote it; None if work did.

    Returns
    -------
    The entry; a second call for the same worker, kind and unit returns the first one.

    Raises
    ------
    DomainError
        ``pay_differs`` if the same unit was paid with another amount or currency.
    """
    entry = LedgerEntry(
        worker=worker,
        kind=kind,
        unit=unit,
        amount=amount,
        currency=currency,
        budget=budget,
        note=note,
        by=by,
    )
    entry.clean_fields(exclude={"worker", "by"})
    # ON CONFLICT DO NOTHING: a second entry is not an error, so no savepoint is needed.
    LedgerEntry.objects.bulk_create([entry], ignore_conflicts=True)
    stored = LedgerEntry.objects.get(worker=worker, kind=kind, unit=unit)
    if (stored.amount, stored.currency) != (amount, currency):
        raise Conflict(
            "pay_differs",
            f"This work was paid {stored.amount} {stored.currency} already; "
            "add an adjustment instead.",
        )
    return stored


def accruing(
    *, worker: int, kind: str, unit: str, amount: Decimal, currency: str, budget: uuid.UUID
) -> Statement:
    """Return the statement that does what ``accrue`` does, to run with the one storing the work.

    Only for a unit that the caller has just created, which cannot have been paid before. *worker*
    is the account's primary key.
    """
    return inserting(
        LedgerEntry(
            worker_id=worker,
            kind=kind,
            unit=unit,
            amount=amount,
            currency=currency,
            budget=budget,
        )
    )


def take_back(*, worker: User, kind: str, unit: str) -> LedgerEntry | None:
    """Write an adjustment that cancels what *worker* was owed for one unit of work, once.

    Returns
    -------
    The adjustment; None if nothing was owed.
    """
    entry = LedgerEntry.objects.filter(worker=worker, kind=kind, unit=unit).first()
    if entry is None or not entry.amount:
        return None
    return compensate(entry)


def compensate(entry: LedgerEntry, *, note: str = "", by: User | None = None) -> LedgerEntry:
    """Write the adjustment that cancels *entry*; there is one at most."""
    return accrue(
        worker=entry.worker,
        kind=LedgerEntry.Kind.ADJUSTMENT,
        unit=compensation_unit(entry),
        amount=-entry.amount,
        currency=entry.currency,
        budget=entry.budget,
        note=note,
        by=by,
    )


def compensation_unit(entry: LedgerEntry) -> str:
    """Return the unit of the adjustment that cancels *entry*."""
    is_adjustment = entry.kind == LedgerEntry.Kind.ADJUSTMENT
    return f"{VOID}{entry.unit}" if is_adjustment else entry.unit
