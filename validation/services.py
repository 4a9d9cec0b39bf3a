"""What judges can do: take a seat, answer in two steps, give the seat back."""

import uuid
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db import transaction
from django.utils import timezone

from collection.core.window import local_window
from collection.models import Campaign, Question, Twin
from validation import selectors
from validation.core.verdicts import Ballot, Policy, decide
from validation.models import PassedSeat, Seat, SeatQuerySet, Verdict, Vote
from winoplatform.errors import DomainError, NotFound
from workers import services as pay
from workers.models import LedgerEntry, User


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


@transaction.atomic
def claim_seat(*, worker: User, campaign: Campaign) -> Seat:
    """Lease the next free seat to *worker*, or return the one already held.

    The lease's end is decided here, in the claim itself; no sweeper has to run. Never the worker's
    own twin, never a second seat on a twin: the query leaves them out and the table's constraints
    would refuse them.

    Raises
    ------
    DomainError
        ``campaign_not_open``, or ``queue_empty`` with the reason and, where known, the time at
        which to look again.
    """
    now = timezone.now()
    # One claim of a worker at a time: two tabs get the same seat. NO KEY: a vote of the same
    # worker that is being stored refers to this row, and each would wait for the other.
    User.objects.select_for_update(no_key=True).values_list("pk").get(pk=worker.pk)
    taken = Seat.objects.filter(worker=worker, campaign=campaign, voted_at=None)
    mine = list(taken.select_related("question", "twin"))
    held = [seat for seat in mine if seat.leased_until and seat.leased_until > now]
    if held:
        return held[0]
    if campaign.status != Campaign.Status.OPEN:
        raise DomainError(
            "campaign_not_open",
            f"“{campaign.name}” is {campaign.get_status_display()} and hands out no work now.",
            status=409,
        )
    for lapsed in mine:
        _leave(lapsed, barred=lapsed.local_at is not None)
    seat = _next_free(worker, campaign, now)
    if seat is None:
        raise _empty(selectors.why_empty(worker=worker, campaign=campaign, now=now))
    _lease(seat, worker, now + timedelta(minutes=campaign.vote_minutes))
    return seat


def _next_free(worker: User, campaign: Campaign, now: datetime) -> Seat | None:
    """The oldest free seat for *worker*, locked.

    A judge who ran ahead of the others has judged the whole head of the queue; passing over it
    again at every claim would cost more with every vote. So only the head's first seats are
    looked at, then the way goes on behind the worker's furthest question, and what lies between
    comes last.
    """
    free = Seat.objects.free(now=now).in_campaign(campaign).open_to(worker)
    seat = _first(free.filter(place__lte=selectors.end_of_head(campaign)))
    if seat is not None:
        return seat
    furthest = selectors.furthest_judged(worker=worker, campaign=campaign)
    return _first(free.filter(place__gt=furthest)) or _first(free.filter(place__lte=furthest))


def _first(seats: SeatQuerySet) -> Seat | None:
    return (
        seats.order_by("place", "number")
        .select_for_update(skip_locked=True, of=("self",), no_key=True)
        .select_related("question", "twin")
        .first()
    )


def _note_passed(seat: Seat, *, barred: bool) -> None:
    """Remember who leaves the seat without a vote; once barred, always barred."""
    passed, new = PassedSeat.objects.get_or_create(
        seat=seat, worker_id=seat.worker_id, defaults={"twin_id": seat.twin_id, "barred": barred}
    )
    if barred and not new and not passed.barred:
        PassedSeat.objects.filter(pk=passed.pk).update(barred=True)


def _leave(seat: Seat, *, barred: bool) -> None:
    """Free a seat that its worker leaves without a vote.

    Not where the worker has voted meanwhile, or somebody else has taken the seat: it is not locked.
    """
    theirs = Seat.objects.filter(pk=seat.pk, worker=seat.worker_id, voted_at=None)
    if theirs.update(worker=None, leased_until=None, local_at=None, local_option=None):
        _note_passed(seat, barred=barred)


def _lease(seat: Seat, worker: User, until: datetime) -> None:
    if seat.worker_id is not None:
        _note_passed(seat, barred=seat.local_at is not None)
    seat.worker, seat.leased_until = worker, until
    seat.local_at = seat.local_option = None
    Seat.objects.filter(pk=seat.pk).update(
        worker=worker, leased_until=until, local_at=None, local_option=None
    )


def _empty(reason: selectors.EmptyQueue) -> DomainError:
    details = {"reason": reason.reason, "again_at": reason.again_at and reason.again_at.isoformat()}
    return DomainError("queue_empty", reason.message, status=404, details=details)


