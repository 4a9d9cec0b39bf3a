"""How seats come to be, what their holders may see, and how they are freed."""

import uuid
from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Max, Min
from django.utils import timezone

from collection.core.window import local_window
from collection.models import Campaign, Question, Twin
from validation.models import GoldQuestion, PassedSeat, Seat, SeatQuerySet, TwinReturn, Vote
from validation.services.validating.leases import lease_expired, vacate
from validation.services.validating.places import FIRST_ROUND, place_of, round_for
from winoplatform.errors import DomainError, NotFound
from workers.models import User


def open_seats(*, twin: Twin) -> None:
    """Give each question of a new twin its numbered seats, in the round that it is due in."""
    votes = twin.campaign.votes_per_question
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
        for number in range(1, votes + 1)
    )


def open_extra_seat(*, question: Question, campaign: Campaign) -> Seat:
    """Ask for one vote more on *question*, whose row is locked; the caller has reserved its pay.

    The seat stands where the question's others stood: before all that was not begun.
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
    """Take the seats of *question*, whose row is locked, that nobody has voted with.

    Who holds one hears that the question has been withdrawn.

    Parameters
    ----------
    free_at
        Leave those that are in somebody's hands at this time.
    only
        The public ids of those that may go, if not all.
    """
    waiting = Seat.objects.filter(question=question, answered_at=None).numbered()
    if free_at is not None:
        waiting = waiting.idle(now=free_at)
    _remove(waiting if only is None else waiting.filter(public_id__in=only))


@dataclass(frozen=True, slots=True)
class View:
    """What a validator may see of a seat; options stand in the seat's own random order.

    ``sentence`` is None until the local context has been answered.
    """

    seat: uuid.UUID
    local_context: str
    options: tuple[str, str]
    sentence: str | None
    leased_until: datetime


def as_shown(seat: Seat, option: int) -> int:
    """Translate an option (1 | 2) of a seat to the numbering shown, or back."""
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
    """Remember who leaves the seat without a vote; once blocked, always blocked."""
    assert seat.worker_id is not None
    note_passed_by(seat, seat.worker_id, blocked=blocked, withdrawn=withdrawn)


def note_passed_by(seat: Seat, worker: int, *, blocked: bool, withdrawn: bool = False) -> None:
    """Remember that the worker of that key has left the seat, which may be another's by now."""
    facts = {"twin_id": seat.twin_id, "seat_public_id": seat.public_id, "withdrawn": withdrawn}
    passed, new = PassedSeat.objects.get_or_create(
        seat=seat, worker_id=worker, defaults={**facts, "blocked": blocked}
    )
    if not new and (blocked, withdrawn) != (passed.blocked, passed.withdrawn):
        PassedSeat.objects.filter(pk=passed.pk).update(
            blocked=blocked or passed.blocked, withdrawn=withdrawn
        )


def leave(seat: Seat, *, blocked: bool, for_good: bool = False) -> None:
    """Free a seat that its worker leaves without a vote; a gold question's goes with them.

    Not where the worker has voted meanwhile, or somebody else has taken the seat: it is not locked.

    Parameters
    ----------
    for_good
        Whether the seat goes, as its question needs no vote any more.
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
    """Asked again, a gold question would stand out among those that come once."""
    PassedSeat.objects.create(
        seat=None,
        seat_public_id=seat.public_id,
        twin_id=seat.twin_id,
        worker_id=worker,
        blocked=True,
    )


def take_gold_seat(
    worker: User, campaign: Campaign, gold: GoldQuestion, *, now: datetime, until: datetime
) -> Seat:
    """Make the seat of one worker's answer to a gold question: it stands in no line."""
    twin = gold.question.twin
    return Seat.objects.create(
        question=gold.question,
        gold=gold,
        campaign=campaign,
        twin=twin,
        author_id=twin.author_id,
        worker=worker,
        leased_until=until,
        claimed_at=now,
        reward=campaign.reward_vote,
    )


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
    """Why a seat that *worker* names is not in their hands."""
    mine = PassedSeat.objects.filter(seat_public_id=seat_id, worker=worker)
    passed = mine.order_by("-withdrawn").first()
    if passed is None:
        return NotFound("seat")
    return _withdrawn() if passed.withdrawn else lease_expired(Seat)


def _withdrawn() -> DomainError:
    return DomainError(
        "question_withdrawn",
        "This question has been taken back, so it needs no vote. Take the next one.",
        status=410,
    )


def withdraw_seats(*, twin: Twin, is_revised: bool = False) -> None:
    """Take a twin out of the validators' hands, unless somebody has voted on it.

    Raises
    ------
    DomainError
        As ``refuse_change``.
    """
    questions = Question.objects.filter(twin=twin).order_by("pk")
    # As a vote does, first: whichever of the two has the lock goes before the other.
    list(questions.select_for_update(no_key=True).values_list("pk"))
    refuse_change(twin=twin, is_revised=is_revised)
    _remove(Seat.objects.filter(twin=twin).waiting())


def refuse_change(*, twin: Twin, is_revised: bool) -> None:
    """Refuse to take a twin with votes back, or to write it anew.

    A twin that was returned for revision goes when another text takes its place, and only then: its
    votes stay.

    Raises
    ------
    DomainError
        ``already_validated`` or ``returned``.
    """
    if TwinReturn.objects.filter(twin=twin).exists():
        if is_revised:
            return
        raise DomainError(
            "returned",
            "A curator has sent this twin back to you: write it anew, or leave it. Its pay stays "
            "yours.",
            status=409,
        )
    if Vote.objects.filter(question__twin=twin).exists():
        raise DomainError(
            "already_validated",
            "Somebody has validated this twin already, so it stays as it is.",
            status=409,
        )


def _remove(seats: SeatQuerySet) -> None:
    """Remove seats without votes, and remember in whose hands they were."""
    # Locked before they are read: nobody uncovers a sentence, or leaves a seat, in between.
    locked = list(seats.select_for_update(of=("self",)).order_by("pk"))
    for seat in locked:
        if seat.worker_id is not None:
            note_passed(seat, blocked=seat.local_at is not None, withdrawn=True)
    Seat.objects.filter(pk__in=[seat.pk for seat in locked]).delete()


def keep_blocked(*, twin: Twin) -> None:
    """Block whoever has seen into the twin that *twin* revises: they know too much of the text."""
    PassedSeat.objects.bulk_create(
        PassedSeat(twin=twin, worker_id=worker, blocked=True)
        for worker in PassedSeat.objects.filter(twin=twin.revises, blocked=True)
        .values_list("worker", flat=True)
        .distinct()
    )
