"""The place of a twin in the validators' queue: writers take turns, and begun questions come first.

A place combines the number of a round (high bits), the key of the twin and the order of its two
questions. So no two questions share a place, even under concurrent inserts, and within a round
older twins come first.
"""

from dataclasses import dataclass

from django.db.models import F, Max

from collection.models import Question, Twin
from validation.models import Seat, SeatQuerySet

KEY_BITS = 40  # rounds have the other 23 of a positive 64-bit number
FIRST_ROUND = 0


def place_of(question: Question, *, round_number: int) -> int:
    """Return a question's place: unique, and ordered by round and then by the age of its twin.

    A bit of the twin's id, which validators never see, decides which question of a twin comes
    first. Writers usually put the answer of their first sentence into the first option: a validator
    who knew which sentence is first could guess its answer without reading it.
    """
    is_turned = question.twin.public_id.int & 1
    return (round_number << KEY_BITS) + 2 * question.twin_id + ((question.number - 1) ^ is_turned)


def twin_at(place: int) -> int:
    """Return the primary key of the twin whose question has this place."""
    return (place & ((1 << KEY_BITS) - 1)) >> 1


def round_of(place: int) -> int:
    return place >> KEY_BITS


@dataclass(frozen=True, slots=True)
class Line:
    """The places that determine a new twin's round; None if there is no such question.

    ``untouched``: the first question that is not claimed yet; ``last``: the last that is open or
    begun; ``own``: the last of the new twin's author.
    """

    untouched: int | None
    last: int | None
    own: int | None


def next_round(line: Line) -> int:
    """Return the round of a new twin: the queue's current round, or the next one of its author.

    A new twin is never placed before a begun question, so these are finished first. Each author has
    one twin in a round, so prolific writers do not delay the others.
    """
    head = line.last if line.untouched is None else line.untouched
    present = FIRST_ROUND if head is None else round_of(head)
    return present if line.own is None else max(present, round_of(line.own) + 1)


def line_before(twin: Twin) -> Line:
    """Return the places that determine the round of a new twin; uses indexes only.

    Two concurrent submissions do not see each other and may get the same round, as they would if
    they were submitted one after the other.
    """
    first_seats = Seat.objects.in_campaign(twin.campaign).filter(number=1)
    waiting = Seat.objects.in_campaign(twin.campaign).numbered().filter(answered_at=None)
    # Written so that the index of open seats is used: the others include answered seats.
    unbegun = waiting.alias(n=F("number") + 0).filter(n=1, worker=None)
    untouched = unbegun.order_by("place", "number").values_list("place", flat=True).first()
    ends = (
        waiting.order_by("-place", "-number").values_list("place", flat=True).first(),
        _furthest(first_seats.filter(answered_at__isnull=False)),
    )
    own = _furthest(first_seats.filter(author=twin.author_id)) if twin.author_id else None
    last = max((end for end in ends if end is not None), default=None)
    return Line(untouched=untouched, last=last, own=own)


def _furthest(seats: SeatQuerySet) -> int | None:
    furthest: int | None = seats.aggregate(furthest=Max("place"))["furthest"]
    return furthest


def round_for(twin: Twin) -> int:
    """Return the round in which the questions of a new twin are validated."""
    return next_round(line_before(twin))
