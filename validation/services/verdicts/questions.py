"""Access to a question for curators: locked, and unchanged since they saw it."""

from collections.abc import Iterable
from typing import Any

from django.db.models import OuterRef, QuerySet, Subquery

from collection.models import Question
from validation.core.revisions import revision
from validation.models import PassedSeat, VerdictEvent, VisitorReport, Vote
from winoplatform.errors import Conflict, existing


def revision_of(question: Question) -> str:
    """Return the revision of *question*; see ``core.revisions``."""
    return revisions_of([question.pk])[question.pk]


def revisions_of(questions: Iterable[int]) -> dict[int, str]:
    """Return the revisions of questions by primary key, in one query."""
    last = map(
        _last,
        (
            VerdictEvent.objects.all(),
            Vote.objects.filter(is_gold=False),
            PassedSeat.objects.exclude(report=""),
            VisitorReport.objects.all(),
        ),
    )
    rows = Question.objects.order_by().filter(pk__in=list(questions)).values_list("pk", *last)
    return {
        key: revision(event=event, vote=vote, returned=returned, visitor=visitor)
        for key, event, vote, returned, visitor in rows
    }


def _last(rows: "QuerySet[Any]") -> Subquery:
    mine = rows.filter(question=OuterRef("pk")).order_by("-pk")
    return Subquery(mine.values("pk")[:1])


def lock_whole_twin(question_id: str) -> None:
    """Lock both questions of a twin in the usual order, before one of them is read."""
    rows = Question.objects.filter(twin__questions__public_id=question_id).order_by("pk")
    list(rows.select_for_update(of=("self",), no_key=True).values_list("pk"))


def locked_question(question_id: str) -> Question:
    """Lock and return a question, before any related row is read."""
    rows = Question.objects.filter(public_id=question_id)
    return existing(
        rows.select_for_update(of=("self",), no_key=True)
        .select_related("twin__campaign", "twin__author")
        .first(),
        "question",
    )


def refuse_unless_seen(question: Question, revision: str) -> None:
    """Refuse if the question has changed since the curator saw it.

    Raises
    ------
    DomainError
        ``changed_meanwhile``, with the current revision.
    """
    stands = revision_of(question)
    if revision != stands:
        raise Conflict(
            "changed_meanwhile",
            "This question has changed since you opened it: a vote was cast or another curator "
            "decided. Check it again, then decide.",
            details={"revision": stands},
        )


def refuse_unless_open_to_curators(question: Question) -> None:
    """Refuse a question that was validated elsewhere or withdrawn.

    Raises
    ------
    DomainError
        ``question_withdrawn`` or ``validated_elsewhere``.
    """
    if question.twin.withdrawn_at is not None:
        raise Conflict(
            "question_withdrawn",
            "Its author has withdrawn or revised this twin. Look at the newer one.",
        )
    if question.twin.origin == question.twin.Origin.PUBLISHED:
        raise Conflict(
            "validated_elsewhere", "This question was validated elsewhere before it was imported."
        )


def as_reason(text: str) -> str:
    """Strip a note and cut it to the length of the column."""
    return text.strip()[:500]
