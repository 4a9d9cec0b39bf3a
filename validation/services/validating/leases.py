"""How seats of any kind are taken, kept, given back and answered; a kind is an ``AbstractSeat``.

A claim locks the worker's account first (``statements.lock_worker``), so that two
tabs of one worker take turns. Then: what is the worker's own already, what is free (``claiming``).
"""

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any, TypeVar

from django.db.models import F
from django.db.models.functions import Coalesce, Greatest, Least

from validation.models import AbstractSeat, AbstractSeatQuerySet
from winoplatform.errors import DomainError
from winoplatform.prepared import Given, Prepared, Statement, once, updating

S = TypeVar("S", bound=AbstractSeat)

LONGEST = timedelta(minutes=30)
"""How long a beating page may hold a seat, from its claim: nobody else can answer meanwhile."""


def claiming(seats: AbstractSeatQuerySet[S]) -> Prepared[S]:
    """Return the statement that leases the first of *seats* that nobody is taking this moment.

    To ``worker`` until ``until``, promising ``reward``; these and ``now`` are given when it is run.
    The seat returned names who had left it, if anybody, as ``left_by``.
    """
    # Somebody else's lock on a seat is that of a claim: it is as good as taken.
    first: Any = seats.in_order().select_for_update(of=("self",), skip_locked=True, no_key=True)[:1]
    return Prepared(
        first.annotate(left_by=F("worker")),
        worker=Given("worker"),
        claimed_at=Given("now"),
        leased_until=Given("until"),
        reward=Given("reward"),
        **seats.model.EMPTY,
    )


def vacate(seat: AbstractSeat) -> bool:
    """Free a seat for somebody else, unless its worker has answered or lost it meanwhile."""
    theirs = type(seat)._base_manager.filter(pk=seat.pk, worker=seat.worker_id, answered_at=None)
    nobody = dict.fromkeys(("worker", "claimed_at", "leased_until", "reward"))
    return bool(theirs.update(**nobody, **seat.EMPTY))


def prolong(held: AbstractSeatQuerySet[Any], *, now: datetime, until: datetime) -> None:
    """Prolong the leases of *held* until a time, at most to ``LONGEST`` from their claims."""
    # In one order: of two tabs that beat, one waits for the other and never both.
    list(held.order_by("pk").select_for_update(no_key=True).values_list("pk"))
    longest = Coalesce(F("claimed_at"), now) + LONGEST
    held.update(leased_until=Greatest(F("leased_until"), Least(until, longest)))


def lease_expired(kind: type[AbstractSeat]) -> DomainError:
    return DomainError("lease_expired", kind.LOST, status=410)


def refuse_unless_held(seat: AbstractSeat, now: datetime) -> None:
    if seat.answered_at is None and seat.leased_until is not None and seat.leased_until <= now:
        raise lease_expired(type(seat))


def answering(seat: AbstractSeat, *, now: datetime, reward: Any) -> Statement:
    """The statement that marks *seat*, which is locked and held, as answered and paid so.

    It is run with the one that stores the answer.
    """
    seat.answered_at, seat.reward = now, reward
    return _answering(type(seat)).filled(seat=seat.pk, now=now, reward=reward)


@once
def _answering(kind: type[AbstractSeat]) -> Statement:
    found = kind._base_manager.filter(pk=Given("seat"))
    return updating(found, answered_at=Given("now"), reward=Given("reward"))


def refuse_other(stands: Mapping[str, Any], again: Mapping[str, Any]) -> None:
    """Refuse another answer than the one that stands; the same one again is no error."""
    if stands != again:
        raise DomainError(
            "already_answered",
            "You have answered this before, and otherwise; the first answer stands.",
            status=409,
            details=stands,
        )
