"""How validators claim seats, keep them while they work, and return them."""

import secrets
import uuid
from collections.abc import Sequence
from datetime import datetime
from decimal import Decimal

from django.db import transaction

from collection.models import Campaign, Question
from collection.services.campaigns import budget
from collection.services.campaigns.campaigns import refuse_unless_open
from collection.services.joining.access import refuse_unless_may_validate
from validation import selectors
from validation.models import PassedSeat, Seat
from validation.services import golds
from validation.services.review import cases
from validation.services.validating import statements
from validation.services.validating.leases import prolong, refuse_unless_held
from validation.services.validating.leaving import let_go, lock_questions
from validation.services.validating.limits import refuse_over_limit
from validation.services.validating.seats import (
    has_passed,
    lease_end,
    locked_seat,
    not_held,
    note_passed,
    note_passed_by,
    take_gold_seat,
)
from winoplatform import clock
from winoplatform.errors import Conflict, DomainError
from winoplatform.metrics import counting, events
from workers.models import User


@counting.timed(events.CLAIM_SECONDS, "seat")
@transaction.atomic
def claim_seat(*, worker: User, campaign: Campaign, ahead: bool = False) -> Seat:
    """Lease the next free seat to *worker*, or return the one already held.

    Ended leases are detected here, in the claim itself; no cleanup job is needed. The worker's own
    twins and second seats on a twin are left out by the query and refused by constraints.

    Parameters
    ----------
    ahead
        Return the seat after the current one, for a page that prefetches the next question. A
        worker holds at most two.

    Raises
    ------
    DomainError
        ``campaign_not_open``, what ``access.refuse_unless_may_validate`` raises, ``vote_limit``,
        ``daily_vote_limit``, or ``queue_empty`` with the reason and, if known, the time at which
        to try again.
    """
    # One claim of a worker at a time: two tabs get the same seat. NO KEY: a concurrent vote of the
    # same worker refers to this row, and a stronger lock would deadlock with it.
    is_clear, now = statements.lock_worker(worker, campaign)
    mine = statements.in_hand(worker, campaign)
    held = [seat for seat in mine if seat.leased_until and seat.leased_until > now]
    if len(held) > int(ahead):
        return held[int(ahead)]
    refuse_unless_open(campaign)
    if not is_clear:
        refuse_unless_may_validate(worker=worker, campaign=campaign)
    refuse_over_limit(worker=worker, campaign=campaign, held=len(held), now=now)
    # Before gold is drawn, which may lock the campaign: seats are locked first.
    lapsed = [seat for seat in mine if seat not in held]
    counting.count(events.LEASES_EXPIRED, "seat", number=len(lapsed))
    seat = lapsed and _end_leases(lapsed, campaign, now)
    seat = seat or _gold_seat(worker, campaign, now) or _next_free(worker, campaign, now)
    if seat is None:
        raise _empty(selectors.why_empty(worker=worker, campaign=campaign, now=now))
    return seat


def _end_leases(lapsed: Sequence[Seat], campaign: Campaign, now: datetime) -> Seat | None:
    """Free seats whose leases have ended; return the first unopened one if it is gold.

    An unopened question is offered again to the worker whose lease ended, as the next one in the
    queue. A gold question must be, too: otherwise its absence would reveal it.
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
    assert seat.reward is not None
    more = max(campaign.reward_vote - seat.reward, Decimal(0))  # the rest has stayed reserved
    if not budget.reserve_if_left(campaign=campaign, cost=lambda _: more):
        return False
    if golds.claims_since(seat):
        # As an ordinary question would, return with another seat: another validator has the first.
        note_passed(seat, blocked=False)
        seat.public_id, seat.swapped = uuid.uuid4(), bool(secrets.randbits(1))
    seat.claimed_at, seat.leased_until = now, lease_end(campaign, now)
    seat.reward = campaign.reward_vote
    seat.save(update_fields=["public_id", "swapped", "claimed_at", "leased_until", "reward"])
    return True


def _gold_seat(worker: User, campaign: Campaign, now: datetime) -> Seat | None:
    """Draw whether this claim gets a gold question; not if the queue is empty."""
    if not campaign.gold_share:
        return None
    # Both queries run before either result is used: a gold claim must not take longer.
    gold = golds.seat_for(worker=worker, campaign=campaign, now=now)
    place = selectors.first_free(worker=worker, campaign=campaign, now=now)
    if gold is None or place is None:
        return None
    if not budget.reserve_if_left(campaign=campaign, cost=lambda _: campaign.reward_vote):
        return None  # ordinary questions are already reserved
    until = lease_end(campaign, now)
    return take_gold_seat(worker, campaign, gold, place=place, now=now, until=until)


def _next_free(worker: User, campaign: Campaign, now: datetime) -> Seat | None:
    """Lease the first free seat for *worker*.

    A validator who is ahead of the others has validated the whole head of the queue; scanning it at
    every claim would cost more with every vote. So only the first seats are searched, then those
    after the worker's furthest question, and the seats between come last.
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
                counting.count(events.LEASES_EXPIRED, "seat")
                note_passed_by(seat, seat.left_by, blocked=seat.opened)
            return seat
    return None


def _empty(reason: selectors.EmptyQueue) -> DomainError:
    details = {"reason": reason.reason, "again_at": reason.again_at and reason.again_at.isoformat()}
    return DomainError("queue_empty", reason.message, status=404, details=details)


@transaction.atomic
def beat(*, worker: User, seat_id: uuid.UUID) -> Seat:
    """Extend the leases of *worker* in the seat's campaign: a heartbeat of the open page.

    A lease ends at most ``LONGEST`` after the claim, and is never shortened.

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
    """Return a seat without an answer, so that another validator can claim it at once.

    The twin is not offered to *worker* again. Returning twice is the same as once.

    Parameters
    ----------
    report
        A ``Vote.Report``: a problem with the question, for the review queue.

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
    # Locked before the seat, as for a vote: this serializes two reports of one question.
    questions = Question.objects.filter(seats__public_id=seat_id, seats__worker=worker)
    questions.select_for_update(of=("self",), no_key=True).values_list("pk").first()
    seat = locked_seat(worker, seat_id)
    if seat.answered_at is not None:
        raise Conflict("already_voted", "You have validated this question.")
    question, now = seat.question, clock.now()
    let_go(seat, blocked=True, now=now)
    if report:
        passed = PassedSeat.objects.filter(seat_public_id=seat_id, worker=worker)
        passed.update(report=report, question=question, reported_at=now)
        cases.note(question=question, closed_at=None)
