"""How seats are opened, in which order, what their holders may see, and how they are freed.

Writers take turns in the validators' queue, and begun questions come first.
A place combines the number of a round (high bits), the key of the twin and the order of its two
questions. So no two questions share a place, even under concurrent inserts, and within a round
older twins come first.
"""

import uuid
from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import F, Max, Min
from django.utils import timezone

from collection.core.words import local_window
from collection.models import Campaign, Question, Twin
from validation.models import GoldQuestion, PassedSeat, Seat, SeatQuerySet, TwinReturn, Vote
from validation.services.validating.leases import lease_expired, vacate
from winoplatform.errors import Conflict, DomainError, NotFound
from workers.models import User


def open_seats(*, twin: Twin) -> None:
    """Open the numbered seats of a new twin's questions, in its round of the queue."""
    round_number = round_for(twin)
    Seat.objects.bulk_create(
        Seat(
            question=question,
            number=number,
            campaign=twin.campaign,
            twin=twin,
            author=twin.author,
            place=place_of(question, round_number=round_number),
        )
        for question in twin.questions.all()
        for number in range(1, twin.votes_per_question + 1)
    )


def open_extra_seat(*, question: Question, campaign: Campaign) -> Seat:
    """Open one more seat of *question*, whose row is locked; the caller has reserved its pay.

    The seat has the place of the question's other seats, before all questions not yet begun.
    """
    seats = Seat.objects.filter(question=question).numbered()
    numbers = seats.aggregate(last=Max("number"), place=Min("place"))
    return Seat.objects.create(
        question=question,
        number=(numbers["last"] or 0) + 1,
        campaign=campaign,
        twin=question.twin,
        author_id=question.twin.author_id,
        place=numbers["place"] or place_of(question, round_number=FIRST_ROUND),
    )


def remove_open_seats(
    *,
    question: Question,
    free_at: datetime | None = None,
    only: Collection[uuid.UUID] | None = None,
) -> None:
    """Delete the seats without a vote of *question*, whose row is locked.

    A holder of such a seat is told that the question has been withdrawn.

    Parameters
    ----------
    free_at
        Keep seats that are held at this time.
    only
        Public ids of the seats that may be deleted; all by default.
    """
    waiting = Seat.objects.filter(question=question, answered_at=None).numbered()
    if free_at is not None:
        waiting = waiting.idle(now=free_at)
    _remove(waiting if only is None else waiting.filter(public_id__in=only))


@dataclass(frozen=True, slots=True)
class View:
    """What a validator may see of a seat; options are in the seat's random order.

    ``sentence`` is None until the local context has been answered.
    """

    seat: uuid.UUID
    local_context: str
    options: tuple[str, str]
    sentence: str | None
    leased_until: datetime


def as_shown(seat: Seat, option: int) -> int:
    """Convert an option (1 | 2) of a seat to the numbering shown, or back."""
    return 3 - option if seat.swapped else option


def view(seat: Seat) -> View:
    """Return what the seat's holder may see now."""
    options, sentence = seat.twin.options, seat.question.sentence
    return View(
        seat=seat.public_id,
        local_context=local_window(sentence),
        options=(options[1], options[0]) if seat.swapped else options,
        sentence=sentence if seat.local_at else None,
        leased_until=seat.leased_until or timezone.now(),
    )


def note_passed(seat: Seat, *, blocked: bool, withdrawn: bool = False) -> None:
    """Record that the worker leaves the seat without a vote; a block is permanent."""
    assert seat.worker_id is not None
    note_passed_by(seat, seat.worker_id, blocked=blocked, withdrawn=withdrawn)


def note_passed_by(seat: Seat, worker: int, *, blocked: bool, withdrawn: bool = False) -> None:
    """As ``note_passed``, for a worker's key: the seat may already have another holder."""
    facts = {"twin_id": seat.twin_id, "seat_public_id": seat.public_id, "withdrawn": withdrawn}
    passed, new = PassedSeat.objects.get_or_create(
        seat=seat, worker_id=worker, defaults={**facts, "blocked": blocked}
    )
    if not new and (blocked, withdrawn) != (passed.blocked, passed.withdrawn):
        PassedSeat.objects.filter(pk=passed.pk).update(
            blocked=blocked or passed.blocked, withdrawn=withdrawn
        )


def leave(seat: Seat, *, blocked: bool, for_good: bool = False) -> None:
    """Free a seat that its worker leaves without a vote; a gold question's seat is deleted.

    The seat is not locked: nothing changes if the worker has voted, or another worker has it now.

    Parameters
    ----------
    for_good
        Whether to delete the seat, as its question needs no vote any more.
    """
    theirs = Seat.objects.filter(pk=seat.pk, worker=seat.worker_id, answered_at=None)
    if seat.gold_id is not None:
        if theirs.delete()[0] and seat.worker_id is not None:
            _bar_for_good(seat, seat.worker_id)
    elif for_good:
        if theirs.exists():
            note_passed(seat, blocked=blocked)
            theirs.delete()
    elif vacate(seat):
        note_passed(seat, blocked=blocked)


