"""What a worker can do now, and has done."""

import uuid
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal

from django.contrib.postgres.expressions import ArraySubquery
from django.db.models import Exists, OuterRef, Q, QuerySet, Sum
from django.http import Http404
from django.utils.translation import gettext as _

from collection.models import Assignment, Campaign, Twin
from collection.selectors.writing import HourlyRate, hourly_rates
from validation.models import Seat, Vote
from workers.models import LedgerEntry, User


@dataclass(frozen=True, slots=True)
class Money:
    amount: Decimal
    currency: str


@dataclass(frozen=True, slots=True)
class Totals:
    """What a worker has done and is owed."""

    twins: int
    votes: int
    pay: tuple[Money, ...]
    rates: tuple[HourlyRate, ...]


def totals(user: User) -> Totals:
    """Count a worker's twins and votes, and sum the ledger by currency."""
    sums = LedgerEntry.objects.filter(worker=user).order_by("currency")
    pay = sums.values_list("currency").annotate(Sum("amount"))
    return Totals(
        twins=Twin.objects.standing().filter(author=user).count(),
        votes=Vote.objects.filter(worker=user).count(),
        pay=tuple(Money(amount, currency) for currency, amount in pay),
        rates=hourly_rates(user),
    )


TWINS_COUNTED = 20


@dataclass(frozen=True, slots=True)
class Waiting:
    """How many questions one judge could take now, or why there is none.

    A judge gets one of two twins, so twins are counted, and no more than ``TWINS_COUNTED``.
    """

    count: int
    is_more: bool
    reason: str


@dataclass(frozen=True, slots=True)
class Work:
    """One campaign as a worker sees it at home."""

    campaign: Campaign
    waiting: "Waiting"
    is_writing: bool
    is_judging: bool


def open_work(user: User, now: datetime) -> list[Work]:
    """Return the open campaigns, and paused ones that *user* has begun work in, with what to do."""
    held = Assignment.objects.filter(worker=user).held(now=now)
    writing = set(held.values_list("campaign", flat=True))
    seats = Seat.objects.filter(worker=user).held(now=now)
    judging = set(seats.values_list("campaign", flat=True))
    begun = Q(pk__in=writing | judging, status=Campaign.Status.PAUSED)
    campaigns = Campaign.objects.filter(Q(status=Campaign.Status.OPEN) | begun)
    waiting = _waiting(user, campaigns, now)
    return [
        Work(campaign, waiting[campaign.pk], campaign.pk in writing, campaign.pk in judging)
        for campaign in campaigns
    ]


def waiting_in(user: User, campaign: Campaign, now: datetime) -> Waiting:
    """Return what waits in *campaign* for this judge."""
    return _waiting(user, Campaign.objects.filter(pk=campaign.pk), now)[campaign.pk]


def _waiting(user: User, campaigns: QuerySet[Campaign], now: datetime) -> dict[int, Waiting]:
    here = Seat.objects.filter(campaign=OuterRef("pk"), voted_at=None)
    free = here.free(now=now)
    # Who let a lease end before looking further may take the seat again.
    mine = free.open_to(user) | free.filter(worker=user, local_at=None)
    # So many seats hold more twins than are counted, as a twin has two questions of three votes.
    first = mine.order_by("place", "number").values("twin")[: 6 * (TWINS_COUNTED + 1)]
    rows = campaigns.annotate(
        first=ArraySubquery(first), some=Exists(here), others=Exists(here.open_to(user))
    )
    return {
        pk: _as_waiting(first, some, others)
        for pk, first, some, others in rows.values_list("pk", "first", "some", "others")
    }


def _as_waiting(twins: list[int], some: bool, others: bool) -> Waiting:
    n = len(set(twins))
    is_more = n > TWINS_COUNTED or len(twins) > 6 * TWINS_COUNTED
    return Waiting(min(n, TWINS_COUNTED), is_more, "" if n else _why_none(some, others))


def _why_none(some: bool, others: bool) -> str:
    if not some:
        return _("Every question has its votes. New ones come as writers submit twins.")
    if not others:
        return _("The questions left are your own, or you have had them or their twins before.")
    return _("Every question left is in another judge’s hands right now.")


def open_assignment(user: User, campaign: Campaign) -> Assignment | None:
    """Return what *user* is writing, also after its lease ended: the text may still be there."""
    mine = Assignment.objects.filter(worker=user, campaign=campaign)
    return mine.filter(status=Assignment.Status.OPEN).select_related("article", "campaign").first()


def assignment_for(user: User, public_id: uuid.UUID) -> Assignment:
    """Return an assignment of the user's own; any other is not found."""
    mine = Assignment.objects.filter(worker=user).select_related("article", "campaign")
    assignment = mine.filter(public_id=public_id).first()
    if assignment is None:
        raise Http404(_("There is no such assignment, or it is not yours."))
    return assignment


def held_seat(user: User, campaign: Campaign, now: datetime) -> Seat | None:
    """Return the question in the judge's hands, if any."""
    held = Seat.objects.held(now=now).filter(worker=user, campaign=campaign)
    return held.select_related("question", "twin").first()
