"""Limits on the votes of one worker in a campaign: in total and per day."""

from datetime import datetime, timedelta
from typing import Any

from django.utils.translation import gettext as _

from collection.models import Campaign
from validation.models import AbstractSeatQuerySet, Seat, SeatQuerySet
from winoplatform.errors import Conflict, DomainError
from workers.models import User

DAY = timedelta(hours=24)


def refuse_over_limit(
    *,
    worker: User,
    campaign: Campaign,
    held: int,
    now: datetime,
    voted: "AbstractSeatQuerySet[Any] | None" = None,
) -> None:
    """Refuse another seat to a worker whose votes and held seats reach the limit.

    Parameters
    ----------
    voted
        The worker's answered seats that count; by default those of validation.

    Answers to gold questions count like any others: otherwise the count would reveal them.

    Raises
    ------
    DomainError
        ``vote_limit``, or ``daily_vote_limit`` with ``again_at`` in its details.
    """
    voted = _voted(worker, campaign) if voted is None else voted
    most = campaign.votes_per_worker_max
    if most is not None and held + voted[:most].count() >= most:
        raise _limit(most)
    most = campaign.votes_per_day_max
    if most is None:
        return
    # Reads at most as many rows as the limit.
    since = voted.filter(answered_at__gt=now - DAY).order_by("-answered_at")
    times = list(since.values_list("answered_at", flat=True)[:most])
    if held + len(times) >= most:
        raise _daily_limit(most, times[most - held - 1] if most > held else None)


def _voted(worker: User, campaign: Campaign) -> SeatQuerySet:
    return Seat.objects.filter(worker=worker, campaign=campaign, answered_at__isnull=False)


def _limit(most: int) -> DomainError:
    return Conflict(
        "vote_limit",
        _("You have reached this campaign's limit of %d questions per person.") % most,
        details={"limit": most},
    )


def _daily_limit(most: int, blocking: datetime | None) -> DomainError:
    """Return the error; *blocking* is the vote that must be a day old before the next claim."""
    again_at = blocking and blocking + DAY
    return Conflict(
        "daily_vote_limit",
        _("You have reached the limit of %d questions in 24 hours. Please come back later.") % most,
        details={"limit": most, "again_at": again_at and again_at.isoformat()},
    )
