"""What a worker can do now, and has done."""

import uuid
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal

from django.db.models import Count, Q, Sum
from django.http import Http404
from django.utils.translation import gettext as _

from collection.models import Assignment, Campaign, Twin
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


def totals(user: User) -> Totals:
    """Count a worker's twins and votes, and sum the ledger by currency."""
    sums = LedgerEntry.objects.filter(worker=user).order_by("currency")
    pay = sums.values_list("currency").annotate(Sum("amount"))
    return Totals(
        twins=Twin.objects.filter(author=user).count(),
        votes=Vote.objects.filter(worker=user).count(),
        pay=tuple(Money(amount, currency) for currency, amount in pay),
    )


@dataclass(frozen=True, slots=True)
class Work:
    """One campaign as a worker sees it at home."""

    campaign: Campaign
    to_judge: int
    is_writing: bool
    is_judging: bool


def open_work(user: User, now: datetime) -> list[Work]:
    """Return the open campaigns with what is there for *user* to do."""
    campaigns = list(Campaign.objects.open())
    own = Seat.objects.filter(worker=user)
    free = Seat.objects.free(now=now).filter(Q(author=None) | ~Q(author=user))
    to_judge = dict(
        free.filter(campaign__in=campaigns).values_list("campaign").annotate(Count("pk"))
    )
    writing = set(
        Assignment.objects.filter(worker=user).held(now=now).values_list("campaign", flat=True)
    )
    judging = set(own.held(now=now).values_list("campaign", flat=True))
    return [
        Work(campaign, to_judge.get(campaign.pk, 0), campaign.pk in writing, campaign.pk in judging)
        for campaign in campaigns
    ]


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


def seats_open(user: User, campaign: Campaign, now: datetime) -> int:
    """Count the judgements still to be given that are not on the user's own twins."""
    free = Seat.objects.free(now=now).filter(campaign=campaign)
    return free.filter(Q(author=None) | ~Q(author=user)).count()
