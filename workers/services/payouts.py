"""Payouts: export approved pay, mark it paid, or cancel the export."""

import uuid
from datetime import datetime, timedelta
from decimal import Decimal
from typing import Any

from django.db import transaction
from django.db.models import Count, Exists, OuterRef, Sum
from django.utils import timezone
from django.utils.translation import gettext as _

from winoplatform.db import locks
from winoplatform.errors import Conflict, existing
from workers.models import AuditEvent, LedgerEntry, Payout, PayoutLine, Settlement, User
from workers.models.ledger import LedgerQuerySet
from workers.services import audit
from workers.services.settlements import one_at_a_time, without_nested_loops

State, Status = Settlement.State, Payout.Status


@transaction.atomic
def export_payout(
    *,
    budget: uuid.UUID,
    currency: str,
    provider: str,
    entries: LedgerQuerySet,
    client_key: uuid.UUID,
    by: User,
    now: datetime | None = None,
    second_above: Decimal | None = None,
) -> Payout:
    """Put the approved ones of *entries* into a payout, for workers with a positive balance.

    Other workers' entries wait until their balance is positive. The same client key returns the
    first payout.

    Parameters
    ----------
    entries
        Entries that this provider may pay; those of other budgets and currencies are left out.
    now
        The time at which *entries* were selected.
    second_above
        The sum above which a second curator has to approve the payout, together with the other
        payouts that *by* has created within 24 hours; None for none.

    Raises
    ------
    DomainError
        ``nothing_to_pay``, or ``client_key_used`` if the key belongs to another payout.
    """
    # Lock the key first: two campaigns' payouts with the same key also take turns.
    locks.take_turns(f"payout of client key {client_key}")
    one_at_a_time(budget)
    first = Payout.objects.filter(client_key=client_key).first()
    if first is not None:
        return _same(first, budget, provider)
    payout = Payout(
        client_key=client_key,
        budget=budget,
        currency=currency,
        provider=provider,
        created_by=by,
        created_at=now or timezone.now(),
    )
    payout.full_clean()
    payout.save()
    if not _take(payout, entries):
        raise Conflict(
            "nothing_to_pay",
            "There is no approved pay for this payment method. Approve entries first. Work that "
            "a crowd platform pays itself and negative balances are not included.",
        )
    _write_lines(payout)
    if second_above is not None and _sum_of_day(payout) > second_above:
        payout.needs_second_approval = True
        payout.save(update_fields=["needs_second_approval"])
    total = f"{payout.lines.all().total()} {currency}"
    audit.record(AuditEvent.Kind.PAYOUT_MADE, by=by, what=payout, sum=total, provider=provider)
    return payout


def _same(first: Payout, budget: uuid.UUID, provider: str) -> Payout:
    if (first.budget, first.provider) != (budget, provider):
        raise Conflict(
            "client_key_used", "This client key belongs to another payout. Use a new one for each."
        )
    return first


def payable(entries: LedgerQuerySet, budget: uuid.UUID, currency: str) -> LedgerQuerySet:
    """Return the approved ones of *entries*, of workers for whom they sum to more than zero.

    Workers with a deduction among *entries* that is not approved yet are left out: a deduction
    never comes after the pay that it was taken from.
    """
    approved = _approved(entries, budget, currency)
    able = _by_worker(approved).filter(sum__gt=0).values("worker")
    waiting = _waiting(entries, budget, currency)
    return approved.filter(worker__in=able).exclude(worker__in=waiting)


def approved_sums(entries: LedgerQuerySet, budget: uuid.UUID, currency: str) -> list[Decimal]:
    """Return each worker's sum in a payout of *entries*; workers below zero would get nothing.

    Without workers whose deductions are not approved (``waiting_sums``).
    """
    waiting = _waiting(entries, budget, currency)
    approved = _approved(entries, budget, currency).exclude(worker__in=waiting)
    return list(_by_worker(approved).values_list("sum", flat=True))


def waiting_sums(entries: LedgerQuerySet, budget: uuid.UUID, currency: str) -> list[Decimal]:
    """Return the approved sums of workers who wait for the approval of their deductions."""
    waiting = _waiting(entries, budget, currency)
    approved = _approved(entries, budget, currency).filter(worker__in=waiting)
    return list(_by_worker(approved).values_list("sum", flat=True))


def _waiting(entries: LedgerQuerySet, budget: uuid.UUID, currency: str) -> set[int]:
    """Return the workers with deductions among *entries* that are not approved, read at once.

    They are few; as a subquery of ``waiting_sums``, they would be looked for once for each entry.
    """
    here = entries.filter(budget=budget, currency=currency, settlement=None).deductions()
    return set(here.order_by().values_list("worker", flat=True))


