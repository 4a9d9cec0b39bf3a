"""Gives the starter's simulated work realistic times.

Simulated work is stored at the speed of the machine. Afterwards each validator's votes are moved
apart, backwards from the last one, by durations from the simulation; twins are moved to before the
first vote. The ledger is append-only and keeps its times.
"""

from collections.abc import Callable, Sequence
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import F, Max, Min, OuterRef, Subquery

from collection.models import Assignment, Campaign, Provenance, Question, Twin
from validation.models import Seat, Vote
from workers.models import User

# Seconds between two questions, and the local context's share of a question's time.
PAUSE, LOCAL = timedelta(seconds=1.5), 0.4
AT_ONCE = timedelta(seconds=1)
Seconds = Callable[[Seat], float]


@transaction.atomic
def spread_votes(campaign: Campaign, validators: Sequence[User], seconds: Seconds) -> None:
    """Move the votes of simulated validators apart, unless that is already done.

    Parameters
    ----------
    validators
        The simulated validators; votes of real users stay as they are.
    seconds
        The duration of a seat's vote, in seconds.
    """
    given = Seat.objects.in_campaign(campaign).filter(
        answered_at__isnull=False, worker__in=validators
    )
    if not given.filter(answered_at__lt=F("claimed_at") + AT_ONCE).exists():
        return
    for validator in validators:
        seats = given.filter(worker=validator).select_related("question", "twin", "worker")
        _spread(list(seats.order_by("-answered_at", "-pk")), seconds)
    _move_twins(campaign, given.aggregate(first=Min("claimed_at"))["first"])


def _spread(seats: list[Seat], seconds: Seconds) -> None:
    """Move one validator's votes, newest first."""
    ends = seats[0].answered_at if seats else None
    for seat in seats:
        took = timedelta(seconds=seconds(seat))
        assert ends is not None
        seat.answered_at, seat.claimed_at = ends, ends - took
        seat.local_at = seat.claimed_at + LOCAL * took
        ends = seat.claimed_at - PAUSE
    Seat.objects.bulk_update(seats, ["claimed_at", "local_at", "answered_at"], batch_size=500)
    stored = Seat.objects.filter(pk=OuterRef("seat")).values("answered_at")
    Vote.objects.filter(seat__in=seats).update(created_at=Subquery(stored))


def _move_twins(campaign: Campaign, first: datetime) -> None:
    """Move the twins to before the first vote."""
    twins = Twin.objects.filter(campaign=campaign)
    last = twins.aggregate(last=Max("created_at"))["last"]
    earlier = last - first + PAUSE
    if earlier > timedelta(0):
        of_campaign = Question.objects.filter(twin__campaign=campaign)
        for rows in (twins, of_campaign, Assignment.objects.filter(campaign=campaign)):
            rows.update(created_at=F("created_at") - earlier)


def note_writing(campaign: Campaign, seconds: Callable[[Twin], int]) -> None:
    """Store the writing time of each twin that has none."""
    bare = Provenance.objects.filter(twin__campaign=campaign, active_seconds=0)
    rows = list(bare.select_related("twin").prefetch_related("twin__questions"))
    for row in rows:
        row.active_seconds = seconds(row.twin)
        row.typed_characters = sum(len(question.sentence) for question in row.twin.questions.all())
        row.edits = row.typed_characters // 4
    Provenance.objects.bulk_update(
        rows, ["active_seconds", "typed_characters", "edits"], batch_size=500
    )
