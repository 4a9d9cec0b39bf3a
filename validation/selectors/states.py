"""The validation state of a question."""

from enum import StrEnum

from django.db.models import Count, Q, QuerySet

from collection.models import Question, Twin
from validation.core.verdicts import Reason
from validation.models import QuestionFacts, Verdict


class QuestionState(StrEnum):
    """The validation state of a question."""

    AWAITING_VOTES = "awaiting_votes"
    VALID = "valid"
    INVALID = "invalid"
    NOT_USED = "not_used"  # a curator has excluded it; it is paid
    RETURNED = "returned"  # a curator asks its author to revise it
    PUBLISHED = "published"  # validated elsewhere, before it came here
    WITHDRAWN = "withdrawn"  # withdrawn or revised by its author


VALID_STATES = (QuestionState.VALID, QuestionState.PUBLISHED)
# Of `QuestionFacts`: what a campaign has, how much of it is decided, and how much of that is valid.
STAGES = {
    "written": Count("pk"),
    "validated": Count("pk", filter=~Q(state=QuestionState.AWAITING_VOTES)),
    "valid": Count("pk", filter=Q(state__in=VALID_STATES)),
}


def active_facts() -> "QuerySet[QuestionFacts]":
    """Return the facts of questions that their authors have not withdrawn or revised."""
    return QuestionFacts.objects.order_by().exclude(state=QuestionState.WITHDRAWN)


def question_state(question: Question) -> QuestionState:
    """Return the state of *question*; its twin and verdict should be loaded with it."""
    verdict: Verdict | None = getattr(question, "verdict", None)
    if question.twin.withdrawn_at is not None:
        return QuestionState.WITHDRAWN
    if verdict is not None:
        return _decided(verdict)
    if question.twin.origin == Twin.Origin.PUBLISHED:
        return QuestionState.PUBLISHED
    return QuestionState.AWAITING_VOTES


def _decided(verdict: Verdict) -> QuestionState:
    if verdict.valid:
        return QuestionState.VALID
    if Reason.RETURNED in verdict.reasons:
        return QuestionState.RETURNED
    return QuestionState.NOT_USED if Reason.EXCLUDED in verdict.reasons else QuestionState.INVALID
