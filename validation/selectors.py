"""Reads of the queue: what is left, and why nothing is for this judge."""

from dataclasses import dataclass
from datetime import datetime

from django.db.models import Exists, Min, OuterRef
from django.utils.translation import gettext as _

from collection.models import Campaign
from validation.models import Seat
from workers.models import User


@dataclass(frozen=True, slots=True)
class EmptyQueue:
    """Why a judge gets nothing now, in a code and a sentence, and when to look again."""

    reason: str
    message: str
    again_at: datetime | None = None


def why_empty(*, worker: User, campaign: Campaign, now: datetime) -> EmptyQueue:
    """Say why no seat is free for *worker*."""
    seats = Seat.objects.filter(campaign=campaign, voted_at=None)
    if not seats.exists():
        return EmptyQueue(
            "all_judged", _("Every question has its votes. New ones come as writers submit twins.")
        )
    judged = Seat.objects.filter(worker=worker, twin=OuterRef("twin"))
    mine = seats.exclude(author=worker).filter(~Exists(judged))
    if not mine.exists():
        return EmptyQueue(
            "yours_or_judged",
            _("The questions left are your own or twins of ones you judged: others must do them."),
        )
    again_at = mine.aggregate(first=Min("leased_until"))["first"]
    return EmptyQueue(
        "all_leased", _("Every question left is in another judge's hands right now."), again_at
    )
