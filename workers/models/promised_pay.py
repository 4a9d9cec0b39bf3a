"""The abstract table of work that is promised pay: seats, assigned articles, tasks.

Budgets, held work and the reconciliation of the ledger go over its subclasses (``promising``), so
a new kind of paid work brings only its table.
"""

import uuid
from datetime import datetime, timedelta
from decimal import Decimal
from typing import Any, ClassVar, Self, TypeVar

from django.apps import apps
from django.db import models
from django.db.models import DecimalField, Exists, F, Q, Subquery, Sum, Value
from django.db.models.functions import Coalesce

MONEY = DecimalField(max_digits=24, decimal_places=2)
NOTHING = Decimal("0.00")
# A submission can start before the lease ends and be stored after it.
LATE = timedelta(minutes=1)
P = TypeVar("P", bound="PromisedPay")


class PromisedPayQuerySet(models.QuerySet[P]):
    def in_campaign(self, campaign: Any) -> Self:
        return self.filter(**{self.model.CAMPAIGN: campaign})

    def waiting(self) -> Self:
        """Rows whose work is not done."""
        return self.filter(**{self.model.DONE_AT: None})

    def held(self, *, now: Any) -> Self:
        """Rows that a worker is working on."""
        return self.waiting().filter(worker__isnull=False, leased_until__gt=now)

    def done(self) -> Self:
        """Rows whose work is done: each has an entry of its pay in the ledger."""
        return self.filter(**{f"{self.model.DONE_AT}__isnull": False})

    def promised(self, campaign: Any, now: datetime) -> Any:
        """Return an expression for the most that work that is not done will still cost.

        A subclass adds what it has promised to nobody in particular.
        """
        return self.held(now=now - LATE).cost(campaign, F("reward"))

    def cost(self, campaign: Any, each: Any) -> Any:
        """Return an expression for the sum of *each* over a campaign's rows; 0 without rows."""
        rows = self.in_campaign(campaign).order_by().values(self.model.CAMPAIGN)
        return summed(rows.annotate(sum=Sum(each, output_field=MONEY)).values("sum"))


class PromisedPay(models.Model):
    """One piece of work, whom it is leased to, and the reward promised for it."""

    CAMPAIGN: ClassVar[str] = "campaign"
    """Path to the campaign that pays."""
    DONE_AT: ClassVar[str] = "answered_at"
    """The time when the work was done."""
    KIND: ClassVar[Any]
    """Kind of the ledger's entries, or an expression of it."""
    UNIT: ClassVar[str] = "public_id"
    """Path to the unit that an entry names; ``DOER`` is who is paid for it."""
    DOER: ClassVar[str] = "worker"
    WITHDRAWN_AT: ClassVar[str] = ""
    """Path to the time when work that is done was withdrawn, if it can be."""

    public_id = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)

    worker_id: int | None
    leased_until: Any
    reward: Any

    class Meta:
        abstract = True


def promising() -> list[type[PromisedPay]]:
    """Return the tables of all apps whose rows promise pay."""
    return [model for model in apps.get_models() if issubclass(model, PromisedPay)]


def promised_to_all(campaign: Any, now: datetime) -> Any:
    """Return an expression for what a campaign's open work of all kinds will still cost."""
    nothing = Value(NOTHING, output_field=MONEY)
    return sum((rows_of(kind).promised(campaign, now) for kind in promising()), start=nothing)


def is_held(worker: Any, campaign: Any, now: datetime) -> Q:
    """Return the condition that *worker* works on something of *campaign*.

    Parameters
    ----------
    worker, campaign
        Rows, or ``OuterRef`` to them.
    """
    held = Q()
    for kind in promising():
        rows = rows_of(kind).held(now=now).in_campaign(campaign)
        held |= Q(Exists(rows.filter(worker=worker)))
    return held


def rows_of(kind: type[PromisedPay]) -> PromisedPayQuerySet[Any]:
    """Return all rows of one kind of work."""
    rows = kind._default_manager.all()
    assert isinstance(rows, PromisedPayQuerySet)
    return rows


def summed(rows: Any) -> Any:
    """Return a query expression for one sum; 0 without rows."""
    return Coalesce(Subquery(rows, output_field=MONEY), Value(NOTHING), output_field=MONEY)
