"""Pay that is not paid when its worker is to be erased: settled or void, but never forgotten."""

import uuid
from decimal import Decimal

from django.db.models import Count, Sum
from django.utils.translation import gettext as _

from winoplatform.errors import Conflict
from workers.models import LedgerEntry, Payout, Proposal, Settlement, User
from workers.models.ledger import REVERSAL, LedgerQuerySet
from workers.services.payouts import export_payout, mark_paid
from workers.services.settlements import approve_entries, one_at_a_time, void_entry

SETTLE, VOID = Proposal.Pay.SETTLE.value, Proposal.Pay.VOID.value
REASON = "erased"
"""Of voided entries, until their notes are emptied."""
Amounts = dict[str, Decimal]


def open_pay(account: User) -> Amounts:
    """Return what a worker is still owed, by currency; only sums above zero."""
    rows = _unpaid(account).order_by().values("currency").annotate(sum=Sum("amount"))
    return {row["currency"]: row["sum"] for row in rows if row["sum"] > 0}


def close_pay(*, account: User, by: User | None, choice: str) -> None:
    """Settle or void what a worker is owed; refuse if nobody chose.

    Sums below zero stay: nobody is asked for them any more.

    Raises
    ------
    DomainError
        ``pay_under_way``, ``pay_open``.
    """
    for budget in sorted({*_unpaid(account).values_list("budget", flat=True)}):
        one_at_a_time(budget)
    if _exported(account).exists():
        message = _(
            "A payout with pay of this person is not marked as paid. Mark it as paid, or cancel it."
        )
        raise Conflict("pay_under_way", message)
    if choice == SETTLE and by is not None:
        _settle(account, by)
    elif choice == VOID and by is not None:
        _void(account, by)
    left = open_pay(account)
    if left:
        amounts = ", ".join(f"{amount} {currency}" for currency, amount in left.items())
        message = _(
            "This person is still owed %(amounts)s. Pay them first. Or choose that it was paid "
            "outside of the platform, or that it is not paid any more."
        )
        raise Conflict(
            "pay_open",
            message % {"amounts": amounts},
            details={currency: str(amount) for currency, amount in left.items()},
        )


def _unpaid(account: User) -> LedgerQuerySet:
    return LedgerEntry.objects.filter(worker=account).unpaid()


def _exported(account: User) -> LedgerQuerySet:
    exported = Settlement.State.EXPORTED
    return LedgerEntry.objects.filter(worker=account, settlement__state=exported)


def _settle(account: User, by: User) -> None:
    """Approve and pay the sums above zero, each campaign's as a payout of its own."""
    groups = _unpaid(account).order_by("budget", "currency").values("budget", "currency")
    for row in list(groups.annotate(sum=Sum("amount"), n=Count("pk"))):
        if row["sum"] <= 0:
            continue
        approve_entries(budget=row["budget"], by=by, worker=account)
        payout = export_payout(
            budget=row["budget"],
            currency=row["currency"],
            provider=Payout.Provider.ANY,
            entries=LedgerEntry.objects.filter(worker=account),
            client_key=uuid.uuid4(),
            by=by,
        )
        mark_paid(payout_id=payout.public_id, by=by)


def _void(account: User, by: User) -> None:
    reversed_units = LedgerEntry.objects.filter(REVERSAL, worker=account).values("unit")
    for entry in _unpaid(account).exclude(REVERSAL).exclude(unit__in=reversed_units).order_by("pk"):
        void_entry(worker=account, kind=entry.kind, unit=entry.unit, reason=REASON, by=by)
