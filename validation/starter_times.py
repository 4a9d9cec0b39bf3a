"""Gives the starter's simulated work realistic times, by the rules that people's work follows.

Simulated work is stored at the speed of the machine. Afterwards each validator's votes are moved
apart, backwards from the last one, by durations from the simulation; before them each writer's
twins; and before these the person's training and account. The guidelines are as old as the
campaign. The ledger and the audit log are append-only: their entries are dated when they were
written.
"""

from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from django.db.models import F, Min, OuterRef, Subquery

from collection.models import Assignment, Campaign, Consent, Provenance, Question, Twin
from validation.models import Seat, Vote
from workers.models import Attempt, Qualification, User

# Seconds between two questions, and the local context's share of a question's time.
PAUSE, LOCAL = timedelta(seconds=1.5), 0.4
AT_ONCE = timedelta(seconds=1)
READING = timedelta(seconds=30)  # of an article, before the writing
# Before the first work of a person: the account, the guidelines, the training or test.
JOINED, ACCEPTED, TRAINED = (timedelta(minutes=minutes) for minutes in (6, 5, 2))
Seconds = Callable[[Seat], float]


@transaction.atomic
def take_time(
    campaign: Campaign,
    *,
    writers: Sequence[User],
    validators: Sequence[User],
    writing: Callable[[Twin], int],
    validating: Seconds,
) -> None:
    """Move the work of simulated people apart, unless that is already done.

    Parameters
    ----------
    writers, validators
        The simulated people; the work of real users stays as it is.
    writing, validating
        The duration of a twin's writing and of a seat's vote, in seconds.
    """
    seats = Seat.objects.in_campaign(campaign)
    answered = seats.filter(answered_at__isnull=False, worker__in=validators)
    if not answered.filter(answered_at__lt=F("claimed_at") + AT_ONCE).exists():
        return
    for validator in validators:
        own = answered.filter(worker=validator).select_related("question", "twin", "worker")
        _spread_votes(list(own.order_by("-answered_at", "-pk")), validating)
    minutes = timedelta(minutes=campaign.vote_minutes)
    answered.update(leased_until=F("claimed_at") + minutes)
    first = answered.aggregate(first=Min("claimed_at"))["first"]
    for writer in writers:
        twins = Twin.objects.filter(campaign=campaign, author=writer, assignment__isnull=False)
        own_twins = twins.select_related("assignment", "provenance").prefetch_related("questions")
        _spread_twins(list(own_twins.order_by("-pk")), writing, first)
    _spread_joining(campaign, [*writers, *validators])


def _spread_votes(seats: list[Seat], seconds: Seconds) -> None:
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


def _spread_twins(twins: list[Twin], seconds: Callable[[Twin], int], before: datetime) -> None:
    """Move one writer's twins, newest first, to *before* a time, and store their durations."""
    ends = before - PAUSE
    for twin in twins:
        took = seconds(twin)
        twin.created_at, assignment = ends, twin.assignment
        assert assignment is not None
        assignment.created_at = ends - timedelta(seconds=took) - READING
        assignment.leased_until = assignment.created_at + timedelta(
            minutes=twin.campaign.assignment_minutes
        )
        _note_writing(twin.provenance, twin, took)
        ends = assignment.created_at - PAUSE
    Twin.objects.bulk_update(twins, ["created_at"], batch_size=500)
    written = Twin.objects.filter(pk=OuterRef("twin")).values("created_at")
    Question.objects.filter(twin__in=twins).update(created_at=Subquery(written))
    _update(Assignment, [twin.assignment for twin in twins], "created_at", "leased_until")
    counted = ("active_seconds", "typed_characters", "edits")
    _update(Provenance, [twin.provenance for twin in twins], *counted)


def _note_writing(row: Provenance, twin: Twin, seconds: int) -> None:
    row.active_seconds = seconds
    row.typed_characters = sum(len(question.sentence) for question in twin.questions.all())
    row.edits = row.typed_characters // 4


def _spread_joining(campaign: Campaign, people: Sequence[User]) -> None:
    """Move training, consent and account before each person's work, and the guidelines first."""
    voted = Seat.objects.filter(campaign=campaign, worker__in=people, answered_at__isnull=False)
    wrote = Assignment.objects.filter(campaign=campaign, worker__in=people)
    begun: dict[int, datetime] = {}
    for rows, name in ((voted, "claimed_at"), (wrote, "created_at")):
        for worker, at in rows.order_by().values_list("worker").annotate(at=Min(name)):
            begun[worker] = min(at, begun.get(worker, at))
    for worker, at in begun.items():
        _join_before(campaign, worker, at)
    campaign.guideline_set.update(created_at=campaign.created_at)


def _join_before(campaign: Campaign, worker: int, at: datetime) -> None:
    User.objects.filter(pk=worker).update(date_joined=at - JOINED)
    consents = Consent.objects.filter(worker=worker, guideline__campaign=campaign)
    consents.update(created_at=at - ACCEPTED)
    own = Qualification.objects.filter(worker=worker, scope=campaign.public_id)
    own.update(created_at=at - TRAINED)
    for name in ("trained_at", "decided_at"):
        own.filter(**{f"{name}__isnull": False}).update(**{name: at - TRAINED})
    Attempt.objects.filter(qualification__in=own).update(created_at=at - TRAINED)


def _update(model: Any, rows: Sequence[Any], *names: str) -> None:
    model.objects.bulk_update(rows, names, batch_size=500)
