"""How judges get seats and give them back."""

import uuid
from datetime import datetime, timedelta

from django.db import transaction
from django.utils import timezone

from collection.models import Campaign
from collection.services.campaigns import refuse_unless_open
from collection.services.crowd import refuse_between_sessions
from validation import selectors
from validation.models import Seat, SeatQuerySet
from validation.services.seats import has_passed, leave, locked_seat, note_passed
from winoplatform.errors import DomainError
from workers.models import Qualification, User
from workers.services import refuse_while_paused


@transaction.atomic
def claim_seat(*, worker: User, campaign: Campaign) -> Seat:
    """Lease the next free seat to *worker*, or return the one already held.

    The lease's end is decided here, in the claim itself; no sweeper has to run. Never the worker's
    own twin, never a second seat on a twin: the query leaves them out and the table's constraints
    would refuse them.

    Raises
    ------
    DomainError
        ``campaign_not_open``, ``worker_paused``, ``session_over``, or ``queue_empty`` with the
        reason and, where known, the time at which to look again.
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
    refuse_unless_open(campaign)
    refuse_while_paused(worker=worker)
    refuse_between_sessions(worker=worker, campaign=campaign, skill=Qualification.Skill.JUDGE)
    for lapsed in mine:
        leave(lapsed, barred=lapsed.local_at is not None)
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


def _lease(seat: Seat, worker: User, until: datetime) -> None:
    if seat.worker_id is not None:
        note_passed(seat, barred=seat.local_at is not None)
    seat.worker, seat.leased_until = worker, until
    seat.local_at = seat.local_option = None
    Seat.objects.filter(pk=seat.pk).update(
        worker=worker, leased_until=until, local_at=None, local_option=None
    )


def _empty(reason: selectors.EmptyQueue) -> DomainError:
    details = {"reason": reason.reason, "again_at": reason.again_at and reason.again_at.isoformat()}
    return DomainError("queue_empty", reason.message, status=404, details=details)


@transaction.atomic
def return_seat(*, worker: User, seat_id: uuid.UUID) -> None:
    """Give a seat back without an answer, so that somebody else can take it at once.

    The twin is not offered to *worker* again. Returning twice is the same as once.
    """
    if (
        has_passed(worker, seat_id)
        and not Seat.objects.filter(public_id=seat_id, worker=worker).exists()
    ):
        return
    seat = locked_seat(worker, seat_id)
    if seat.voted_at is not None:
        raise DomainError("already_voted", "You have judged this question.", status=409)
    leave(seat, barred=True)
