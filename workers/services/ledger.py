"""What is written into the ledger: work, bonuses and corrections; nothing in it ever changes."""

import uuid
from decimal import Decimal

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils.translation import gettext as _

from winoplatform.errors import DomainError
from winoplatform.prepared import Statement, inserting
from workers.models import LedgerEntry, User

# What curators write has units that no work has: neither can be taken for the other.
BONUS, ADJUSTMENT, VOID = "bonus:", "adjustment:", "void:"
EXTRA = {LedgerEntry.Kind.BONUS.value: BONUS, LedgerEntry.Kind.ADJUSTMENT.value: ADJUSTMENT}
ASKED = ("worker_id", "amount", "currency", "budget", "note")  # of extra pay, beside its key


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
    """Write what *worker* is owed for one unit of work, once.

    Parameters
    ----------
    note
        What the worker is told.
    by
        The curator who wrote it; None where work did.

    Returns
    -------
    The entry; a second call for the same worker, kind and unit returns the first one.

    Raises
    ------
    DomainError
        ``pay_differs`` when the same unit was paid with another amount or currency.
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
    # ON CONFLICT DO NOTHING: a second entry is no error, so no savepoint has to guard against it.
    LedgerEntry.objects.bulk_create([entry], ignore_conflicts=True)
    stored = LedgerEntry.objects.get(worker=worker, kind=kind, unit=unit)
    if (stored.amount, stored.currency) != (amount, currency):
        raise DomainError(
            "pay_differs",
            f"This work was paid {stored.amount} {stored.currency} already; "
            "write an adjustment instead.",
            status=409,
        )
    return stored


def accruing(
    *, worker: int, kind: str, unit: str, amount: Decimal, currency: str, budget: uuid.UUID
) -> Statement:
    """As ``accrue``, as a statement to be run with the one that stores the work.

    For a unit that the caller has just made, which nobody can have paid before. *worker* is the
    account's key.
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
    The adjustment; None where nothing was owed.
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
    """The unit of the adjustment that cancels *entry*; one that cancels an adjustment says so."""
    is_adjustment = entry.kind == LedgerEntry.Kind.ADJUSTMENT
    return f"{VOID}{entry.unit}" if is_adjustment else entry.unit


@transaction.atomic
def write_extra(
    *,
    kind: str,
    worker: User,
    amount: Decimal,
    currency: str,
    budget: uuid.UUID,
    reason: str,
    client_key: uuid.UUID,
    by: User,
) -> LedgerEntry:
    """Owe *worker* something extra, or correct what they are owed; sent twice, it is done once.

    Parameters
    ----------
    kind
        ``bonus`` or ``adjustment``; a bonus is more than nothing.
    reason
        What the worker reads.

    Raises
    ------
    DomainError
        ``client_key_used`` where the key belongs to another entry of the kind, whoever's it is.
    """
    _refuse_unless_extra(kind, amount, reason)
    wanted = LedgerEntry(
        worker=worker,
        kind=kind,
        unit=f"{EXTRA[kind]}{client_key}",
        amount=amount,
        currency=currency,
        budget=budget,
        note=reason.strip(),
        by=by,
    )
    wanted.clean_fields(exclude={"worker", "by"})
    LedgerEntry.objects.bulk_create([wanted], ignore_conflicts=True)
    stored = LedgerEntry.objects.extra_pay().get(kind=kind, unit=wanted.unit)
    if any(getattr(stored, name) != getattr(wanted, name) for name in ASKED):
        raise DomainError(
            "client_key_used",
            "This client key belongs to another entry; make a new one for each.",
            status=409,
        )
    return stored


def _refuse_unless_extra(kind: str, amount: Decimal, reason: str) -> None:
    if not reason.strip():
        raise ValidationError({"reason": _("Say why: the worker reads it.")})
    if not amount.is_finite():
        raise ValidationError({"amount": _("Write an amount of money.")})
    if kind == LedgerEntry.Kind.BONUS and amount <= 0:
        raise ValidationError({"amount": _("A bonus is more than nothing.")})
    if not amount:
        raise ValidationError({"amount": _("An adjustment of nothing changes nothing.")})