def _approved(entries: LedgerQuerySet, budget: uuid.UUID, currency: str) -> LedgerQuerySet:
    """Return approved entries, except those cancelled by an adjustment not yet approved.

    Those that need a second approval are among them once they have it.
    """
    here = entries.filter(budget=budget, currency=currency, settlement__state=State.APPROVED)
    here = here.exclude(needs_second_approval=True, second_approval=None)
    taken_back = LedgerEntry.objects.filter(
        worker=OuterRef("worker"),
        kind=LedgerEntry.Kind.ADJUSTMENT,
        unit=OuterRef("unit"),
        settlement=None,
    )
    return here.filter(~Exists(taken_back))


def _by_worker(approved: LedgerQuerySet) -> Any:
    return approved.order_by().values("worker").annotate(sum=Sum("amount"))


def _take(payout: Payout, entries: LedgerQuerySet) -> int:
    chosen = payable(entries, payout.budget, payout.currency).order_by().values("pk")
    approved = Settlement.objects.filter(state=State.APPROVED, entry__in=chosen)
    with without_nested_loops():
        return approved.update(
            state=State.EXPORTED, payout=payout, by=payout.created_by, changed_at=payout.created_at
        )


def _sum_of_day(payout: Payout) -> Decimal:
    """Return the sum of a payout and its creator's others of 24 hours that needed no approval.

    Cancelled ones count, as their files could be downloaded.
    """
    recent = Payout.objects.filter(
        budget=payout.budget,
        created_by=payout.created_by,
        created_at__gt=payout.created_at - timedelta(days=1),
        needs_second_approval=False,
    )
    return PayoutLine.objects.filter(payout__in=recent).total()


def _write_lines(payout: Payout) -> None:
    taken = LedgerEntry.objects.filter(settlement__payout=payout).order_by("worker")
    PayoutLine.objects.bulk_create(
        PayoutLine(payout=payout, worker_id=worker, amount=amount, n_entries=n)
        for worker, amount, n in taken.values_list("worker").annotate(Sum("amount"), Count("pk"))
    )


def paid_out(budget: uuid.UUID) -> Decimal:
    """Return the sum of a budget's payouts that are not cancelled."""
    lines = PayoutLine.objects.filter(payout__budget=budget)
    return lines.exclude(payout__status=Status.CANCELLED).total()


@transaction.atomic
def mark_paid(*, payout_id: uuid.UUID, by: User) -> Payout:
    """Record that the platform or bank has paid a payout; repeating it has no effect.

    Raises
    ------
    DomainError
        ``not_found``, ``second_approval_missing``, or ``payout_cancelled``.
    """
    payout = _locked(payout_id)
    if payout.status == Status.CANCELLED:
        raise Conflict(
            "payout_cancelled",
            "This payout was cancelled, and its entries may be in another one. If it was still "
            "paid, add an adjustment for each worker.",
        )
    refuse_without_second_approval(payout)
    if payout.status == Status.EXPORTED:
        now = _end(payout, Status.PAID, by)
        _settle(payout, state=State.PAID, by=by, changed_at=now)
        audit.record(AuditEvent.Kind.PAYOUT_PAID, by=by, what=payout)
    return payout


@transaction.atomic
def cancel_payout(*, payout_id: uuid.UUID, by: User) -> Payout:
    """Cancel a payout that was not sent: its entries are approved again; its lines are kept.

    Raises
    ------
    DomainError
        ``not_found``, or ``payout_paid``.
    """
    payout = _locked(payout_id)
    if payout.status == Status.PAID:
        raise Conflict(
            "payout_paid", "This payout is already paid. Correct mistakes with adjustments."
        )
    if payout.status == Status.EXPORTED:
        now = _end(payout, Status.CANCELLED, by)
        _settle(payout, state=State.APPROVED, payout=None, by=by, changed_at=now)
        audit.record(AuditEvent.Kind.PAYOUT_CANCELLED, by=by, what=payout)
    return payout


def payout_named(payout_id: uuid.UUID) -> Payout:
    return existing(Payout.objects.filter(public_id=payout_id).first(), "payout")


def refuse_without_second_approval(payout: Payout) -> None:
    """Refuse the files and the end of a payout until a second curator approves it.

    Also the files of a cancelled one: they could still be sent.
    """
    if payout.lacks_second_approval:
        raise Conflict(
            "second_approval_missing",
            _("A second curator has to approve this payout before it is paid."),
        )


def _locked(payout_id: uuid.UUID) -> Payout:
    one_at_a_time(payout_named(payout_id).budget)
    return payout_named(payout_id)


def _end(payout: Payout, status: str, by: User) -> datetime:
    now = timezone.now()
    payout.status, payout.ended_at, payout.ended_by = status, now, by
    open_one = Payout.objects.filter(pk=payout.pk, status=Status.EXPORTED)
    assert open_one.update(status=status, ended_at=now, ended_by=by) == 1, "the lock was not held"
    return now


def _settle(payout: Payout, /, **changes: Any) -> int:
    return Settlement.objects.filter(payout=payout, state=State.EXPORTED).update(**changes)
