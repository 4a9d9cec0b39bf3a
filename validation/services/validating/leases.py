"""How seats of any kind are claimed, kept, returned and answered; a kind is an ``AbstractSeat``.

A claim locks the worker's account first (``statements.lock_worker``), so that two tabs of one
worker take turns. Then it looks for a seat the worker already holds, and then for a free one
(``claiming``).
"""

from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from typing import Any, TypeVar

from django.db.models import F
from django.db.models.functions import Coalesce, Greatest, Least

from validation.models import AbstractSeat, AbstractSeatQuerySet
from winoplatform.db.prepared import Placeholder, Prepared, Statement, once, updating
from winoplatform.errors import Conflict, DomainError

S = TypeVar("S", bound=AbstractSeat)

LONGEST = timedelta(minutes=30)
"""How long heartbeats may keep a seat after its claim: nobody else can answer until then."""


def claiming(seats: AbstractSeatQuerySet[S]) -> Prepared[S]:
    """Return the statement that leases the first of *seats* that is not locked by another claim.

    It leases to ``worker`` until ``until`` and promises ``reward``; these and ``now`` are its
    parameters. The seat returned has its former holder, if any, as ``left_by``.
    """
    # A lock by another transaction is that of a claim: the seat is about to be taken.
    first: Any = seats.in_order().select_for_update(of=("self",), skip_locked=True, no_key=True)[:1]
    return Prepared(
        first.annotate(left_by=F("worker")),
        worker=Placeholder("worker"),
        claimed_at=Placeholder("now"),
        leased_until=Placeholder("until"),
        reward=Placeholder("reward"),
        **seats.model.EMPTY,
    )


def vacate(seat: AbstractSeat) -> bool:
    """Free a seat, unless its worker has answered or lost it; return whether it was freed."""
    theirs = type(seat)._base_manager.filter(pk=seat.pk, worker=seat.worker_id, answered_at=None)
    nobody = dict.fromkeys(("worker", "claimed_at", "leased_until", "reward"))
    return bool(theirs.update(**nobody, **seat.EMPTY))


def vacate_all(seats: AbstractSeatQuerySet[Any]) -> None:
    """Free those of *seats* that wait for an answer; their worker has left."""
    for seat in seats.waiting().select_for_update(of=("self",), no_key=True).order_by("pk"):
        vacate(seat)


def prolong(held: AbstractSeatQuerySet[Any], *, now: datetime, until: datetime) -> None:
    """Extend the leases of *held* until a time, at most to ``LONGEST`` after their claims."""
    # Locked in one order, so that heartbeats of two tabs cannot deadlock.
    list(held.order_by("pk").select_for_update(no_key=True).values_list("pk"))
    longest = Coalesce(F("claimed_at"), now) + LONGEST
    held.update(leased_until=Greatest(F("leased_until"), Least(until, longest)))


def lease_expired(kind: type[AbstractSeat]) -> DomainError:
    return DomainError("lease_expired", kind.LOST, status=410)


def has_ended(seat: AbstractSeat, now: datetime) -> bool:
    """Return whether the lease of a seat without an answer has ended."""
    return seat.answered_at is None and seat.leased_until is not None and seat.leased_until <= now


def refuse_unless_held(
    seat: AbstractSeat, now: datetime, *, is_free: Callable[[], bool] = lambda: False
) -> None:
    """Refuse what comes after the lease's end, unless the seat *is_free*.

    A seat names its last worker until another one claims it. So an answer counts while the seat is
    locked, still its worker's, and could be claimed: a connection that was lost for some minutes
    costs no answer.

    Raises
    ------
    DomainError
        ``lease_expired``.
    """
    if has_ended(seat, now) and not is_free():
        raise lease_expired(type(seat))


def answering(seat: AbstractSeat, *, now: datetime, reward: Any) -> Statement:
    """Return the statement that marks *seat*, which is locked and held, as answered and paid.

    It is executed together with the one that stores the answer.
    """
    seat.answered_at, seat.reward = now, reward
    return _answering(type(seat)).filled(seat=seat.pk, now=now, reward=reward)


@once
def _answering(kind: type[AbstractSeat]) -> Statement:
    seats = kind._base_manager.filter(pk=Placeholder("seat"))
    return updating(seats, answered_at=Placeholder("now"), reward=Placeholder("reward"))


def refuse_other(stands: Mapping[str, Any], again: Mapping[str, Any]) -> None:
    """Refuse an answer that differs from the stored one; the same one again is no error."""
    if stands != again:
        raise Conflict(
            "already_answered",
            "You have already answered this differently. Your first answer counts.",
            details=stands,
        )
