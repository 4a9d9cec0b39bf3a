"""A validator's work of today, and their last answers."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import Decimal

from django.db.models import Count, Sum
from django.db.models.functions import Coalesce
from django.utils import timezone

from collection.models import Campaign
from validation.models import Seat
from validation.services import as_shown
from workers.models import User

LAPSED_LATELY = timedelta(hours=1)


@dataclass(frozen=True, slots=True)
class Today:
    """How many questions a validator has answered since midnight, and their pay."""

    count: int
    pay: Decimal


def validated_today(user: User, campaign: Campaign, now: datetime) -> Today:
    """Count a validator's votes of today, in the reader's zone; gold questions count too."""
    mine = Seat.objects.filter(worker=user, campaign=campaign, answered_at__gte=midnight(now))
    row = mine.aggregate(count=Count("pk"), pay=Sum(Coalesce("reward", campaign.reward_vote)))
    return Today(row["count"], row["pay"] or Decimal(0))


def midnight(now: datetime) -> datetime:
    """Return the beginning of the reader's day."""
    return timezone.localtime(now).replace(hour=0, minute=0, second=0, microsecond=0)


def n_in_hand(user: User, campaign: Campaign, now: datetime) -> int:
    """Return how many questions the validator holds without a vote."""
    return Seat.objects.filter(worker=user, campaign=campaign).held(now=now).count()


def has_lapsed(user: User, campaign: Campaign, now: datetime) -> bool:
    """Return whether the lease of the validator's last question ended recently."""
    mine = Seat.objects.filter(worker=user, campaign=campaign)
    # Until another validator claims it, the seat still names its last holder.
    return mine.filter(
        answered_at=None, leased_until__lte=now, leased_until__gt=now - LAPSED_LATELY
    ).exists()


@dataclass(frozen=True, slots=True)
class Said:
    """A vote as its validator gave it, in the order of the options shown."""

    option: int
    clarity: str
    comment: str
    report: str


def said_in(seat: Seat) -> Said:
    vote = seat.vote
    return Said(
        option=as_shown(seat, vote.option),
        clarity="both" if vote.ambiguous else "clear",
        comment=vote.comment,
        report=vote.report,
    )
