"""The two answers that make a vote."""

import uuid
from typing import Any

from django.db import transaction

from collection.services.crowd import credit_unit
from validation.models import Seat, Vote
from validation.services import golds
from validation.services.review import cases
from validation.services.validating import statements
from validation.services.validating.late import hold_again
from validation.services.validating.leases import refuse_other
from validation.services.validating.seats import as_shown, not_held
from validation.services.verdicts.verdicts import settle
from winoplatform.errors import Conflict
from workers.models import LedgerEntry, Qualification, User
from workers.services import accruing


def answer_local(*, worker: User, seat_id: uuid.UUID, shown_option: int | None) -> Seat:
    """Store the answer from the local context, which reveals the sentence.

    Parameters
    ----------
    shown_option
        1 or 2 in the order shown, or None for "cannot tell".

    Raises
    ------
    DomainError
        ``not_found``, ``lease_expired``, ``question_withdrawn``, or ``already_answered`` with the
        stored answer, if it is different. The same answer again is no error.
    """
    seat = statements.open_seat(worker, seat_id, shown_option=shown_option)
    return seat or _answered_before(worker, seat_id, shown_option)


@transaction.atomic
def _answered_before(worker: User, seat_id: uuid.UUID, shown_option: int | None) -> Seat:
    seat = _locked(worker, seat_id)
    hold_again(seat, seat.asked_at)
    if seat.local_at is None:
        seat.local_at = seat.asked_at
        seat.local_option = shown_option and as_shown(seat, shown_option)
        seat.save(update_fields=["local_at", "local_option"])
        return seat
    stands = seat.local_option and as_shown(seat, seat.local_option)
    refuse_other({"option": stands}, {"option": shown_option})
    return seat


@transaction.atomic
def cast_vote(
    *,
    worker: User,
    seat_id: uuid.UUID,
    shown_option: int,
    ambiguous: bool,
    comment: str = "",
    report: str = "",
) -> Vote:
    """Store the vote of a seat, pay the promised reward, and decide if it was the last one.

    The lease is checked again in this transaction; after its end a vote counts while the seat is
    still free.

    Parameters
    ----------
    report
        A ``Vote.Report``: a problem with the question itself, if any.

    Returns
    -------
    Vote
        Submitting the same answers twice returns the first vote, which is not ``is_new``.

    Raises
    ------
    DomainError
        ``not_found``, ``lease_expired``, ``question_withdrawn``, ``local_context_first``, or
        ``already_answered`` with the stored vote, if it is different.
    """
    seat = _locked(worker, seat_id)
    vote = Vote(
        seat=seat,
        question=seat.question,
        worker=worker,
        option=as_shown(seat, shown_option),
        ambiguous=ambiguous,
        local_option=seat.local_option,
        comment=comment,
        report=report,
        is_gold=seat.gold_id is not None,
        created_at=seat.asked_at,
    )
    if seat.answered_at is not None:
        return _first_vote(seat, vote)
    hold_again(seat, seat.asked_at)
    if seat.local_at is None:
        raise Conflict("local_context_first", "Answer from the local context first.")
    _store(vote)
    if seat.from_crowd:
        credit(vote)
    vote.is_new = True
    return vote


def _locked(worker: User, seat_id: uuid.UUID) -> Seat:
    seat = statements.lock(worker, seat_id)
    if seat is None:
        raise not_held(worker, seat_id)
    return seat


def answers_of(vote: Vote) -> dict[str, Any]:
    """Return the answers of a vote, in the order shown: everything that may be amended."""
    return {
        "option": as_shown(vote.seat, vote.option),
        "ambiguous": vote.ambiguous,
        "comment": vote.comment,
        "report": vote.report,
    }


def _first_vote(seat: Seat, again: Vote) -> Vote:
    first: Vote = Vote.objects.get(seat=seat)
    first.seat, first.question = seat, seat.question
    refuse_other(answers_of(first), answers_of(again))
    return first


def _store(vote: Vote) -> None:
    """Store a vote with its pay, and settle its question."""
    # The locks already guarantee the constraints; only the fields need validation.
    vote.clean_fields(exclude={"seat", "question", "worker"})
    seat, campaign = vote.seat, vote.seat.campaign
    assert seat.reward is not None  # promised at the claim
    pay = accruing(
        worker=vote.worker_id,
        kind=LedgerEntry.Kind.GOLD if vote.is_gold else LedgerEntry.Kind.VOTE,
        unit=str(vote.public_id),
        amount=seat.reward,
        currency=campaign.currency,
        budget=campaign.public_id,
    )
    voted = statements.store_vote(vote, pay=pay)
    if not vote.is_gold:
        if all(voted) or sum(voted) >= seat.twin.votes_per_question:
            settle(question=vote.question, campaign=campaign, now=vote.created_at)
        if campaign.gold_share:
            golds.look_back(vote=vote)
    if vote.report:
        cases.note(question=vote.question, closed_at=None)


def credit(vote: Vote) -> None:
    """Add a vote to the crowd session in which it was cast."""
    credit_unit(
        worker=vote.worker,
        campaign=vote.seat.campaign,
        skill=Qualification.Skill.VALIDATE,
        unit=vote.public_id,
    )
