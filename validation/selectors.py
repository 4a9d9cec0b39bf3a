"""Reads of the queue: what is left, and why nothing is for this judge."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from django.db.models import Max, Min, Subquery
from django.db.models.functions import Coalesce
from django.utils.translation import gettext as _

from collection.models import Campaign, Question, Twin
from validation.models import Seat, Verdict
from workers.models import User

HEAD = 200  # seats
BIGGEST = 2**63 - 1


def end_of_head(campaign: Campaign) -> Coalesce:
    """The place at which the first ``HEAD`` open seats end, as a part of a query."""
    seats = Seat.objects.in_campaign(campaign).filter(voted_at=None)
    places = seats.order_by("place", "number").values("place")
    return Coalesce(Subquery(places[HEAD : HEAD + 1]), BIGGEST)


def furthest_judged(*, worker: User, campaign: Campaign) -> int:
    """The last place in the queue that *worker* has judged; 0 for none."""
    seats = Seat.objects.in_campaign(campaign).filter(worker=worker)
    return seats.aggregate(furthest=Max("place"))["furthest"] or 0


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
            _(
                "The questions left are your own, or you have judged or returned them or their "
                "twins: others must do them."
            ),
        )
    return EmptyQueue(
        "all_leased",
        _("Every question left is in another judge's hands right now."),
        others.aggregate(first=Min("leased_until"))["first"],
    )


class QuestionState(StrEnum):
    """Where a question stands with its judges."""

    AWAITING_VOTES = "awaiting_votes"
    VALID = "valid"
    INVALID = "invalid"
    PUBLISHED = "published"  # judged elsewhere, before it came here


def question_state(question: Question) -> QuestionState:
    """Tell where *question* stands; its twin and verdict should be loaded with it."""
    verdict: Verdict | None = getattr(question, "verdict", None)
    if verdict is not None:
        return QuestionState.VALID if verdict.valid else QuestionState.INVALID
    if question.twin.origin == Twin.Origin.PUBLISHED:
        return QuestionState.PUBLISHED
    return QuestionState.AWAITING_VOTES
