"""Leaving a seat without a vote: it returns to the queue, or is deleted if not needed."""

from collections.abc import Iterable
from datetime import datetime

from collection.models import Campaign, Question
from validation.models import Seat, Verdict
from validation.services.validating.seats import leave
from validation.services.verdicts.verdicts import settle
from winoplatform import clock
from workers.models import User


def lock_questions(seats: Iterable[Seat]) -> None:
    """Lock the questions of *seats* in the usual order, before the seats themselves."""
    rows = Question.objects.filter(pk__in={seat.question_id for seat in seats}).order_by("pk")
    list(rows.select_for_update(no_key=True).values_list("pk"))


def let_go(seat: Seat, *, blocked: bool, now: datetime) -> None:
    """Free a seat whose question is locked; delete it if a curator has decided the question."""
    adjudicated = Verdict.objects.filter(question=seat.question_id, decided_by__isnull=False)
    is_idle = seat.gold_id is None and adjudicated.exists()
    leave(seat, blocked=blocked, for_good=is_idle)
    if is_idle:
        settle(question=seat.question, campaign=seat.campaign, now=now)


def free_seats_of(*, worker: User, campaign: Campaign | None) -> None:
    """Free the seats of a worker who has left, so that others need not wait for the leases."""
    held = Seat.objects.filter(worker=worker, answered_at=None)
    held = held if campaign is None else held.filter(campaign=campaign)
    lock_questions(held)
    seats = held.select_related("question__twin", "campaign").order_by("pk")
    for seat in seats.select_for_update(of=("self",), no_key=True):
        let_go(seat, blocked=seat.local_at is not None, now=clock.now())
