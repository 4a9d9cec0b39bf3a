"""Where a twin stands in the validators' queue: writers take turns, and what is begun comes first.

A place is the number of a round and, below it, the key of the twin and which of its questions comes
first. So no two questions share a place whatever happens at the same moment, and within a round the
older twin comes first.
"""

from dataclasses import dataclass

from django.db.models import F, Max

from collection.models import Question, Twin
from validation.models import Seat, SeatQuerySet

KEY_BITS = 40  # rounds have the other 23 of a positive 64-bit number
FIRST_ROUND = 0


def place_of(question: Question, *, round_number: int) -> int:
    """Return a question's place: unique, and ordered by round and then by the age of its twin.

    Which question of a twin comes first is decided by a bit of the twin's id, which validators
    never see. Writers name the answer of their first sentence first more often than not: a
    validator who knew which sentence that is could tell its answer without reading it.
    """
    is_turned = question.twin.public_id.int & 1
    return (round_number << KEY_BITS) + 2 * question.twin_id + ((question.number - 1) ^ is_turned)


def round_of(place: int) -> int:
    return place >> KEY_BITS


@dataclass(frozen=True, slots=True)
class Line:
    """What decides a new twin's round: places, or None where there is no such question.

    ``untouched`` is the first question that nobody has taken, ``last`` the last that is open or
    was begun, ``own`` the last of the new twin's author.
    """

    untouched: int | None
    last: int | None
    own: int | None


def next_round(line: Line) -> int:
    """Return the round of a new twin: the queue's present one, or its author's next.

    Never before a question that was begun: so those are finished first. One twin of each author
    in a round: so who writes much does not push the others back.
    """
    head = line.last if line.untouched is None else line.untouched
    present = FIRST_ROUND if head is None else round_of(head)
    return present if line.own is None else max(present, round_of(line.own) + 1)


def line_before(twin: Twin) -> Line:
    """Look the queue up for a new twin, by index however long it is.

    Two writers who submit at the same moment do not see each other: both may get one round,
    which is what they would get anyway.
    """
    first_seats = Seat.objects.in_campaign(twin.campaign).filter(number=1)
    waiting = Seat.objects.in_campaign(twin.campaign).numbered().filter(answered_at=None)
    # Written so that only the index of open seats serves: the others hold what was validated, too.
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
