"""What a worker can do now, and has done."""

import uuid
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal

from django.db.models import Exists, OuterRef, Q, QuerySet, Subquery, Sum
from django.db.models.functions import Coalesce
from django.utils.translation import gettext as _

from collection.models import Assignment, Campaign, Twin
from collection.selectors.budget import cost_of_twin
from collection.selectors.joining import first_bars
from collection.selectors.writing import HourlyRate, hourly_rates
from collection.services.budget import refusal
from frontend.http import existing
from validation.models import QualityNotice, Seat, SeatQuerySet, Vote
from workers.models import LedgerEntry, Qualification, User


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


SEATS_LOOKED_AT = 600
LAST_PLACE = 2**63 - 1


@dataclass(frozen=True, slots=True)
class Waiting:
    """Whether a judge could take a question now, or why not.

    No number: it goes down with every question taken but gold ones, which so could be told apart.
    """

    is_some: bool
    reason: str


@dataclass(frozen=True, slots=True)
class Work:
    """One campaign as a worker sees it at home."""

    campaign: Campaign
    waiting: "Waiting"
    is_writing: bool
    is_judging: bool
    to_judge: str
    """What is in the way of judging first, by name; empty where nothing is."""
    to_write: str
    """As ``to_judge``, of writing."""
    is_budget_left: bool
    """Whether the campaign can pay for one more twin."""


def open_work(user: User, now: datetime) -> list[Work]:
    """Return the open campaigns, and paused ones that *user* has begun work in, with what to do."""
    held = Assignment.objects.filter(worker=user).held(now=now)
    writing = set(held.values_list("campaign", flat=True))
    seats = Seat.objects.filter(worker=user).held(now=now)
    judging = set(seats.values_list("campaign", flat=True))
    begun = Q(pk__in=writing | judging, status=Campaign.Status.PAUSED)
    campaigns = Campaign.objects.filter(Q(status=Campaign.Status.OPEN) | begun)
    waiting = _waiting(user, campaigns, now)
    bars = first_bars(worker=user, campaigns=campaigns, skill=Qualification.Skill.JUDGE)
    writers = first_bars(worker=user, campaigns=campaigns, skill=Qualification.Skill.WRITE)
    return [
        Work(
            campaign=campaign,
            waiting=waiting[campaign.pk],
            is_writing=campaign.pk in writing,
            is_judging=campaign.pk in judging,
            to_judge=bars[campaign.pk],
            to_write=writers[campaign.pk],
            # Asked of campaigns with a cap only.
            is_budget_left=refusal(campaign=campaign, amount=cost_of_twin(campaign)) is None,
        )
        for campaign in campaigns
    ]


def waiting_in(user: User, campaign: Campaign, now: datetime) -> Waiting:
    """Return what waits in *campaign* for this judge."""
    return _waiting(user, Campaign.objects.filter(pk=campaign.pk), now)[campaign.pk]


def _waiting(user: User, campaigns: QuerySet[Campaign], now: datetime) -> dict[int, Waiting]:
    """Look where a claim does: from the head, then behind the judge's furthest question.

    No further than ``SEATS_LOOKED_AT`` each: who has judged much would wait for the rest.
    """
    here = Seat.objects.filter(campaign=OuterRef("pk"), voted_at=None)
    seats = here.numbered().order_by("place", "number")
    line = seats.values("place")
    judged = Seat.objects.filter(campaign=OuterRef("pk"), worker=user, voted_at__isnull=False)
    beyond = line.filter(place__gt=OuterRef("furthest"))
    campaigns = campaigns.annotate(
        head_end=Coalesce(Subquery(line[SEATS_LOOKED_AT : SEATS_LOOKED_AT + 1]), LAST_PLACE),
        furthest=Subquery(judged.order_by("-place").values("place")[:1]),
    ).annotate(
        tail_end=Coalesce(Subquery(beyond[SEATS_LOOKED_AT : SEATS_LOOKED_AT + 1]), LAST_PLACE)
    )
    head = seats.filter(place__lte=OuterRef("head_end"))
    tail = seats.filter(place__gt=OuterRef("furthest"), place__lte=OuterRef("tail_end"))
    rows = campaigns.annotate(
        free=Coalesce(_first_free(head, user, now), _first_free(tail, user, now)),
        some=Exists(here),
        others=Coalesce(_first_open(head, user), _first_open(tail, user)),
    )
    return {
        pk: Waiting(free is not None, "" if free else _why_none(some, others is not None))
        for pk, free, some, others in rows.values_list("pk", "free", "some", "others")
    }


def _first_free(seats: SeatQuerySet, user: User, now: datetime) -> Subquery:
    free = seats.free(now=now)
    # Who let a lease end before looking further may take the seat again.
    mine = free.open_to(user) | free.filter(worker=user, local_at=None)
    return Subquery(mine.values("pk")[:1])


def _first_open(seats: SeatQuerySet, user: User) -> Subquery:
    return Subquery(seats.open_to(user).values("pk")[:1])


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
    return existing(
        mine, _("There is no such assignment, or it is not yours."), public_id=public_id
    )


def held_seat(user: User, campaign: Campaign, now: datetime) -> Seat | None:
    """Return the question that is in the judge's hands longest, if any."""
    held = Seat.objects.held(now=now).filter(worker=user, campaign=campaign)
    return held.select_related("question", "twin").order_by("claimed_at", "pk").first()


NEWS = 5


@dataclass(frozen=True, slots=True)
class News:
    """What curators have done about one's work and one has not said to have read."""

    notices: list[QualityNotice]
    n_more: int


def news_of(user: User) -> News:
    """Return the newest notices of votes set aside and twins sent back, in two queries at most."""
    told = QualityNotice.objects.filter(worker=user, kind__in=QualityNotice.OF_CURATORS)
    unseen = told.filter(seen_at=None).select_related("campaign").order_by("-pk")
    newest = list(unseen[: NEWS + 1])
    n_more = unseen.count() - NEWS if len(newest) > NEWS else 0
    return News(newest[:NEWS], n_more)
