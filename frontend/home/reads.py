"""What a worker can do now, and has done."""

import uuid
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal

from django.db.models import Count, OuterRef, Q, Subquery, Sum
from django.http import Http404
from django.utils.translation import gettext as _

from collection.models import Assignment, Campaign, Twin
from collection.selectors.budget import cost_of_twin
from collection.selectors.joining import blockers_of
from collection.selectors.offers import offered_to
from collection.selectors.writing import HourlyRate, hourly_rates
from collection.services.campaigns.budget import refusal
from validation.core.validator_figures import ENOUGH
from validation.models import Appeal, QualityNotice, Seat, Vote
from validation.selectors.free_seats import EmptyQueue, empty_queues
from winoplatform.prepared import Given, Prepared, once
from workers.models import LedgerEntry, Qualification, User


@dataclass(frozen=True, slots=True)
class Money:
    amount: Decimal
    currency: str


@dataclass(frozen=True, slots=True)
class Totals:
    """A worker's completed work and pay."""

    twins: int
    votes: int
    pay: tuple[Money, ...]
    rates: tuple[HourlyRate, ...]
    """Over ``ENOUGH`` twins at least: a few say little about an hour."""


def totals(user: User) -> Totals:
    """Count a worker's twins and votes, and sum the ledger by currency."""
    sums = LedgerEntry.objects.filter(worker=user).order_by("currency")
    pay = sums.values_list("currency").annotate(Sum("amount"))
    twins, votes = _counts(user)
    return Totals(
        twins=twins,
        votes=votes,
        pay=tuple(Money(amount, currency) for currency, amount in pay),
        rates=tuple(rate for rate in hourly_rates(user) if rate.twins >= ENOUGH),
    )


def _counts(user: User) -> tuple[int, int]:
    """Count a worker's twins and votes, in one query."""
    twins = Twin.objects.active().filter(author=OuterRef("pk")).order_by().values("author")
    votes = Vote.objects.filter(worker=OuterRef("pk")).order_by().values("worker")
    counted = (Subquery(rows.annotate(n=Count("pk")).values("n")) for rows in (twins, votes))
    [(n_twins, n_votes)] = User.objects.filter(pk=user.pk).values_list(*counted)
    return n_twins or 0, n_votes or 0


@dataclass(frozen=True, slots=True)
class Work:
    """One campaign on a worker's home page."""

    campaign: Campaign
    empty: EmptyQueue | None
    """Why no question is there to validate; None where one is."""
    is_writing: bool
    is_validating: bool
    to_validate: str
    """What is in the way of validating first, by name; empty where nothing is."""
    to_write: str
    """As ``to_validate``, of writing."""
    is_budget_left: bool
    """Whether the campaign can pay for one more twin."""


def open_work(user: User, now: datetime) -> list[Work]:
    """Return the campaigns offered, and those in which *user* has open work, with the next step.

    One of simulated people is offered only while no other is open.
    """
    held = Assignment.objects.filter(worker=user).held(now=now)
    writing = set(held.values_list("campaign", flat=True))
    seats = Seat.objects.filter(worker=user).held(now=now)
    validating = set(seats.values_list("campaign", flat=True))
    begun = Q(pk__in=writing | validating, status=Campaign.Status.PAUSED)
    going_on = Campaign.objects.filter(Q(status=Campaign.Status.OPEN) | begun)
    campaigns = offered_to(going_on, user, now=now)
    empty = empty_queues(worker=user, campaigns=campaigns, now=now)
    blockers = blockers_of(worker=user, campaigns=campaigns, skill=Qualification.Skill.VALIDATE)
    writers = blockers_of(worker=user, campaigns=campaigns, skill=Qualification.Skill.WRITE)
    return [
        Work(
            campaign=campaign,
            empty=empty.get(campaign.pk),
            is_writing=campaign.pk in writing,
            is_validating=campaign.pk in validating,
            to_validate=next(iter(blockers[campaign.pk]), ""),
            to_write=next(iter(writers[campaign.pk]), ""),
            # Queried only for campaigns with a cap.
            is_budget_left=refusal(campaign=campaign, amount=cost_of_twin(campaign)) is None,
        )
        for campaign in campaigns
    ]


def open_assignment(user: User, campaign: Campaign) -> Assignment | None:
    """Return the assignment of *user*, also after its lease ended: it may still hold a draft."""
    mine = Assignment.objects.filter(worker=user, campaign=campaign)
    return mine.filter(status=Assignment.Status.OPEN).select_related("article", "campaign").first()


@once
def _own_assignments() -> Prepared[Assignment]:
    mine = Assignment.objects.filter(worker=Given("worker"), public_id=Given("id"))
    # Only the full page shows anchors.
    return Prepared(mine.select_related("article", "campaign").defer("article__anchors"))


def assignment_for(user: User, public_id: uuid.UUID) -> Assignment:
    """Return an assignment of the user, or raise a 404."""
    assignment = _own_assignments().first(worker=user.pk, id=public_id)
    if assignment is None:
        raise Http404(_("There is no such assignment, or it is not yours."))
    return assignment


def held_seat(user: User, campaign: Campaign, now: datetime) -> Seat | None:
    """Return the seat that the validator has held longest, if any."""
    held = Seat.objects.held(now=now).filter(worker=user, campaign=campaign)
    return held.select_related("question", "twin").order_by("claimed_at", "pk").first()


NEWS = 5


@dataclass(frozen=True, slots=True)
class News:
    """Unread notices of curators' decisions about the worker's work."""

    notices: list[QualityNotice]
    n_more: int
    appeals: list[Appeal]


def news_of(user: User) -> News:
    """Return the newest notices on votes and twins, and answers to appeals, in three queries."""
    told = QualityNotice.objects.filter(worker=user, kind__in=QualityNotice.OF_CURATORS)
    unseen = told.filter(seen_at=None).select_related("campaign").order_by("-pk")
    newest = list(unseen[: NEWS + 1])
    n_more = unseen.count() - NEWS if len(newest) > NEWS else 0
    return News(newest[:NEWS], n_more, list(Appeal.objects.filter(worker=user).unread()[:NEWS]))
