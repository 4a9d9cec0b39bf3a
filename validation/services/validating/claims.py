"""How validators get seats, keep them while they work, and give them back."""

import secrets
import uuid
from collections.abc import Sequence
from datetime import datetime, timedelta

from django.db import transaction

from collection.models import Campaign, Question
from collection.services.campaigns import budget
from collection.services.campaigns.campaigns import refuse_unless_open
from collection.services.joining.access import refuse_unless_may_validate
from validation import selectors
from validation.models import PassedSeat, Seat
from validation.services import golds
from validation.services.review import cases
from validation.services.validating import prepared as statements
from validation.services.validating.leases import prolong, refuse_unless_held
from validation.services.validating.leaving import let_go, lock_questions
from validation.services.validating.limits import refuse_over_limit
from validation.services.validating.seats import (
    has_passed,
    locked_seat,
    not_held,
    note_passed,
    note_passed_by,
    take_gold_seat,
)
from winoplatform import clock
from winoplatform.errors import DomainError
from workers.models import User


@transaction.atomic
def claim_seat(*, worker: User, campaign: Campaign, ahead: bool = False) -> Seat:
    """Lease the next free seat to *worker*, or return the one already held.

    The lease's end is decided here, in the claim itself; no sweeper has to run. Never the worker's
    own twin, never a second seat on a twin: the query leaves them out and the table's constraints
    would refuse them.

    Parameters
    ----------
    ahead
        Return the seat after the one in hand, for a page that fetches the next question early.
        Nobody holds more than two.

    Raises
    ------
    DomainError
        ``campaign_not_open``, what ``access.refuse_unless_may_validate`` raises, ``vote_limit``,
        ``daily_vote_limit``, or ``queue_empty`` with the reason and, where known, the time at
        which to look again.
    """
    # One claim of a worker at a time: two tabs get the same seat. NO KEY: a vote of the same
    # worker that is being stored refers to this row, and each would wait for the other.
    is_clear, now = statements.lock_worker(worker, campaign)
    mine = statements.in_hand(worker, campaign)
    held = [seat for seat in mine if seat.leased_until and seat.leased_until > now]
    if len(held) > int(ahead):
        return held[int(ahead)]
    refuse_unless_open(campaign)
    if not is_clear:
        refuse_unless_may_validate(worker=worker, campaign=campaign)
    refuse_over_limit(worker=worker, campaign=campaign, held=len(held), now=now)
    # Before gold is drawn, which may lock the campaign: seats come before it.
    lapsed = [seat for seat in mine if seat not in held]
    seat = lapsed and _end_leases(lapsed, campaign, now)
    seat = seat or _gold_seat(worker, campaign, now) or _next_free(worker, campaign, now)
    if seat is None:
        raise _empty(selectors.why_empty(worker=worker, campaign=campaign, now=now))
    return seat


def lease_end(campaign: Campaign, now: datetime) -> datetime:
    return now + timedelta(minutes=campaign.vote_minutes)


def _end_leases(lapsed: Sequence[Seat], campaign: Campaign, now: datetime) -> Seat | None:
    """Leave seats whose leases have ended; return the first unopened one where it is gold.

    An unopened question comes back to whoever let its lease end, as the queue's next one. So a
    gold one does, too, in its turn: one that never came again would be known for it.
    """
    lock_questions(lapsed)
    unopened = [seat for seat in lapsed if seat.local_at is None]
    for seat in lapsed:
        if seat not in unopened or not golds.is_still_asked(seat):
            let_go(seat, blocked=seat.local_at is not None, now=now)
    first = unopened[0] if unopened else None
    if first is not None and golds.is_still_asked(first) and _take_again(first, campaign, now):
        return first
    return None


def _take_again(seat: Seat, campaign: Campaign, now: datetime) -> bool:
    if not budget.reserve_if_left(campaign=campaign, cost=lambda _: campaign.reward_vote):
        return False
    if golds.claims_since(seat):
        # An ordinary question comes back with another seat: another validator has the first.
        note_passed(seat, blocked=False)
        seat.public_id, seat.swapped = uuid.uuid4(), bool(secrets.randbits(1))
    seat.claimed_at, seat.leased_until = now, lease_end(campaign, now)
    seat.reward = campaign.reward_vote
    seat.save(update_fields=["public_id", "swapped", "claimed_at", "leased_until", "reward"])
    return True


