"""A question as curators hold it: locked, and unchanged since they looked at it."""

from django.db.models import Max

from collection.models import Question
from validation.models import PassedSeat, VerdictEvent, Vote
from winoplatform.errors import DomainError, NotFound


def revision_of(question: Question) -> str:
    """A name for what a curator sees of *question*: another event, vote or report gives another."""
    event = VerdictEvent.objects.filter(question=question).aggregate(last=Max("pk"))["last"] or 0
    votes = Vote.objects.filter(question=question, is_gold=False)
    vote = votes.aggregate(last=Max("pk"))["last"] or 0
    returned = PassedSeat.objects.filter(question=question).exclude(report="")
    report = returned.aggregate(last=Max("pk"))["last"] or 0
    return f"{event}.{vote}.{report}"


def lock_whole_twin(question_id: str) -> None:
    """Lock both questions of a twin, before one is looked at, in the order of everybody else."""
    rows = Question.objects.filter(twin__questions__public_id=question_id).order_by("pk")
    list(rows.select_for_update(of=("self",), no_key=True).values_list("pk"))


def locked_question(question_id: str) -> Question:
    """Return a question, locked before anything that hangs on it is read."""
    rows = Question.objects.filter(public_id=question_id)
    question = (
        rows.select_for_update(of=("self",), no_key=True)
        .select_related("twin__campaign", "twin__author")
        .first()
    )
    if question is None:
        raise NotFound("question")
    return question


def refuse_unless_seen(question: Question, revision: str) -> None:
    """Refuse to decide on what a curator has not seen: a new vote, or another curator's word.

    Raises
    ------
    DomainError
        ``changed_meanwhile``, with the revision that stands.
    """
    stands = revision_of(question)
    if revision != stands:
        raise DomainError(
            "changed_meanwhile",
            "This question has changed since you opened it: a vote came in, or somebody else "
            "decided. Look at it again, then decide.",
            status=409,
            details={"revision": stands},
        )


def refuse_unless_open_to_curators(question: Question) -> None:
    """Refuse to touch what is validated elsewhere or was taken back.

    Raises
    ------
    DomainError
        ``question_withdrawn`` or ``validated_elsewhere``.
    """
    if question.twin.withdrawn_at is not None:
        raise DomainError(
            "question_withdrawn",
            "Its author has taken this twin back or written it anew; look at the newer one.",
            status=409,
        )
    if question.twin.origin == question.twin.Origin.PUBLISHED:
        raise DomainError(
            "validated_elsewhere", "This question was validated before it came here.", status=409
        )


def as_reason(text: str) -> str:
    """Trim a note; what is stored of it fits the table."""
    return text.strip()[:500]
