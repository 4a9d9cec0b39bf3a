"""What writers can do with assignments: ask, renew, give back."""

import random
import uuid
from datetime import datetime, timedelta

from django.db import transaction
from django.utils import timezone

from collection.models import Article, Assignment, Campaign
from winoplatform.errors import DomainError, NotFound
from workers.models import User


@transaction.atomic
def request_assignment(
    *, worker: User, campaign: Campaign, article: Article | None = None
) -> Assignment:
    """Give *worker* a random article (or *article*) under a lease, or the one already held.

    Raises
    ------
    DomainError
        ``campaign_not_open``, ``no_articles``, or ``another_assignment_open`` where *article* is
        asked for and another one is held.
    """
    now = timezone.now()
    _one_at_a_time(worker)
    mine = Assignment.objects.filter(worker=worker, campaign=campaign)
    held = mine.held(now=now).select_related("article", "campaign").first()
    if held is not None:
        if article is not None and article != held.article:
            raise _another_open()
        return held
    _refuse_unless_open(campaign)
    mine.filter(status=Assignment.Status.OPEN).update(status=Assignment.Status.EXPIRED)
    return Assignment.objects.create(
        campaign=campaign,
        article=article or _random_article(campaign),
        worker=worker,
        leased_until=_lease(campaign, now),
        created_at=now,
    )


def _another_open() -> DomainError:
    return DomainError(
        "another_assignment_open",
        "You hold another assignment of this campaign; submit or return that one first.",
        status=409,
    )


def _one_at_a_time(worker: User) -> None:
    """Let a worker's requests wait for each other: two tabs get the same assignment."""
    # NO KEY: a submission of the same worker refers to this row, and each would wait for the other.
    User.objects.select_for_update(no_key=True).get(pk=worker.pk)


def _refuse_unless_open(campaign: Campaign) -> None:
    if campaign.status != Campaign.Status.OPEN:
        raise DomainError(
            "campaign_not_open",
            f"“{campaign.name}” is {campaign.get_status_display()} and hands out no work now.",
            status=409,
        )


def _random_article(campaign: Campaign) -> Article:
    articles = campaign.articles.order_by("pk")
    count = articles.count()
    if not count:
        raise DomainError(
            "no_articles",
            "This campaign has no articles yet; a curator has to import some.",
            status=409,
        )
    return articles[random.randrange(count)]


def _lease(campaign: Campaign, now: datetime) -> datetime:
    return now + timedelta(minutes=campaign.assignment_minutes)


def own(worker: User, assignment_id: uuid.UUID, *, lock: bool = False) -> Assignment:
    """Return one of the worker's own assignments, locked on request; refuse any other."""
    rows = Assignment.objects.select_related("campaign", "article").filter(worker=worker)
    if lock:
        rows = rows.select_for_update(of=("self",))
    assignment = rows.filter(public_id=assignment_id).first()
    if assignment is None:
        raise NotFound("assignment")
    return assignment


@transaction.atomic
def return_assignment(*, worker: User, assignment_id: uuid.UUID) -> Assignment:
    """Give an assignment back unwritten; returning it twice is the same as once."""
    assignment = own(worker, assignment_id, lock=True)
    if assignment.status == Assignment.Status.SUBMITTED:
        raise DomainError("already_submitted", "This twin has been submitted.", status=409)
    assignment.status = Assignment.Status.RETURNED
    assignment.save(update_fields=["status"])
    return assignment


@transaction.atomic
def renew_assignment(*, worker: User, assignment_id: uuid.UUID) -> Assignment:
    """Start the lease anew, also after it ended, so that a slow writer loses nothing."""
    _one_at_a_time(worker)
    assignment = own(worker, assignment_id, lock=True)
    if assignment.status not in (Assignment.Status.OPEN, Assignment.Status.EXPIRED):
        raise DomainError(
            "assignment_ended",
            f"This assignment is {assignment.get_status_display()}; ask for another one.",
            status=409,
        )
    if assignment.campaign.status == Campaign.Status.CLOSED:
        raise DomainError("campaign_closed", "This campaign is closed.", status=409)
    others = Assignment.objects.filter(worker=worker, campaign=assignment.campaign)
    if others.filter(status=Assignment.Status.OPEN).exclude(pk=assignment.pk).exists():
        raise _another_open()
    assignment.status = Assignment.Status.OPEN
    assignment.leased_until = _lease(assignment.campaign, timezone.now())
    assignment.save(update_fields=["status", "leased_until"])
    return assignment
