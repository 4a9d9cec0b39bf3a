"""Reads of the queue: what is left, and why nothing is for this judge."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from django.db.models import Max, Min
from django.utils.translation import gettext as _

from collection.models import Campaign, Question, Twin
from validation.models import Seat, Verdict
from workers.models import User


HEAD = 200  # seats


def end_of_head(campaign: Campaign) -> int | None:
    """The question at which the first ``HEAD`` open seats end; None where there are no more."""
    seats = Seat.objects.in_campaign(campaign).filter(voted_at=None)
    ids = seats.order_by("question_id", "number").values_list("question_id", flat=True)
    return ids[HEAD : HEAD + 1].first()


def furthest_judged(*, worker: User, campaign: Campaign) -> int:
    """The last question in the queue's order that *worker* has judged; 0 for none."""
    seats = Seat.objects.in_campaign(campaign).filter(worker=worker)
    return seats.aggregate(furthest=Max("question_id"))["furthest"] or 0


@dataclass(frozen=True, slots=True)
class EmptyQueue:
    """Why a judge gets nothing now, in a code and a sentence, and when to look again."""

    reason: str
    message: str
    again_at: datetime | None = None


def why_empty(*, worker: User, campaign: Campaign, now: datetime) -> EmptyQueue:
    """Say why no seat is free for *worker*."""
    seats = Seat.objects.in_campaign(campaign).filter(voted_at=None)
    if not seats.exists():
        return EmptyQueue(
            "all_judged", _("Every question has its votes. New ones come as writers submit twins.")
        )
    others = seats.open_to(worker)
    if not others.exists():
        return EmptyQueue(
            "yours_or_judged",
            _("The questions left are your own or twins of ones you judged: others must do them."),
        )
    return EmptyQueue(
        "all_leased",
        _("Every question left is in another judge's hands right now."),
        others.aggregate(first=Min("leased_until"))["first"],
    )
