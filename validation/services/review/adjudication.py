"""Decisions in the review queue: decide a question, request one more vote, or reopen it.

Each call names the revision of the question that the curator has seen, so of two concurrent
changes (two curators, or a curator and a last vote) the second is refused.
"""

from collections.abc import Sequence
from datetime import datetime

from django.db import transaction

from collection.models import Campaign, Question
from collection.services.campaigns import budget
from validation.core.verdicts import VERSION, Reason
from validation.models import Case, Seat, TwinReturn, Verdict, VerdictEvent
from validation.selectors.golds import is_public_question
from validation.services.review import audit_log, cases
from validation.services.validating.seats import note_passed, open_extra_seat
from validation.services.verdicts import growing
from validation.services.verdicts.questions import (
    as_reason,
    lock_whole_twin,
    locked_question,
    refuse_unless_open_to_curators,
    refuse_unless_seen,
)
from validation.services.verdicts.verdicts import ballots_of, decided, settle, undo
from winoplatform import clock
from winoplatform.errors import Conflict, DomainError
from workers.models import User

Action = VerdictEvent.Action
GIVEN_BY_CURATORS = tuple(reason for reason in Reason if reason is not Reason.RETURNED)
MOST_VOTES = 15
"""Maximum votes of one question, including those requested by curators."""


@transaction.atomic
def decide_question(
    *,
    question_id: str,
    valid: bool,
    reasons: Sequence[str] = (),
    note: str,
    revision: str,
    by: User,
) -> Verdict:
    """Decide a question, overriding its votes; these stay paid.

    Free seats are deleted. The holder of a seat may finish their vote, which is recorded and paid.

    Parameters
    ----------
    reasons
        For an invalid question: codes of ``GIVEN_BY_CURATORS``, at least one.
    note
        The reason, for the audit log; may be empty.
    revision
        The revision that the curator has seen; see ``questions.revision_of``.

    Raises
    ------
    DomainError
        ``not_found``, ``changed_meanwhile``, ``question_withdrawn``, ``validated_elsewhere``,
        ``reasons_wrong``, ``returned``.
    """
    codes = _codes(valid, reasons)
    now = clock.now()
    question = seen(question_id, revision)
    refuse_returned(question)
    verdict = Verdict.objects.filter(question=question).select_related("decided_by").first()
    before = audit_log.of_verdict(verdict)
    verdict = verdict or _of_votes(question)
    verdict.valid, verdict.reasons, verdict.decided_by = valid, codes, by
    verdict.created_at = now
    verdict.full_clean()
    verdict.save()
    _write(question, Action.DECIDED_BY_CURATOR, now, before, verdict, note, by)
    _drop_free_seats(question, now)
    cases.note(
        question=question,
        closed_at=now,
        appealed=False,
        suspected=False,
        flagged=False,
        returned=False,
    )
    if not valid:
        growing.retire_if_gold(question=question, now=now)
    return verdict


@transaction.atomic
def ask_one_more(*, question_id: str, note: str, revision: str, by: User) -> Question:
    """Open one more seat; after its vote, the votes decide again.

    Raises
    ------
    DomainError
        As ``decide_question``, and ``votes_at_most``, ``campaign_closed`` or
        ``budget_exhausted``.
    """
    now = clock.now()
    question = seen(question_id, revision)
    campaign = question.twin.campaign
    refuse_returned(question)
    n_seats = Seat.objects.filter(question=question).numbered().count()
    is_public = is_public_question(question)
    if refusal := one_more_refusal(campaign, is_public=is_public, n_seats=n_seats):
        raise refusal
    # A decision before the last vote has deleted free seats: one more seat is then too few.
    if not fill_seats(question, campaign):
        budget.reserve(campaign=campaign, cost=budget.cost_of_vote)
        open_extra_seat(question=question, campaign=campaign)
    undo(question=question, action=Action.ASKED_ONE_MORE, now=now, reason=as_reason(note), by=by)
    cases.note(question=question, closed_at=None, returned=False)
    return question


@transaction.atomic
def look_at_reports(*, question_id: str, note: str, revision: str, by: User) -> Question:
    """Mark a question's reports, a suspected label error and words that may offend as seen.

    They no longer keep it in the review queue.

    The verdict and other reasons for review stay as they are. A new report counts again.

    Raises
    ------
    DomainError
        As ``decide_question``, and ``no_report`` if there is no new report.
    """
    question = seen(question_id, revision)
    case = Case.objects.filter(question=question).first()
    if case is None or not case.n_reasons:
        raise Conflict("no_report", "No report of this question is new.")
    cases.note(question=question, reports_seen=case.reports, suspected=False, flagged=False)
    verdict = Verdict.objects.filter(question=question).select_related("decided_by").first()
    stands = audit_log.of_verdict(verdict)
    audit_log.write(
        question=question,
        action=Action.REPORT_SEEN,
        now=clock.now(),
        before=stands,
        after=stands,
        by=by,
        reason=as_reason(note),
    )
    return question


