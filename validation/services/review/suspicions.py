"""Questions in the review queue before validators differ: likely label errors, and words."""

from django.db import transaction

from collection.core.advice.texts import offensive_words
from collection.models import Campaign, Question, Twin
from validation.models import Case, Verdict, VerdictEvent
from validation.services.review import audit_log, cases
from validation.services.verdicts.questions import (
    as_reason,
    locked_question,
    refuse_unless_open_to_curators,
)
from winoplatform import clock
from winoplatform.errors import Conflict, DomainError, NotFound
from workers.models import User


@transaction.atomic
def offer_question(*, question_id: str, campaign: Campaign, reason: str, by: User) -> Question:
    """Add a question to the review queue as a likely label error, also if it was resolved.

    Its verdict does not change. The reason is in its audit log.

    Parameters
    ----------
    campaign
        Of the question; one of another campaign is not found.
    reason
        Why the label is doubtful.

    Raises
    ------
    DomainError
        ``not_found``, ``reason_missing``, ``question_withdrawn``, ``validated_elsewhere``, or
        ``offered_already`` if it waits for a curator with such an offer.
    """
    if not as_reason(reason):
        raise DomainError("reason_missing", "Enter why the label is doubtful.")
    question = locked_question(question_id)
    if question.twin.campaign_id != campaign.pk:
        raise NotFound("question")
    refuse_unless_open_to_curators(question)
    if Case.objects.filter(question=question, suspected=True).exists():
        raise Conflict("offered_already", "The question is in the review queue already.")
    cases.note(question=question, suspected=True, closed_at=None)
    verdict = Verdict.objects.filter(question=question).select_related("decided_by").first()
    stands = audit_log.of_verdict(verdict)
    audit_log.write(
        question=question,
        action=VerdictEvent.Action.SUSPECTED,
        now=clock.now(),
        before=stands,
        after=stands,
        by=by,
        reason=as_reason(reason),
    )
    return question


def flag_words(*, twin: Twin) -> None:
    """Add a new twin's questions to the review queue if its words may be obscene or hateful.

    In the transaction of the submission; nothing else about the twin changes.
    """
    if "offensive_word" not in twin.warnings:
        return
    for question in Question.objects.filter(twin=twin).order_by("pk"):
        words = offensive_words([question.sentence])
        if not words:
            continue
        cases.note(question=question, flagged=True)
        audit_log.write(
            question=question,
            action=VerdictEvent.Action.FLAGGED,
            now=clock.now(),
            before=None,
            after=None,
            reason=", ".join(words)[:500],
        )