def _locked_seat(worker: User, seat_id: uuid.UUID) -> Seat:
    seats = Seat.objects.filter(public_id=seat_id, worker=worker)
    seat = (
        seats.select_related("question", "twin", "campaign")
        .select_for_update(of=("self",), no_key=True)
        .first()
    )
    if seat is None:
        raise _not_held(worker, seat_id)
    return seat


def _passed(worker: User, seat_id: uuid.UUID) -> bool:
    return PassedSeat.objects.filter(seat__public_id=seat_id, worker=worker).exists()


def _not_held(worker: User, seat_id: uuid.UUID) -> DomainError:
    return _lease_expired() if _passed(worker, seat_id) else NotFound("seat")


def _lease_expired() -> DomainError:
    return DomainError(
        "lease_expired",
        "This question is no longer in your hands and may go to somebody else. Take the next one.",
        status=410,
    )


def _lock_question(worker: User, seat_id: uuid.UUID) -> None:
    """Lock a seat's question, before the seat: its last two votes must see each other."""
    questions = Question.objects.filter(seats__public_id=seat_id, seats__worker=worker)
    locked = questions.select_for_update(of=("self",), no_key=True).values_list("pk")
    if not locked.first():
        raise _not_held(worker, seat_id)


def _refuse_unless_held(seat: Seat, now: datetime) -> None:
    if seat.voted_at is None and seat.leased_until is not None and seat.leased_until <= now:
        raise _lease_expired()


@transaction.atomic
def answer_local(*, worker: User, seat_id: uuid.UUID, shown_option: int | None) -> Seat:
    """Store the answer from the local context alone, which uncovers the sentence.

    Parameters
    ----------
    shown_option
        1 or 2 in the order shown, or None for "cannot tell". The first answer stands.
    """
    now = timezone.now()
    seat = _locked_seat(worker, seat_id)
    _refuse_unless_held(seat, now)
    if seat.voted_at is None and seat.local_at is None:
        seat.local_at = now
        seat.local_option = None if shown_option is None else as_shown(seat, shown_option)
        seat.save(update_fields=["local_at", "local_option"])
    return seat


@transaction.atomic
def return_seat(*, worker: User, seat_id: uuid.UUID) -> None:
    """Give a seat back without an answer, so that somebody else can take it at once.

    The twin is not offered to *worker* again. Returning twice is the same as once.
    """
    if (
        _passed(worker, seat_id)
        and not Seat.objects.filter(public_id=seat_id, worker=worker).exists()
    ):
        return
    seat = _locked_seat(worker, seat_id)
    if seat.voted_at is not None:
        raise DomainError("already_voted", "You have judged this question.", status=409)
    _leave(seat, barred=True)


@transaction.atomic
def cast_vote(
    *,
    worker: User,
    seat_id: uuid.UUID,
    shown_option: int,
    ambiguous: bool,
    comment: str = "",
) -> Vote:
    """Store the vote of a seat, pay for it, and decide where it was the last one.

    The lease is checked again in this transaction. Submitting twice returns the first vote.

    Raises
    ------
    DomainError
        ``not_found``, ``lease_expired`` or ``local_context_first``.
    """
    now = timezone.now()
    _lock_question(worker, seat_id)
    seat = _locked_seat(worker, seat_id)
    if seat.voted_at is not None:
        return seat.vote
    _refuse_unless_held(seat, now)
    if seat.local_at is None:
        raise DomainError("local_context_first", "Answer from the local context first.", status=409)
    vote = Vote(
        seat=seat,
        question=seat.question,
        worker=worker,
        option=as_shown(seat, shown_option),
        ambiguous=ambiguous,
        local_option=seat.local_option,
        comment=comment,
        created_at=now,
    )
    # The locks have settled what the table's constraints would be asked for: only form is left.
    vote.clean_fields(exclude={"seat", "question", "worker"})
    vote.save()
    seat.voted_at = now
    Seat.objects.filter(pk=seat.pk).update(voted_at=now)
    _pay(vote, seat.campaign)
    _decide_when_complete(seat.question, seat.campaign, now)
    return vote


def _pay(vote: Vote, campaign: Campaign) -> None:
    pay.accrue(
        worker=vote.worker,
        kind=LedgerEntry.Kind.VOTE,
        unit=str(vote.public_id),
        amount=campaign.reward_vote,
        currency=campaign.currency,
        budget=campaign.public_id,
    )


def _decide_when_complete(question: Question, campaign: Campaign, now: datetime) -> None:
    if question.seats.filter(voted_at=None).exists():
        return
    ballots = [
        Ballot(vote.option, vote.ambiguous, vote.local_option) for vote in question.votes.all()
    ]
    decision = decide(ballots, answer=question.answer, policy=Policy(campaign.verdict_policy))
    Verdict.objects.create(
        question=question,
        policy=decision.policy,
        version=decision.version,
        valid=decision.valid,
        reasons=list(decision.reasons),
        counts=decision.counts,
        created_at=now,
    )
