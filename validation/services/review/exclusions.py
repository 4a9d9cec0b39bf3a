"""Soft rejection: a vote stays paid but is not used; another one replaces it."""

import uuid
from dataclasses import dataclass
from datetime import datetime

from django.db import transaction

from collection.models import Campaign, Question
from collection.services.campaigns import budget
from validation.models import Seat, Verdict, VerdictEvent, Vote
from validation.selectors.golds import is_public_question
from validation.services.review import audit_log, cases, notices
from validation.services.validating.seats import open_extra_seat, remove_open_seats
from validation.services.verdicts.questions import as_reason
from validation.services.verdicts.verdicts import settle, undo
from winoplatform import clock
from winoplatform.errors import DomainError, NotFound
from workers.models import User

Action = VerdictEvent.Action
REPLACED_BY = "replaced_by"  # in the audit log
AT_ONCE = 200
"""Votes excluded in one request: each is a separate transaction of about 15 ms."""


@transaction.atomic
def exclude(*, vote_id: uuid.UUID, reason: str, by: User) -> Vote:
    """Exclude a vote and tell its worker why; it stays paid.

    A further seat is opened in its place, where the campaign can pay for it and no curator has
    decided the question. Excluding twice is the same as once.

    Parameters
    ----------
    reason
        The message to the worker.

    Raises
    ------
    DomainError
        ``not_found`` or ``reason_missing``.
    """
    why = as_reason(reason)
    if not why:
        raise DomainError("reason_missing", "Enter a reason. The worker sees it.")
    now = clock.now()
    vote = _locked(vote_id)
    if vote.excluded_at is not None:
        return vote
    before = audit_log.of_vote(vote)
    vote.excluded_at, vote.exclusion_reason, vote.excluded_by = now, why, by
    vote.save(update_fields=["excluded_at", "exclusion_reason", "excluded_by"])
    campaign = vote.seat.campaign
    seat = None if vote.is_gold else _replacement(vote.question, campaign)
    _note(vote, Action.VOTE_EXCLUDED, before, by, now, seat=seat)
    if seat is not None:
        why = "A vote was excluded."
        undo(question=vote.question, action=Action.REOPENED, now=now, reason=why)
    if not vote.is_gold:
        settle(question=vote.question, campaign=campaign, now=now)
    if vote.report:
        cases.recount(question=vote.question)
    notices.vote_excluded(vote=vote, now=now)
    return vote


@transaction.atomic
def restore(*, vote_id: uuid.UUID, reason: str, by: User) -> Vote:
    """Restore an excluded vote. Restoring it again changes nothing.

    The seat that was opened in its place is deleted, unless it is held or has a vote: every vote
    that was cast counts.
    """
    now = clock.now()
    vote = _locked(vote_id)
    if vote.excluded_at is None:
        return vote
    before = audit_log.of_vote(vote)
    vote.excluded_at, vote.exclusion_reason, vote.excluded_by = None, "", None
    vote.save(update_fields=["excluded_at", "exclusion_reason", "excluded_by"])
    _note(vote, Action.VOTE_RESTORED, before, by, now, as_reason(reason))
    if not vote.is_gold:
        _remove_replacements(vote.question, now)
        settle(question=vote.question, campaign=vote.seat.campaign, now=now)
    if vote.report:
        cases.recount(question=vote.question)
    notices.restored(worker=vote.worker, unit=vote.public_id)
    return vote


@dataclass(frozen=True, slots=True)
class Done:
    """The number of votes excluded, and of those left for another call."""

    done: int
    left: int


def exclude_all(
    *, worker: User, campaign: Campaign, since: datetime, reason: str, by: User
) -> Done:
    """Exclude the votes of *worker* in *campaign* since a time, oldest first.

    Each vote is a separate transaction, so no question is locked for long. After an interruption,
    or with votes ``left``, the next call continues.
    """
    votes = Vote.objects.filter(
        worker=worker, seat__campaign=campaign, created_at__gte=since, excluded_at=None
    )
    ids = list(votes.order_by("pk").values_list("public_id", flat=True)[: AT_ONCE + 1])
    for vote_id in ids[:AT_ONCE]:
        exclude(vote_id=vote_id, reason=reason, by=by)
    return Done(done=min(len(ids), AT_ONCE), left=votes.count() if len(ids) > AT_ONCE else 0)


def _locked(vote_id: uuid.UUID) -> Vote:
    """Lock the vote's question, as casting a vote does, and return the vote."""
    questions = Question.objects.filter(votes__public_id=vote_id)
    if not questions.select_for_update(of=("self",), no_key=True).values_list("pk").first():
        raise NotFound("vote")
    rows = Vote.objects.select_related("question__twin", "seat__campaign", "worker")
    return rows.get(public_id=vote_id)


def _note(
    vote: Vote,
    action: str,
    before: dict[str, object],
    by: User,
    now: datetime,
    reason: str = "",
    *,
    seat: Seat | None = None,
) -> None:
    """Write the audit log; *seat* is the one opened in the vote's place."""
    after = audit_log.of_vote(vote)
    if seat is not None:
        after[REPLACED_BY] = str(seat.public_id)
    audit_log.write(
        question=vote.question,
        action=action,
        now=now,
        before=before,
        after=after,
        by=by,
        reason=reason or vote.exclusion_reason,
    )


def _replacement(question: Question, campaign: Campaign) -> Seat | None:
    """Open a seat in the place of a vote, if one is missing and can be paid for."""
    if _is_adjudicated(question) or campaign.status == Campaign.Status.CLOSED:
        return None
    if _missing(question) <= 0 or is_public_question(question):
        return None
    if not budget.reserve_if_left(campaign=campaign, cost=budget.cost_of_vote):
        return None
    return open_extra_seat(question=question, campaign=campaign)


def _remove_replacements(question: Question, now: datetime) -> None:
    """Remove surplus seats among those that were opened in a vote's place."""
    too_many = -_missing(question)
    if too_many <= 0:
        return
    events = question.verdict_events.filter(action=Action.VOTE_EXCLUDED)
    opened = events.order_by("-pk").values_list(f"after__{REPLACED_BY}", flat=True)
    free = Seat.objects.filter(question=question).numbered().idle(now=now)
    idle = free.filter(public_id__in=[name for name in opened if name])
    last = idle.order_by("-number").values_list("public_id", flat=True)[:too_many]
    remove_open_seats(question=question, only=set(last))


def _missing(question: Question) -> int:
    """Return how many votes a question lacks, given its counted votes and open seats."""
    n_votes = Vote.objects.filter(question=question).counting().count()
    waiting = Seat.objects.filter(question=question, answered_at=None).numbered().count()
    return question.twin.votes_per_question - n_votes - waiting


def _is_adjudicated(question: Question) -> bool:
    return Verdict.objects.filter(question=question, decided_by__isnull=False).exists()
