"""Reads of the queue: what is left, and why nothing is for this judge."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any

from django.db.models import Count, Max, Min, Q, Subquery, Sum
from django.db.models.functions import Coalesce
from django.utils.translation import gettext as _

from collection.core.origin import pasted_share
from collection.models import Campaign, Provenance, Question, Twin
from validation.models import Seat, Verdict, Vote
from workers.models import Pause, User

HEAD = 200  # seats
BIGGEST = 2**63 - 1


def end_of_head(campaign: Campaign) -> Coalesce:
    """The place at which the first ``HEAD`` open seats end, as a part of a query."""
    seats = Seat.objects.in_campaign(campaign).filter(voted_at=None)
    places = seats.order_by("place", "number").values("place")
    return Coalesce(Subquery(places[HEAD : HEAD + 1]), BIGGEST)


def furthest_judged(*, worker: User, campaign: Campaign) -> int:
    """The last place in the queue that *worker* has judged; 0 for none."""
    seats = Seat.objects.in_campaign(campaign).filter(worker=worker)
    return seats.aggregate(furthest=Max("place"))["furthest"] or 0


@dataclass(frozen=True, slots=True)
class EmptyQueue:
    """Why a judge gets nothing now, in a code and a sentence, and when to look again."""

    reason: str
    message: str
    again_at: datetime | None = None


def why_empty(*, worker: User, campaign: Campaign, now: datetime) -> EmptyQueue:
    """Say why no seat is free for *worker*."""
    seats = Seat.objects.in_campaign(campaign).filter(voted_at=None)
    if not seats.exists():
        return EmptyQueue(
            "all_judged", _("Every question has its votes. New ones come as writers submit twins.")
        )
    others = seats.open_to(worker)
    if not others.exists():
        return EmptyQueue(
            "yours_or_judged",
            _(
                "The questions left are your own, or you have judged or returned them or their "
                "twins: others must do them."
            ),
        )
    return EmptyQueue(
        "all_leased",
        _("Every question left is in another judge's hands right now."),
        others.aggregate(first=Min("leased_until"))["first"],
    )


class QuestionState(StrEnum):
    """Where a question stands with its judges."""

    AWAITING_VOTES = "awaiting_votes"
    VALID = "valid"
    INVALID = "invalid"
    PUBLISHED = "published"  # judged elsewhere, before it came here
    WITHDRAWN = "withdrawn"  # its writer took it back before anybody had voted


def question_state(question: Question) -> QuestionState:
    """Tell where *question* stands; its twin and verdict should be loaded with it."""
    verdict: Verdict | None = getattr(question, "verdict", None)
    if verdict is not None:
        return QuestionState.VALID if verdict.valid else QuestionState.INVALID
    if question.twin.withdrawn_at is not None:
        return QuestionState.WITHDRAWN
    if question.twin.origin == Twin.Origin.PUBLISHED:
        return QuestionState.PUBLISHED
    return QuestionState.AWAITING_VOTES


@dataclass(frozen=True, slots=True)
class WorkCounts:
    """What a worker has done, how much of it was found valid, and how it was typed."""

    twins: int = 0
    withdrawn: int = 0
    votes: int = 0
    judged: int = 0
    valid: int = 0
    typed: int = 0
    pasted: int = 0

    @property
    def valid_share(self) -> float | None:
        """The share of the worker's judged questions that are valid."""
        return self.valid / self.judged if self.judged else None

    @property
    def pasted_share(self) -> float | None:
        return pasted_share(self.typed, self.pasted)


def work_counts(workers: Sequence[User]) -> dict[int, WorkCounts]:
    """Count the work of each of *workers*, by their keys, in four queries."""
    stands = Q(withdrawn_at=None)
    twins = Twin.objects.filter(author__in=workers).order_by().values_list("author")
    verdicts = Verdict.objects.filter(question__twin__author__in=workers).order_by()
    votes = Vote.objects.filter(worker__in=workers).order_by().values_list("worker")
    typed = Provenance.objects.filter(twin__author__in=workers).order_by()
    groups: tuple[tuple[tuple[str, ...], Any], ...] = (
        (
            ("twins", "withdrawn"),
            twins.annotate(stand=Count("pk", filter=stands), gone=Count("pk", filter=~stands)),
        ),
        (
            ("judged", "valid"),
            verdicts.values_list("question__twin__author").annotate(
                n=Count("pk"), good=Count("pk", filter=Q(valid=True))
            ),
        ),
        (("votes",), votes.annotate(n=Count("pk"))),
        (
            ("typed", "pasted"),
            typed.values_list("twin__author").annotate(
                typed=Sum("typed_characters"), pasted=Sum("pasted_characters")
            ),
        ),
    )
    counted: dict[int, dict[str, int]] = {worker.pk: {} for worker in workers}
    for names, rows in groups:
        for pk, *numbers in rows:
            counted[pk] |= dict(zip(names, numbers, strict=True))
    return {pk: WorkCounts(**numbers) for pk, numbers in counted.items()}


@dataclass(frozen=True, slots=True)
class Person:
    """A worker as curators see one: the pseudonym, the pause if there is one, the work."""

    user: User
    pause: Pause | None
    counts: WorkCounts


def people(workers: Sequence[User]) -> list[Person]:
    """Return *workers* with their pauses and the counts of their work, in five queries."""
    pauses = {pause.worker_id: pause for pause in Pause.objects.open().filter(worker__in=workers)}
    counts = work_counts(workers)
    return [Person(user, pauses.get(user.pk), counts[user.pk]) for user in workers]