@transaction.atomic
def reopen(*, question_id: str, note: str, revision: str, by: User) -> Question:
    """Undo a curator's decision or return for revision: the votes decide again.

    Raises
    ------
    DomainError
        As ``decide_question``, and ``not_decided`` if no curator has decided.
    """
    now = clock.now()
    lock_whole_twin(question_id)
    question = seen(question_id, revision)
    campaign = question.twin.campaign
    verdict = Verdict.objects.filter(question=question).first()
    if verdict is None or verdict.decided_by_id is None:
        raise Conflict("not_decided", "No curator has decided this question.")
    questions = [question]
    if TwinReturn.objects.filter(twin=question.twin).delete()[0]:
        questions = list(question.twin.questions.order_by("pk").select_related("twin"))
    for each in questions:
        undo(question=each, action=Action.REOPENED, now=now, reason=as_reason(note), by=by)
        cases.note(question=each, closed_at=None, returned=False)
        fill_seats(each, campaign)
        settle(question=each, campaign=campaign, now=now)
    return question


def seen(question_id: str, revision: str) -> Question:
    """Lock and return a question; refuse if it changed since *revision*."""
    question = locked_question(question_id)
    refuse_unless_open_to_curators(question)
    refuse_unless_seen(question, revision)
    return question


def _codes(valid: bool, reasons: Sequence[str]) -> list[str]:
    codes = [code for code in GIVEN_BY_CURATORS if code in set(reasons)]
    if valid == bool(codes) or len(codes) < len(set(reasons)):
        raise DomainError(
            "reasons_wrong",
            "A valid question has no reason; one that is not valid has one of: "
            + ", ".join(GIVEN_BY_CURATORS)
            + ".",
        )
    return [str(code) for code in codes]


def _of_votes(question: Question) -> Verdict:
    """Return an unsaved verdict with the counts of the votes so far, if there are any."""
    votes = list(question.votes.counting().order_by("pk"))
    counts = decided(question, votes).counts if ballots_of(votes) else {}
    policy = question.twin.verdict_policy
    return Verdict(question=question, policy=policy, version=VERSION, counts=counts)


def _write(
    question: Question,
    action: str,
    now: datetime,
    before: dict[str, object] | None,
    verdict: Verdict,
    note: str,
    by: User,
) -> None:
    after = audit_log.of_verdict(verdict)
    audit_log.write(
        question=question,
        action=action,
        now=now,
        before=before,
        after=after,
        by=by,
        reason=as_reason(note),
    )


def one_more_refusal(campaign: Campaign, *, is_public: bool, n_seats: int) -> DomainError | None:
    """Return why no further vote can be requested, apart from the budget; None if one can be.

    Parameters
    ----------
    n_seats
        The seats of the question whose votes count.
    """
    if campaign.status == Campaign.Status.CLOSED:
        return Conflict("campaign_closed", "This campaign is closed, so there are no more votes.")
    if is_public:
        return Conflict(
            "is_public",
            "This question and its answer are public, so new votes are not informative. Decide "
            "it yourself.",
        )
    if n_seats >= MOST_VOTES:
        return Conflict(
            "votes_at_most",
            f"This question has {MOST_VOTES} seats, which is the maximum. Decide it yourself.",
        )
    return None


def refuse_returned(question: Question) -> None:
    """Refuse a question whose twin waits for its author."""
    if TwinReturn.objects.filter(twin=question.twin_id).exists():
        raise Conflict("returned", "This twin was returned for revision. Reopen it first.")


def _drop_free_seats(question: Question, now: datetime) -> None:
    """Delete the seats that are free now."""
    free = Seat.objects.filter(question=question).numbered().idle(now=now)
    for seat in free.order_by("pk").select_for_update(no_key=True):
        if seat.worker_id is not None:
            note_passed(seat, blocked=seat.local_at is not None)
        seat.delete()


def fill_seats(question: Question, campaign: Campaign) -> int:
    """Open the seats that a question lacks, and return their number; 0 for a public question.

    Each reward is reserved again, as the first reservation ended with the deleted seat.
    """
    if is_public_question(question):
        return 0
    n_votes = question.votes.counting().count()
    waiting = Seat.objects.filter(question=question, answered_at=None).numbered().count()
    missing = question.twin.votes_per_question - n_votes - waiting
    if missing <= 0 or campaign.status == Campaign.Status.CLOSED:
        return 0
    budget.reserve(campaign=campaign, cost=lambda now_is: missing * now_is.reward_vote)
    for _ in range(missing):
        open_extra_seat(question=question, campaign=campaign)
    return missing
