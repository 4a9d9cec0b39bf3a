"""Soft rejection of a vote of a human evaluation: it stays paid and is not used."""

import uuid
from datetime import datetime

from django.db import transaction
from django.db.models import Max

from collection.services.campaigns import budget
from evaluation.models import HumanEvaluation, HumanItem, HumanSeat, HumanVoteEvent
from evaluation.services.human import option_order
from validation.services.review import notices
from validation.services.review.exclusions import AT_ONCE, Done
from validation.services.verdicts.questions import as_reason
from winoplatform import clock
from winoplatform.errors import DomainError, NotFound
from workers.models import User

Action = HumanVoteEvent.Action


@transaction.atomic
def exclude_human_vote(*, vote_id: uuid.UUID, reason: str, by: User) -> HumanSeat:
    """Exclude a vote and tell its worker why; it stays paid.

    A further seat is opened in its place, unless the evaluation is closed or the budget has too
    little left. Excluding again changes nothing, but opens a seat that could not be paid before.

    Parameters
    ----------
    vote_id
        Public id of the seat.
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
    seat = _locked(vote_id)
    if seat.excluded_at is None:
        now = _mark(seat, Action.EXCLUDED, why, by)
        assert seat.worker is not None
        campaign = seat.evaluation.campaign
        notices.excluded(worker=seat.worker, campaign=campaign, unit=vote_id, reason=why, now=now)
    _fill(seat)
    return seat


@transaction.atomic
def restore_human_vote(*, vote_id: uuid.UUID, reason: str, by: User) -> HumanSeat:
    """Restore an excluded vote. Restoring it again changes nothing.

    The seat that was opened in its place is deleted. Once it is held or has a vote, it becomes
    spare: its vote is paid and not used, so that the item has no vote too many.

    Raises
    ------
    DomainError
        ``not_found``.
    """
    seat = _locked(vote_id)
    if seat.excluded_at is None:
        return seat
    _mark(seat, Action.RESTORED, as_reason(reason), by)
    assert seat.worker is not None
    notices.restored(worker=seat.worker, unit=vote_id)
    _reduce(seat)
    return seat


def exclude_human_votes_of(
    *, worker: User, evaluation: HumanEvaluation, reason: str, by: User
) -> Done:
    """Exclude the votes of *worker* in an evaluation, oldest first.

    Each vote is a separate transaction. After an interruption, or with votes ``left``, the next
    call continues.

    Raises
    ------
    DomainError
        ``reason_missing``.
    """
    mine = HumanSeat.objects.filter(worker=worker, evaluation=evaluation, excluded_at=None)
    votes = mine.filter(answered_at__isnull=False)
    ids = list(votes.order_by("answered_at", "pk").values_list("public_id", flat=True))
    for vote_id in ids[:AT_ONCE]:
        exclude_human_vote(vote_id=vote_id, reason=reason, by=by)
    return Done(done=min(len(ids), AT_ONCE), left=max(0, len(ids) - AT_ONCE))


def _locked(vote_id: uuid.UUID) -> HumanSeat:
    """Lock the vote's item, so that changes of its seats take turns, and return the vote."""
    items = HumanItem.objects.filter(seats__public_id=vote_id, seats__answered_at__isnull=False)
    if not items.select_for_update(of=("self",), no_key=True).values_list("pk").first():
        raise NotFound("vote")
    rows = HumanSeat.objects.select_related("item", "evaluation__campaign", "worker")
    return rows.get(public_id=vote_id)


def _mark(seat: HumanSeat, action: str, reason: str, by: User) -> datetime:
    """Exclude or restore the vote now, with an entry in the audit log."""
    now = clock.now()
    seat.excluded_at, seat.excluded_by, seat.exclusion_reason = None, None, ""
    if action == Action.EXCLUDED:
        seat.excluded_at, seat.excluded_by, seat.exclusion_reason = now, by, reason
    seat.save(update_fields=["excluded_at", "excluded_by", "exclusion_reason"])
    HumanVoteEvent.objects.create(seat=seat, action=action, by=by, reason=reason, created_at=now)
    return now


def _fill(vote: HumanSeat) -> None:
    """Open seats until the item can get all its votes; a spare seat counts again first."""
    seats = HumanSeat.objects.filter(item=vote.item, excluded_at=None)
    missing = vote.evaluation.votes_per_item - seats.filter(spare=False).count()
    for spare in seats.filter(spare=True).order_by("number")[: max(0, missing)]:
        HumanSeat.objects.filter(pk=spare.pk).update(spare=False)
        missing -= 1
    status = HumanEvaluation.objects.values_list("status", flat=True).get(pk=vote.evaluation_id)
    while missing > 0 and status in HumanEvaluation.ACTIVE and _reserve(vote.evaluation):
        _open_another(vote)
        missing -= 1


def _reserve(evaluation: HumanEvaluation) -> bool:
    return budget.reserve_if_left(campaign=evaluation.campaign, cost=lambda _: evaluation.reward)


def _open_another(vote: HumanSeat) -> None:
    """Open a seat like that of *vote*, with a new random order of the options."""
    last = HumanSeat.objects.filter(item=vote.item).aggregate(last=Max("number"))["last"]
    HumanSeat.objects.create(
        evaluation=vote.evaluation,
        item=vote.item,
        number=last + 1,
        place=vote.place,
        group_key=vote.group_key,
        twin_id=vote.twin_id,
        author_id=vote.author_id,
        order=option_order(vote.item.item),
    )


def _reduce(restored: HumanSeat) -> None:
    """Take seats that are too many out of use, the last ones first; *restored* stays."""
    seats = HumanSeat.objects.filter(item=restored.item, excluded_at=None, spare=False)
    surplus = seats.count() - restored.evaluation.votes_per_item
    others = seats.exclude(pk=restored.pk).order_by("-number")
    # A seat that is locked by a claim is about to be held.
    idle = others.idle(now=clock.now()).select_for_update(skip_locked=True, no_key=True)
    unused = [seat.pk for seat in idle[: max(0, surplus)]]
    HumanSeat.objects.filter(pk__in=unused).delete()
    for seat in others[: max(0, surplus - len(unused))]:
        HumanSeat.objects.filter(pk=seat.pk).update(spare=True)
