"""Returning a validated twin to its author, who may revise it once."""

from datetime import datetime

from django.db import transaction

from collection.models import Campaign, Question, Twin
from collection.services.campaigns import budget
from validation.core.verdicts import VERSION, Reason
from validation.models import PassedSeat, TwinReturn, Verdict, VerdictEvent, Vote
from validation.services.review import audit_log, cases, notices
from validation.services.review.adjudication import seen
from validation.services.validating.seats import remove_open_seats
from validation.services.verdicts import growing
from validation.services.verdicts.questions import as_reason, lock_whole_twin
from winoplatform import clock
from winoplatform.errors import Conflict, DomainError
from workers.models import User


@transaction.atomic
def return_for_revision(*, question_id: str, note: str, revision: str, by: User) -> TwinReturn:
    """Return the twin of a question to its author, with a note that they read.

    Both questions become invalid and are no longer validated; votes stay and are paid. The author
    may revise the twin once, although it was validated; its former validators do not get the new
    version.

    Raises
    ------
    DomainError
        As ``adjudication.decide_question``, and ``note_missing``, ``no_author``,
        ``campaign_closed``, ``already_returned`` or ``budget_exhausted`` (the new twin needs new
        votes).
    """
    now = clock.now()
    lock_whole_twin(question_id)
    if not as_reason(note):
        raise DomainError("note_missing", "Enter what the author should change: they read it.")
    question = seen(question_id, revision)
    twin, campaign = question.twin, question.twin.campaign
    _refuse(twin, campaign)
    questions = list(twin.questions.order_by("pk").select_related("twin"))
    back = TwinReturn(twin=twin, by=by, note=as_reason(note), created_at=now)
    back.full_clean()
    back.save()
    for each in questions:
        _turn(each, back, now)
    notices.twin_returned(back=back, now=now)
    # Last: the campaign is locked after seats, and deleted seats have released their rewards.
    votes = len(questions) * campaign.votes_per_question
    budget.reserve(campaign=campaign, cost=lambda now_is: votes * now_is.reward_vote)
    return back


def _refuse(twin: Twin, campaign: Campaign) -> None:
    if twin.author_id is None or twin.assignment_id is None:
        raise DomainError("no_author", "This twin was not written here, so it cannot be revised.")
    if campaign.status == Campaign.Status.CLOSED:
        raise Conflict("campaign_closed", "This campaign is closed, so the twin cannot be revised.")
    if TwinReturn.objects.filter(twin=twin).exists():
        raise Conflict("already_returned", "This twin waits for its author already.")


def _turn(question: Question, back: TwinReturn, now: datetime) -> None:
    """Make one question of a returned twin invalid."""
    verdict = Verdict.objects.filter(question=question).select_related("decided_by").first()
    before = audit_log.of_verdict(verdict)
    verdict = verdict or Verdict(
        question=question, policy=question.twin.verdict_policy, version=VERSION, counts={}
    )
    verdict.valid, verdict.reasons = False, [str(Reason.RETURNED)]
    verdict.decided_by, verdict.created_at = back.by, now
    verdict.save()
    audit_log.write(
        question=question,
        action=VerdictEvent.Action.RETURNED,
        now=now,
        before=before,
        after=audit_log.of_verdict(verdict),
        by=back.by,
        reason=back.note,
    )
    remove_open_seats(question=question)
    growing.retire_if_gold(question=question, now=now)
    cases.note(question=question, returned=True, appealed=False, suspected=False, flagged=False)


def block_former_validators(*, twin: Twin) -> None:
    """Block the validators of the twin that *twin* revises: they know its text."""
    if twin.revises_id is None:
        return
    validators = Vote.objects.filter(question__twin=twin.revises_id).values_list(
        "worker", flat=True
    )
    PassedSeat.objects.bulk_create(
        PassedSeat(twin=twin, worker_id=worker, blocked=True) for worker in validators.distinct()
    )
