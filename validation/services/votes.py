"""The two answers that make a vote, and the verdict that the last vote brings."""

import uuid
from datetime import datetime

from django.db import transaction
from django.utils import timezone

from collection.models import Campaign, Question
from validation.core.verdicts import Ballot, Policy, decide
from validation.models import Seat, Verdict, Vote
from validation.services.seats import as_shown, lock_question, locked_seat, refuse_unless_held
from winoplatform.errors import DomainError
from workers import services as pay
from workers.models import LedgerEntry, User


@transaction.atomic
def answer_local(*, worker: User, seat_id: uuid.UUID, shown_option: int | None) -> Seat:
    """Store the answer from the local context alone, which uncovers the sentence.

    Parameters
    ----------
    shown_option
        1 or 2 in the order shown, or None for "cannot tell". The first answer stands.
    """
    now = timezone.now()
    seat = locked_seat(worker, seat_id)
    refuse_unless_held(seat, now)
    if seat.voted_at is None and seat.local_at is None:
        seat.local_at = now
        seat.local_option = None if shown_option is None else as_shown(seat, shown_option)
        seat.save(update_fields=["local_at", "local_option"])
    return seat


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
    lock_question(worker, seat_id)
    seat = locked_seat(worker, seat_id)
    if seat.voted_at is not None:
        return seat.vote
    refuse_unless_held(seat, now)
    if seat.local_at is None:
        raise DomainError("local_context_first", "Answer from the local context first.", status=409)
    option = as_shown(seat, shown_option)
    vote = Vote(worker=worker, option=option, ambiguous=ambiguous, comment=comment, created_at=now)
    _fill(seat, vote)
    _pay(vote, seat.campaign)
    _decide_when_complete(seat.question, seat.campaign, now)
    return vote


def _fill(seat: Seat, vote: Vote) -> None:
    """Store the vote as the one of the seat, with the answer from the local context."""
    vote.seat, vote.question, vote.local_option = seat, seat.question, seat.local_option
    # The locks have settled what the table's constraints would be asked for: only form is left.
    vote.clean_fields(exclude={"seat", "question", "worker"})
    vote.save()
    seat.voted_at = vote.created_at
    Seat.objects.filter(pk=seat.pk).update(voted_at=seat.voted_at)


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