def _bar_for_good(seat: Seat, worker: int) -> None:
    """Block a left gold question: offered again, it would differ from ordinary ones."""
    PassedSeat.objects.create(
        seat=None,
        seat_public_id=seat.public_id,
        twin_id=seat.twin_id,
        worker_id=worker,
        blocked=True,
    )


def block(*, worker: User, twin_id: int) -> PassedSeat:
    """Keep *worker* from validating a twin whose sentence was shown to them elsewhere."""
    return PassedSeat.objects.create(twin_id=twin_id, worker=worker, blocked=True)


def take_gold_seat(
    worker: User,
    campaign: Campaign,
    gold: GoldQuestion,
    *,
    place: int,
    now: datetime,
    until: datetime,
) -> Seat:
    """Create the seat of one worker's answer to a gold question, outside the queue.

    *place* is that of the ordinary question that the worker would have got instead: it decides
    whether an answer after the lease's end counts (`golds.is_lost`).
    """
    twin = gold.question.twin
    return Seat.objects.create(
        question=gold.question,
        gold=gold,
        campaign=campaign,
        place=place,
        twin=twin,
        author_id=twin.author_id,
        worker=worker,
        leased_until=until,
        claimed_at=now,
        reward=campaign.reward_vote,
    )


def lease_end(campaign: Campaign, now: datetime) -> datetime:
    return now + timedelta(minutes=campaign.vote_minutes)


def locked_seat(worker: User, seat_id: uuid.UUID) -> Seat:
    seats = Seat.objects.filter(public_id=seat_id, worker=worker)
    seat = (
        seats.select_related("question", "twin", "campaign")
        .select_for_update(of=("self",), no_key=True)
        .first()
    )
    if seat is None:
        raise not_held(worker, seat_id)
    return seat


def has_passed(worker: User, seat_id: uuid.UUID) -> bool:
    return PassedSeat.objects.filter(seat_public_id=seat_id, worker=worker).exists()


def not_held(worker: User, seat_id: uuid.UUID) -> DomainError:
    """Return the error for a seat that *worker* does not hold."""
    mine = PassedSeat.objects.filter(seat_public_id=seat_id, worker=worker)
    passed = mine.order_by("-withdrawn").first()
    if passed is None:
        return NotFound("seat")
    return _withdrawn() if passed.withdrawn else lease_expired(Seat)


def _withdrawn() -> DomainError:
    return DomainError(
        "question_withdrawn",
        "This question was withdrawn and needs no vote. Get the next one.",
        status=410,
    )


def withdraw_seats(*, twin: Twin, is_revised: bool = False) -> None:
    """Withdraw a twin from validation, unless it has a vote.

    Raises
    ------
    DomainError
        As ``refuse_change``.
    """
    questions = Question.objects.filter(twin=twin).order_by("pk")
    # Locked first, as for a vote: this serializes a withdrawal and a concurrent vote.
    list(questions.select_for_update(no_key=True).values_list("pk"))
    refuse_change(twin=twin, is_revised=is_revised)
    _remove(Seat.objects.filter(twin=twin).waiting())


def refuse_change(*, twin: Twin, is_revised: bool) -> None:
    """Refuse to withdraw or revise a twin with votes.

    A twin that was returned for revision may be revised, but not withdrawn; its votes stay.

    Raises
    ------
    DomainError
        ``already_validated`` or ``returned``.
    """
    if TwinReturn.objects.filter(twin=twin).exists():
        if is_revised:
            return
        raise Conflict(
            "returned",
            "A curator returned this twin to you for revision. You can revise it or leave it. "
            "You keep its pay.",
        )
    if Vote.objects.filter(question__twin=twin).exists():
        raise Conflict(
            "already_validated", "This twin already has a vote, so it cannot be changed."
        )


def _remove(seats: SeatQuerySet) -> None:
    """Delete seats without votes, and record their holders."""
    # Locked before they are read, so that no sentence is revealed and no seat left in between.
    locked = list(seats.select_for_update(of=("self",)).order_by("pk"))
    for seat in locked:
        if seat.worker_id is not None:
            note_passed(seat, blocked=seat.local_at is not None, withdrawn=True)
    Seat.objects.filter(pk__in=[seat.pk for seat in locked]).delete()


def keep_blocked(*, twin: Twin) -> None:
    """Block workers who have seen the twin that *twin* revises: they know its text."""
    PassedSeat.objects.bulk_create(
        PassedSeat(twin=twin, worker_id=worker, blocked=True)
        for worker in PassedSeat.objects.filter(twin=twin.revises, blocked=True)
        .values_list("worker", flat=True)
        .distinct()
    )


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
