"""A worker's work of today, and what it pays."""

from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal

from django.db.models import CharField, Count, Sum
from django.db.models.functions import Cast, Coalesce
from django.utils import timezone

from collection.models import Campaign, Twin
from validation.models import Seat
from workers.models import LedgerEntry, User


@dataclass(frozen=True, slots=True)
class Today:
    """How much a worker has done since midnight, in the reader's zone, and its pay."""

    count: int
    pay: Decimal


def validated_today(user: User, campaign: Campaign, now: datetime) -> Today:
    """Count a validator's votes of today; gold questions count too."""
    mine = Seat.objects.filter(worker=user, campaign=campaign, answered_at__gte=midnight(now))
    row = mine.aggregate(count=Count("pk"), pay=Sum(Coalesce("reward", campaign.reward_vote)))
    return Today(row["count"], row["pay"] or Decimal(0))


def written_today(user: User, campaign: Campaign, now: datetime) -> Today:
    """Count a writer's twins of today that stand, with their pay as the ledger has it."""
    mine = Twin.objects.active().filter(
        author=user, campaign=campaign, created_at__gte=midnight(now)
    )
    units = mine.order_by().annotate(unit=Cast("public_id", CharField())).values("unit")
    paid = LedgerEntry.objects.filter(worker=user, kind=LedgerEntry.Kind.TWIN, unit__in=units)
    return Today(mine.count(), paid.total())


def midnight(now: datetime) -> datetime:
    """Return the beginning of the reader's day."""
    return timezone.localtime(now).replace(hour=0, minute=0, second=0, microsecond=0)
