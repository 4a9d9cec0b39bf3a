"""How annotators claim, keep and return the seats of a set, and answer."""

import uuid
from datetime import datetime, timedelta
from decimal import Decimal

from django.db import transaction

from collection.services.crowd import credit_unit
from collection.services.joining.access import refuse_unless_may_validate
from knowledge.core.pay import share_of_whole
from knowledge.models import Enrolment, SentenceSeat, SetValidation
from knowledge.services.annotation import refuse_unless_open
from validation.services.validating import leases
from validation.services.validating.queries import lock_worker
from winoplatform import clock
from winoplatform.errors import DomainError, NotFound
from winoplatform.prepared import Given, Prepared, once
from workers import services as workers
from workers.models import LedgerEntry, Qualification, User


@once
def claiming() -> Prepared[SentenceSeat]:
    free = SentenceSeat.objects.free(now=Given("now")).filter(validation=Given("validation"))
    return leases.claiming(free.open_to(Given("worker")))


def lease_first(
    worker: User, validation: SetValidation, now: datetime, reward: Decimal
) -> SentenceSeat | None:
    return claiming().first(
        worker=worker.pk,
        validation=validation.pk,
        now=now,
        until=_lease_end(validation, now),
        reward=reward,
    )


def _lease_end(validation: SetValidation, now: datetime) -> datetime:
    return now + timedelta(minutes=validation.campaign.vote_minutes)


@transaction.atomic
def claim_sentence(*, worker: User, validation: SetValidation) -> SentenceSeat:
    """Lease the next seat in the worker's own order, or return the one already held.

    Raises
    ------
    DomainError
        ``not_enrolled``, ``validation_not_open``, what ``access.refuse_unless_may_validate``
        raises, or ``queue_empty`` when all is answered.
    """
    is_clear, now = lock_worker(worker, validation.campaign)
    for mine in SentenceSeat.objects.waiting().filter(worker=worker, validation=validation):
        if mine.leased_until and mine.leased_until > now:
            return mine
        leases.vacate(mine)
    # Locked, so that it does not end between this and the lease.
    active = Enrolment.objects.active().select_for_update(no_key=True)
    enrolment = active.filter(worker=worker, validation=validation).first()
    if enrolment is None:
        raise DomainError("not_enrolled", "Take part in this set first.", status=409)
    refuse_unless_open(validation)
    if not is_clear:
        refuse_unless_may_validate(worker=worker, campaign=validation.campaign)
    reward = _reward(validation, enrolment)
    seat = None if reward is None else lease_first(worker, validation, now, reward)
    if seat is None:
        raise DomainError("queue_empty", "You have answered about every sentence.", status=404)
    return seat


def _reward(validation: SetValidation, enrolment: Enrolment) -> Decimal | None:
    """Return what the enrolment's next answer pays; None after the last."""
    seats = SentenceSeat.objects.filter(validation=validation, number=enrolment.number)
    number = seats.done().count() + 1
    if number > validation.n_problems:
        return None
    if validation.whole_set is None:
        reward: Decimal = validation.reward
        return reward
    return share_of_whole(validation.whole_set, n=validation.n_problems, number=number)


@transaction.atomic
def beat_sentence(*, worker: User, seat_id: uuid.UUID) -> SentenceSeat:
    """Extend the lease of a seat: a heartbeat of the open page.

    Raises
    ------
    DomainError
        ``not_found`` or ``lease_expired``.
    """
    now = clock.now()
    mine = SentenceSeat.objects.select_related("validation__campaign").filter(worker=worker)
    seat = mine.filter(public_id=seat_id).first()
    if seat is None:
        raise NotFound("seat")
    leases.refuse_unless_held(seat, now)
    held = SentenceSeat.objects.held(now=now).filter(pk=seat.pk, worker=worker)
    leases.prolong(held, now=now, until=_lease_end(seat.validation, now))
    seat.refresh_from_db(fields=["leased_until"])
    return seat


@transaction.atomic
def return_sentence(*, worker: User, seat_id: uuid.UUID) -> None:
    """Return a seat without an answer; it comes first again. Twice is the same as once.

    Raises
    ------
    DomainError
        ``already_voted``.
    """
    mine = SentenceSeat.objects.filter(worker=worker, public_id=seat_id)
    seat = mine.select_for_update(no_key=True).first()
    if seat is not None and seat.answered_at is not None:
        raise DomainError("already_voted", "You have answered about this sentence.", status=409)
    if seat is not None:
        leases.vacate(seat)


@transaction.atomic
def answer_sentence(
    *, worker: User, seat_id: uuid.UUID, yes: bool, fails: str = ""
) -> SentenceSeat:
    """Store the answer of a seat and pay the promised reward; the lease is checked again.

    After the lease has ended, an answer still counts while the validation is open: no other worker
    gets the seat during the enrolment.

    Parameters
    ----------
    yes
        Whether the sentence holds by common sense and supports the answer.
    fails
        With no: optionally which of the two fails; see ``SentenceSeat.Fails``.

    Returns
    -------
    SentenceSeat
        The same answer again changes nothing and is never refused.

    Raises
    ------
    DomainError
        ``not_found``, ``lease_expired``, ``fails_unknown``, or ``already_answered`` with the stored
        answer, if it is different.
    """
    seat = _locked(worker, seat_id)
    now = clock.now()
    if fails not in ("", *SentenceSeat.Fails.values) or (fails and yes):
        raise DomainError("fails_unknown", "Only an answer of no says what fails.")
    if seat.answered_at is not None:
        stands = {"yes": seat.yes, "fails": seat.fails}
        leases.refuse_other(stands, {"yes": yes, "fails": fails})
        return seat
    leases.refuse_unless_held(seat, now, is_free=lambda: _is_open(seat.validation))
    seat.yes, seat.fails, seat.answered_at = yes, fails, now
    seat.save(update_fields=["yes", "fails", "answered_at"])
    _pay(seat, worker)
    return seat


def _is_open(validation: SetValidation) -> bool:
    _lock(validation)
    try:
        refuse_unless_open(validation)
    except DomainError:
        return False
    return True


def _lock(validation: SetValidation) -> None:
    """Let a close of the validation wait for this answer, whose pay it would free."""
    SetValidation.objects.select_for_update(no_key=True).get(pk=validation.pk)


def _locked(worker: User, seat_id: uuid.UUID) -> SentenceSeat:
    mine = SentenceSeat.objects.select_related("validation__campaign").filter(worker=worker)
    seat = mine.filter(public_id=seat_id).select_for_update(of=("self",), no_key=True).first()
    if seat is None:
        raise NotFound("seat")
    return seat


def _pay(seat: SentenceSeat, worker: User) -> None:
    assert seat.reward is not None  # promised at the claim
    campaign = seat.validation.campaign
    workers.accrue(
        worker=worker,
        kind=LedgerEntry.Kind.KNOWLEDGE,
        unit=str(seat.public_id),
        amount=seat.reward,
        currency=campaign.currency,
        budget=campaign.public_id,
    )
    credit_unit(
        worker=worker,
        campaign=campaign,
        skill=Qualification.Skill.VALIDATE,
        unit=seat.public_id,
    )
