"""What a worker can do now, and has done."""

from dataclasses import dataclass
from datetime import datetime

from django.db.models import Q

from collection.models import Assignment, Campaign
from collection.selectors.budget import cost_of_twin
from collection.selectors.joining import blockers_of
from collection.selectors.offers import offered_to
from collection.services.campaigns.budget import refusal
from validation.models import Appeal, QualityNotice, Seat
from validation.selectors.free_seats import EmptyQueue, empty_queues
from workers.models import Qualification, User


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
