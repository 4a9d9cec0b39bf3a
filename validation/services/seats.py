"""How seats come to be, what their holders may see, and how they are freed."""

import uuid
from dataclasses import dataclass
from datetime import datetime

from django.utils import timezone

from collection.core.window import local_window
from collection.models import Campaign, Question, Twin
from validation.models import PassedSeat, Seat, Vote
from winoplatform.errors import DomainError, NotFound
from workers.models import User


def open_seats(*, twin: Twin) -> None:
    """Give each question of a new twin its numbered seats."""
    votes = twin.campaign.votes_per_question
    Seat.objects.bulk_create(
        Seat(
            question=question,
            number=number,
            campaign=twin.campaign,
            twin=twin,
            author=twin.author,
        )
        for question in twin.questions.all()
        for number in range(1, votes + 1)
    )


@dataclass(frozen=True, slots=True)
class View:
    """What a judge may see of a seat; options stand in the seat's own random order.

    ``sentence`` is None until the local context has been answered.
    """

    seat: uuid.UUID
    local_context: str
    options: tuple[str, str]
    sentence: str | None
    leased_until: datetime


def is_swapped(seat: Seat) -> bool:
    """Whether the seat shows the second option first: a fair coin that is the seat's own."""
    return bool(seat.public_id.int & 1)


def as_shown(seat: Seat, option: int) -> int:
    """Translate an option (1 | 2) from the twin's numbering to the one shown, or back."""
    return 3 - option if is_swapped(seat) else option


def view(seat: Seat) -> View:
    """Return what the seat's holder may see now."""
    twin, sentence = seat.twin, seat.question.sentence
    options = (twin.option1, twin.option2)
    return View(
        seat=seat.public_id,
        local_context=local_window(sentence),
        options=(options[1], options[0]) if is_swapped(seat) else options,
        sentence=sentence if seat.local_at else None,
        leased_until=seat.leased_until or timezone.now(),
    )


def note_passed(seat: Seat, *, barred: bool) -> None:
    """Remember who leaves the seat without a vote; once barred, always barred."""
    passed, new = PassedSeat.objects.get_or_create(
        seat=seat,
        worker_id=seat.worker_id,
        defaults={"twin_id": seat.twin_id, "seat_public_id": seat.public_id, "barred": barred},
    )
    if barred and not new and not passed.barred:
        PassedSeat.objects.filter(pk=passed.pk).update(barred=True)


def leave(seat: Seat, *, barred: bool) -> None:
    """Free a seat that its worker leaves without a vote.

    Not where the worker has voted meanwhile, or somebody else has taken the seat: it is not locked.
    """
    theirs = Seat.objects.filter(pk=seat.pk, worker=seat.worker_id, voted_at=None)
    if theirs.update(worker=None, leased_until=None, local_at=None, local_option=None):
        note_passed(seat, barred=barred)


def locked_seat(worker: User, seat_id: uuid.UUID) -> Seat:
    seats = Seat.objects.filter(public_id=seat_id, worker=worker)
    seat = (
        seats.select_related("question", "twin", "campaign")
        .select_for_update(of=("self",), no_key=True)
        .first()
    )
    if seat is None:
        raise _not_held(worker, seat_id)
    return seat


def has_passed(worker: User, seat_id: uuid.UUID) -> bool:
    return PassedSeat.objects.filter(seat_public_id=seat_id, worker=worker).exists()


def _not_held(worker: User, seat_id: uuid.UUID) -> DomainError:
    passed = PassedSeat.objects.filter(seat_public_id=seat_id, worker=worker).first()
    if passed is None:
        return NotFound("seat")
    return _lease_expired() if passed.seat_id else _taken_back()


def _taken_back() -> DomainError:
    return DomainError(
        "lease_expired",
        "The writer of this question has taken it back, so it needs no vote. Take the next one.",
        status=410,
    )


def _lease_expired() -> DomainError:
    return DomainError(
        "lease_expired",
        "This question is no longer in your hands and may go to somebody else. Take the next one.",
        status=410,
    )


def lock_question(worker: User, seat_id: uuid.UUID) -> None:
    """Lock a seat's question, before the seat: its last two votes must see each other."""
    questions = Question.objects.filter(seats__public_id=seat_id, seats__worker=worker)
    locked = questions.select_for_update(of=("self",), no_key=True).values_list("pk")
    if not locked.first():
        raise _not_held(worker, seat_id)


def refuse_unless_held(seat: Seat, now: datetime) -> None:
    if seat.voted_at is None and seat.leased_until is not None and seat.leased_until <= now:
        raise _lease_expired()


def withdraw_seats(*, twin: Twin) -> None:
    """Take a twin out of the judges' hands, unless somebody has voted on it.

    Raises
    ------
    DomainError
        ``already_judged``.
    """
    questions = Question.objects.filter(twin=twin).order_by("pk")
    # As a vote does, first: whichever of the two has the lock goes before the other.
    list(questions.select_for_update(no_key=True).values_list("pk"))
    if Vote.objects.filter(question__twin=twin).exists():
        raise DomainError(
            "already_judged",
            "Somebody has judged this twin already, so it stays as it is.",
            status=409,
        )
    seats = Seat.objects.filter(twin=twin)
    # Locked before they are read: nobody uncovers a sentence, or leaves a seat, in between.
    for seat in seats.select_for_update().order_by("pk"):
        if seat.worker_id is not None:
            note_passed(seat, barred=seat.local_at is not None)
    seats.delete()


def keep_barred(*, twin: Twin) -> None:
    """Bar whoever has seen into the twin that *twin* revises: they know too much of the text."""
    PassedSeat.objects.bulk_create(
        PassedSeat(twin=twin, worker_id=worker, barred=True)
        for worker in PassedSeat.objects.filter(twin=twin.revises, barred=True)
        .values_list("worker", flat=True)
        .distinct()
    )


def free_seats_of(*, worker: User, campaign: Campaign) -> None:
    """Free what a worker who has left holds, so that others need not wait for its lease."""
    held = Seat.objects.filter(worker=worker, campaign=campaign, voted_at=None)
    for seat in held.select_for_update(of=("self",), no_key=True).order_by("pk"):
        leave(seat, barred=seat.local_at is not None)
