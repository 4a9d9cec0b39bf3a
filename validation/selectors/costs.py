"""The cost of the votes that are still to be cast."""

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
    """Return an expression for the most that the campaign's open seats will pay.

    A claimed seat pays the reward promised at its claim, a free one the current rate: so a claimed
    seat counts with the higher of the two, as it may become free again. It counts after its lease
    too, since a late answer is paid, until its worker leaves it. A closed campaign hands out no
    free seats and takes no late answers.
    """
    free = NOTHING if campaign.status == Campaign.Status.CLOSED else campaign.reward_vote
    open_seats = Seat.objects.in_campaign(campaign).filter(answered_at=None)
    # All seats are counted from an index; only the few claimed ones are read individually.
    as_free = ExpressionWrapper(_count(open_seats.numbered()) * _money(free), output_field=MONEY)
    taken = open_seats.filter(worker__isnull=False)
    if campaign.status == Campaign.Status.CLOSED:
        taken = taken.filter(leased_until__gt=now - LATE)
    return as_free + _more_for_taken(taken, campaign, free)


def _more_for_taken(taken: QuerySet[Seat], campaign: Campaign, free: Decimal) -> Any:
    """Return the cost of claimed seats beyond the rate at which numbered ones were counted."""
    promised = Coalesce(F("reward"), _money(campaign.reward_vote))
    beyond = Greatest(promised, _money(free)) - _money(free)
    cost = Case(When(gold=None, then=beyond), default=promised, output_field=MONEY)
    return summed(taken.order_by().values("campaign").annotate(sum=Sum(cost)).values("sum"))


def _count(seats: QuerySet[Seat]) -> Any:
    counted = seats.order_by().values("campaign").annotate(n=Count("*")).values("n")
    return Coalesce(Subquery(counted, output_field=IntegerField()), Value(0))


def _money(amount: Decimal) -> Value:
    return Value(amount, output_field=MONEY)