def _gold_seat(worker: User, campaign: Campaign, now: datetime) -> Seat | None:
    """Draw whether this claim gets a gold question; an empty queue must not turn gold."""
    if not campaign.gold_share:
        return None
    # Both are asked before either answer is used: a claim must not take longer where it is gold.
    gold = golds.seat_for(worker=worker, campaign=campaign, now=now)
    is_any_free = selectors.is_any_free(worker=worker, campaign=campaign, now=now)
    if gold is None or not is_any_free:
        return None
    if not budget.reserve_if_left(campaign=campaign, cost=lambda _: campaign.reward_vote):
        return None  # ordinary questions are paid for already
    return take_gold_seat(worker, campaign, gold, now=now, until=lease_end(campaign, now))


def _next_free(worker: User, campaign: Campaign, now: datetime) -> Seat | None:
    """Lease the first free seat for *worker*.

    A validator who ran ahead of the others has validated the whole head of the queue; passing over
    it again at every claim would cost more with every vote. So only the head's first seats are
    looked at, then the way goes on behind the worker's furthest question, and what lies between
    comes last.
    """
    furthest: int | None = None
    for reach in statements.REACHES:
        if reach is not statements.HEAD and furthest is None:
            furthest = selectors.furthest_validated(worker=worker, campaign=campaign)
        until = lease_end(campaign, now)
        seat = statements.lease(
            worker, campaign, now=now, until=until, reach=reach, furthest=furthest
        )
        if seat is not None:
            if seat.left_by is not None:
                note_passed_by(seat, seat.left_by, blocked=seat.opened)
            return seat
    return None


def _empty(reason: selectors.EmptyQueue) -> DomainError:
    details = {"reason": reason.reason, "again_at": reason.again_at and reason.again_at.isoformat()}
    return DomainError("queue_empty", reason.message, status=404, details=details)


@transaction.atomic
def beat(*, worker: User, seat_id: uuid.UUID) -> Seat:
    """Prolong what *worker* holds in the seat's campaign: the page is open, and they are there.

    A lease ends ``LONGEST`` after the claim, however often the page beats, and is never cut short.

    Raises
    ------
    DomainError
        ``not_found``, ``lease_expired`` or ``question_withdrawn``.
    """
    now = clock.now()
    this = Seat.objects.filter(public_id=seat_id, worker=worker).select_related("campaign").first()
    if this is None:
        raise not_held(worker, seat_id)
    held = Seat.objects.filter(worker=worker, campaign=this.campaign).held(now=now)
    prolong(held, now=now, until=lease_end(this.campaign, now))
    seat = (
        Seat.objects.select_related("question", "twin", "campaign")
        .filter(public_id=seat_id, worker=worker)
        .first()
    )
    if seat is None:
        raise not_held(worker, seat_id)
    refuse_unless_held(seat, now)
    return seat


@transaction.atomic
def return_seat(*, worker: User, seat_id: uuid.UUID, report: str = "") -> None:
    """Give a seat back without an answer, so that somebody else can take it at once.

    The twin is not offered to *worker* again. Returning twice is the same as once.

    Parameters
    ----------
    report
        A ``Vote.Report``: what is wrong with the question, for the review queue.

    Raises
    ------
    DomainError
        ``not_found`` or ``already_voted``.
    """
    if (
        has_passed(worker, seat_id)
        and not Seat.objects.filter(public_id=seat_id, worker=worker).exists()
    ):
        return
    # Before the seat, as a vote does: two reports of one question take turns.
    asked = Question.objects.filter(seats__public_id=seat_id, seats__worker=worker)
    asked.select_for_update(of=("self",), no_key=True).values_list("pk").first()
    seat = locked_seat(worker, seat_id)
    if seat.answered_at is not None:
        raise DomainError("already_voted", "You have validated this question.", status=409)
    question, now = seat.question, clock.now()
    let_go(seat, blocked=True, now=now)
    if report:
        passed = PassedSeat.objects.filter(seat_public_id=seat_id, worker=worker)
        passed.update(report=report, question=question, reported_at=now)
        cases.note(question=question, closed_at=None)
