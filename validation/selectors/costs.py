"""What the votes that are still to come will cost."""

from datetime import datetime
from decimal import Decimal
from typing import Any

from django.db.models import (
    Case,
    Count,
    ExpressionWrapper,
    F,
    IntegerField,
    QuerySet,
    Subquery,
    Sum,
    Value,
    When,
)
from django.db.models.functions import Coalesce, Greatest

from collection.models import Campaign
from collection.selectors.budget import LATE, MONEY, NOTHING, summed
from validation.models import Seat


def promised_votes(campaign: Campaign, now: datetime) -> Any:
    """An expression of what the campaign's open seats will pay at most.

    A seat pays what was promised when it was taken, and a free one the rate: so one that is taken
    counts with the higher of the two, as it may come free again. A closed campaign hands out no
    free seat any more. A gold question's seat is nobody else's, so it costs nothing once its lease
    has ended.
    """
    free = NOTHING if campaign.status == Campaign.Status.CLOSED else campaign.reward_vote
    open_seats = Seat.objects.in_campaign(campaign).filter(answered_at=None)
    # All of them are counted from an index; only the few that are taken are looked at one by one.
    as_free = ExpressionWrapper(_count(open_seats.numbered()) * _money(free), output_field=MONEY)
    taken = open_seats.filter(worker__isnull=False, leased_until__gt=now - LATE)
    return as_free + _more_for_taken(taken, campaign, free)


def _more_for_taken(taken: QuerySet[Seat], campaign: Campaign, free: Decimal) -> Any:
    """What seats in validators' hands cost beyond the rate at which numbered ones were counted."""
    promised = Coalesce(F("reward"), _money(campaign.reward_vote))
    beyond = Greatest(promised, _money(free)) - _money(free)
    cost = Case(When(gold=None, then=beyond), default=promised, output_field=MONEY)
    return summed(taken.order_by().values("campaign").annotate(sum=Sum(cost)).values("sum"))


def _count(seats: QuerySet[Seat]) -> Any:
    counted = seats.order_by().values("campaign").annotate(n=Count("*")).values("n")
    return Coalesce(Subquery(counted, output_field=IntegerField()), Value(0))


def _money(amount: Decimal) -> Value:
    return Value(amount, output_field=MONEY)
