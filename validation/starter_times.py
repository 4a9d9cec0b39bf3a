"""Gives the starter's simulated work the time that it would have taken people.

The services run as fast as the machine does. Afterwards each validator's votes are moved apart,
backwards from the last one, by the seconds that the simulation drew for them; the twins move to
before the first vote. What the ledger says stays: it never changes.
"""

from collections.abc import Callable, Sequence
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import F, Max, Min, OuterRef, Subquery

from collection.models import Assignment, Campaign, Provenance, Question, Twin
from validation.models import Seat, Vote
from workers.models import User

# Between two questions, and the part of a question's time that its local context takes.
PAUSE, LOCAL = timedelta(seconds=1.5), 0.4
AT_ONCE = timedelta(seconds=1)
Seconds = Callable[[Seat], float]


@transaction.atomic
def spread_votes(campaign: Campaign, validators: Sequence[User], seconds: Seconds) -> None:
    """Move the votes of simulated validators apart, unless they are so already.

    Parameters
    ----------
    validators
        The simulated ones; what people have validated stays as it was.
    seconds
        How long the vote of a seat took.
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
    """Move one validator's votes, the newest first."""
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
    """Let every twin have been written before the first question was validated."""
    twins = Twin.objects.filter(campaign=campaign)
    last = twins.aggregate(last=Max("created_at"))["last"]
    earlier = last - first + PAUSE
    if earlier > timedelta(0):
        of_campaign = Question.objects.filter(twin__campaign=campaign)
        for rows in (twins, of_campaign, Assignment.objects.filter(campaign=campaign)):
            rows.update(created_at=F("created_at") - earlier)


def note_writing(campaign: Campaign, seconds: Callable[[Twin], int]) -> None:
    """Note how long each twin was written on, where nothing was counted."""
    bare = Provenance.objects.filter(twin__campaign=campaign, active_seconds=0)
    rows = list(bare.select_related("twin").prefetch_related("twin__questions"))
    for row in rows:
        row.active_seconds = seconds(row.twin)
        row.typed_characters = sum(len(question.sentence) for question in row.twin.questions.all())
        row.edits = row.typed_characters // 4
    Provenance.objects.bulk_update(
        rows, ["active_seconds", "typed_characters", "edits"], batch_size=500
    )
