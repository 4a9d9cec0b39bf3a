"""Workers with counts of their work."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Count, Q, Sum

from collection.core.origin import pasted_share
from collection.models import Twin
from validation.models import Verdict, Vote
from workers.models import Pause, User


@dataclass(frozen=True, slots=True)
class WorkCounts:
    """Counts of a worker's work: how much of it is valid, and how it was typed."""

    twins: int = 0
    withdrawn: int = 0
    votes: int = 0
    validated: int = 0
    valid: int = 0
    typed: int = 0
    pasted: int = 0

    @property
    def valid_share(self) -> float | None:
        """The share of the worker's validated questions that are valid."""
        return self.valid / self.validated if self.validated else None

    @property
    def pasted_share(self) -> float | None:
        return pasted_share(self.typed, self.pasted)


def work_counts(workers: Sequence[User]) -> dict[int, WorkCounts]:
    """Return the counts of *workers*, by primary key, in three queries."""
    counted: dict[int, dict[str, int]] = {worker.pk: {} for worker in workers}
    for names, rows in _groups(workers):
        for pk, *numbers in rows:
            counted[pk] |= dict(zip(names, numbers, strict=True))
    return {pk: WorkCounts(**numbers) for pk, numbers in counted.items()}


def _groups(workers: Sequence[User]) -> tuple[tuple[tuple[str, ...], Any], ...]:
    """Return pairs of the names of counts, and rows with a worker's key and these counts."""
    stands = Q(withdrawn_at=None)
    twins = Twin.objects.filter(author__in=workers).order_by().values_list("author")
    # A twin that was returned and revised counts only with its new text.
    eligibility = Verdict.objects.filter(question__twin__withdrawn_at=None)
    verdicts = eligibility.filter(question__twin__author__in=workers).order_by()
    votes = Vote.objects.filter(worker__in=workers).order_by().values_list("worker")
    stand, gone = Count("pk", filter=stands), Count("pk", filter=~stands)
    validated = verdicts.values_list("question__twin__author")
    valid = Count("pk", filter=Q(valid=True))
    typed = Sum("provenance__typed_characters", default=0)
    pasted = Sum("provenance__pasted_characters", default=0)
    written = twins.annotate(stand=stand, gone=gone, typed=typed, pasted=pasted)
    return (
        (("twins", "withdrawn", "typed", "pasted"), written),
        (("validated", "valid"), validated.annotate(n=Count("pk"), good=valid)),
        (("votes",), votes.annotate(n=Count("pk"))),
    )


@dataclass(frozen=True, slots=True)
class Person:
    """A worker as shown to curators, with the current pause, if any, and counts."""

    user: User
    pause: Pause | None
    counts: WorkCounts


def people(workers: Sequence[User]) -> list[Person]:
    """Return *workers* with their pauses and the counts of their work, in four queries."""
    pauses = {pause.worker_id: pause for pause in Pause.objects.open().filter(worker__in=workers)}
    counts = work_counts(workers)
    return [Person(user, pauses.get(user.pk), counts[user.pk]) for user in workers]


def person(worker: User) -> tuple[Person, list[Pause]]:
    """As ``people`` for one worker, with the pauses that have ended, newest first."""
    pauses = list(worker.pauses.select_related("by"))
    now = next((pause for pause in pauses if pause.ended_at is None), None)
    found = Person(worker, now, work_counts([worker])[worker.pk])
    return found, [pause for pause in pauses if pause.ended_at is not None]
