"""Reads of the queue: what is left, and why nothing is for this judge."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Min, Q
from django.utils.translation import gettext as _

from collection.models import Campaign
from validation.models import Seat
from workers.models import User


def furthest_judged(*, worker: User, campaign: Campaign) -> int:
    """The last place in the queue that *worker* has judged; 0 for none."""
    seats = Seat.objects.in_campaign(campaign).filter(worker=worker, answered_at__isnull=False)
    return seats.order_by("-place").values_list("place", flat=True).first() or 0


def is_any_free(*, worker: User, campaign: Campaign, now: datetime) -> bool:
    """Whether *worker* could claim a seat now."""
    free = Seat.objects.free(now=now).in_campaign(campaign).open_to(worker)
    # Behind their last question, nearly always: at the head lies what they have judged.
    furthest = furthest_judged(worker=worker, campaign=campaign)
    beyond = free.filter(place__gt=furthest)
    # In the order of the queue: so its index serves, which ends at the first one found.
    return any(seats.order_by("place", "number").values("pk").first() for seats in (beyond, free))


@dataclass(frozen=True, slots=True)
class EmptyQueue:
    """Why a judge gets nothing now, in a code and a sentence, and when to look again."""

    reason: str
    message: str
    again_at: datetime | None = None


LOOKED_AT = 1_000
"""Open seats that are looked at, from the head, for one that somebody is just taking."""


def why_empty(*, worker: User, campaign: Campaign, now: datetime) -> EmptyQueue:
    """Say why no seat is free for *worker*; in a moment, however long the queue."""
    seats = Seat.objects.in_campaign(campaign).numbered().filter(answered_at=None)
    if not seats.exists():
        return EmptyQueue(
            "all_judged", _("Every question has its votes. New ones come as writers submit twins.")
        )
    # All that somebody holds: few. What is being taken this moment still looks free from here.
    held = seats.held(now=now).open_to(worker)
    first = held.aggregate(first=Min("leased_until"))["first"]
    head = seats.order_by("place", "number").values("pk")[:LOOKED_AT]
    if first is None and not seats.filter(pk__in=head).free(now=now).open_to(worker).exists():
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
        first,
    )


def twins_with_open_seats(twins: Collection[int], *, now: datetime) -> set[int]:
    """Tell which of *twins*, by primary key, have a question that can still get a vote."""
    waiting = Seat.objects.numbered().filter(answered_at=None, twin__in=twins)
    # A closed campaign hands nothing out; who holds a seat there may still vote.
    claimable = ~Q(campaign__status=Campaign.Status.CLOSED)
    found = waiting.filter(claimable | Q(worker__isnull=False, leased_until__gt=now))
    return set(found.values_list("twin", flat=True))
