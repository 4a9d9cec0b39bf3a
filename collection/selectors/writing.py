"""Hourly rates of writing: rewards divided by the time that the writing page counted."""

from dataclasses import dataclass
from decimal import Decimal

from django.db.models import CharField, Count, OuterRef, Subquery, Sum
from django.db.models.functions import Cast

from collection.models import Provenance
from workers.models import LedgerEntry, User


@dataclass(frozen=True, slots=True)
class HourlyRate:
    """The hourly rate over ``twins`` whose writing time was counted."""

    amount: Decimal
    currency: str
    twins: int
    seconds: int


def hourly_rates(worker: User) -> tuple[HourlyRate, ...]:
    """Return the pay of the worker's active twins divided by the time spent, by currency."""
    paid = LedgerEntry.objects.filter(
        worker=worker,
        kind=LedgerEntry.Kind.TWIN,
        unit=Cast(OuterRef("twin__public_id"), CharField()),
    )
    timed = Provenance.objects.filter(
        twin__author=worker, twin__withdrawn_at=None, active_seconds__gt=0
    )
    rows = (
        timed.annotate(paid=Subquery(paid.values("amount")[:1]))
        .order_by("twin__campaign__currency")
        .values_list("twin__campaign__currency")
        .annotate(Sum("paid"), Sum("active_seconds"), Count("pk"))
    )
    return tuple(
        HourlyRate(amount * 3600 / seconds, currency, twins, seconds)
        for currency, amount, seconds, twins in rows
        if amount is not None
    )
