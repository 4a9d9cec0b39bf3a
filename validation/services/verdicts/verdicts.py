"""Deciding a question from its votes."""

from collections.abc import Sequence
from datetime import datetime

from collection.models import Campaign, Question
from collection.services.campaigns import budget
from validation.core.verdicts import Ballot, Decision, Policy, decide
from validation.core.votes import wants_another
from validation.models import Verdict, VerdictEvent, Vote
from validation.services.review import audit_log, cases
from validation.services.validating import statements
from validation.services.validating.seats import open_extra_seat, remove_open_seats
from validation.services.verdicts import growing

Action = VerdictEvent.Action


def settle(*, question: Question, campaign: Campaign, now: datetime) -> None:
    """Decide *question*, whose row is locked, if all its numbered seats have votes.

    Called after every change of its votes. A verdict by votes exists exactly while no numbered seat
    is open. If validators differ and another vote could change the verdict, another seat is opened
    instead, up to the campaign's cap and budget. A curator's verdict stands; its counts are
    updated. In a closed campaign, a question with its usual number of votes waits for no more.
    That number and the policy are those under which its twin was submitted.
    """
    seats, has_verdict = statements.seats_of(question)
    waiting = [(worker, until) for worker, until, has_voted in seats if not has_voted]
    if waiting and len(seats) - len(waiting) < question.twin.votes_per_question:
        return
    votes = statements.votes_of(question)
    verdict = _verdict_of(question) if has_verdict else None
    if verdict is not None and verdict.decided_by_id is not None:
        _note(verdict, question, votes, now)
        return
    if waiting and campaign.status == Campaign.Status.CLOSED:
        # No longer handed out; a holder may still finish, and then the votes decide again.
        remove_open_seats(question=question, free_at=now)
    elif waiting and not _is_idle(question, campaign, votes, waiting, now):
        return
    if not waiting and _asks_another(question, campaign, votes, verdict, now):
        return
    if votes:
        _decide(question, campaign, votes, verdict, now)
    else:
        undo(question=question, action=Action.REOPENED, now=now, reason="All votes are excluded.")


def ballots_of(votes: Sequence[Vote]) -> list[Ballot]:
    """Return the parts of votes that a verdict uses."""
    return [Ballot(vote.option, vote.ambiguous, vote.local_option) for vote in votes]


def most_votes(question: Question, campaign: Campaign) -> int:
    """Return how many votes a question may get without a curator's request."""
    return question.twin.votes_per_question + campaign.extra_votes_max


def undo(*, question: Question, action: str, now: datetime, **event: object) -> None:
    """Delete the verdict of *question*, whose row is locked: it waits for votes again."""
    verdict = _verdict_of(question)
    if verdict is None and action == Action.REOPENED:
        return
    before = audit_log.of_verdict(verdict)
    if verdict is not None:
        verdict.delete()
        growing.retire_if_gold(question=question, now=now)
    audit_log.write(question=question, action=action, now=now, before=before, after=None, **event)  # type: ignore[arg-type]


def _verdict_of(question: Question) -> Verdict | None:
    return Verdict.objects.filter(question=question).select_related("decided_by").first()


def _wants_vote(question: Question, campaign: Campaign, votes: Sequence[Vote]) -> bool:
    return bool(campaign.extra_votes_max and votes) and wants_another(
        ballots_of(votes),
        answer=question.answer,
        policy=Policy(question.twin.verdict_policy),
        most=most_votes(question, campaign),
    )


def _is_idle(
    question: Question,
    campaign: Campaign,
    votes: Sequence[Vote],
    waiting: Sequence[tuple[int | None, datetime | None]],
    now: datetime,
) -> bool:
    """Remove a free extra seat that an amended vote made unnecessary; return if none is open now.

    A seat is kept if it is held, requested by a curator, or replaces an excluded vote: these are
    needed whatever the votes say.
    """
    if any(worker is not None and until and until > now for worker, until in waiting):
        return False
    events = VerdictEvent.objects.filter(question=question, action=Action.ASKED_ONE_MORE)
    last = events.order_by("-pk").first()
    by_votes = last is not None and last.by_id is None and len(waiting) == 1
    replaced = Vote.objects.filter(question=question, excluded_at__isnull=False).exists()
    if not by_votes or replaced or _wants_vote(question, campaign, votes):
        return False
    remove_open_seats(question=question)
    return True


def _asks_another(
    question: Question,
    campaign: Campaign,
    votes: Sequence[Vote],
    verdict: Verdict | None,
    now: datetime,
) -> bool:
    """Open one more seat if it could change the verdict and the campaign can pay for it."""
    if campaign.status == Campaign.Status.CLOSED or not _wants_vote(question, campaign, votes):
        return False
    if not budget.reserve_if_left(campaign=campaign, cost=budget.cost_of_vote):
        return False
    open_extra_seat(question=question, campaign=campaign)
    decision = decided(question, votes)
    reason = "The validators differ, and another vote could change the verdict."
    undo(question=question, action=Action.ASKED_ONE_MORE, now=now, reason=reason)
    cases.review(question=question, counts=decision.counts, valid=decision.valid)
    return True


def decided(question: Question, votes: Sequence[Vote]) -> Decision:
    """Return the decision of votes under the policy of the question."""
    policy = Policy(question.twin.verdict_policy)
    return decide(ballots_of(votes), answer=question.answer, policy=policy)


def _decide(
    question: Question,
    campaign: Campaign,
    votes: Sequence[Vote],
    verdict: Verdict | None,
    now: datetime,
) -> None:
    decision = decided(question, votes)
    before = audit_log.of_verdict(verdict)
    verdict = verdict or Verdict(question=question)
    verdict.policy, verdict.version = decision.policy, decision.version
    verdict.valid, verdict.reasons = decision.valid, list(map(str, decision.reasons))
    verdict.counts = decision.counts
    after = audit_log.of_verdict(verdict)
    if before != after:
        verdict.created_at = now
        verdict.save()
        audit_log.write(
            question=question, action=Action.DECIDED_BY_VOTES, now=now, before=before, after=after
        )
        growing.after_verdict(question=question, campaign=campaign, votes=votes, now=now)
    cases.review(question=question, counts=decision.counts, valid=decision.valid)


def _note(verdict: Verdict, question: Question, votes: Sequence[Vote], now: datetime) -> None:
    """Keep a curator's verdict, and update its counts from the votes."""
    counts = decided(question, votes).counts if votes else {}
    if counts != verdict.counts:
        before = audit_log.of_verdict(verdict)
        verdict.counts = counts
        verdict.save(update_fields=["counts"])
        after = audit_log.of_verdict(verdict)
        audit_log.write(question=question, action=Action.NOTED, now=now, before=before, after=after)
    cases.review(question=question, counts=counts, valid=verdict.valid)
