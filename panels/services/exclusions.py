"""Soft rejection of a vote of a panel: it stays paid and is not used."""

import uuid
from datetime import datetime

from django.db import transaction
from django.db.models import Max

from collection.services.campaigns import budget
from panels.models import Enrolment, Panel, PanelItem, PanelSeat, PanelVoteEvent
from panels.services.starting import option_order
from validation.services.review import notices
from validation.services.review.exclusions import AT_ONCE, Done
from validation.services.verdicts.questions import as_reason
from winoplatform import clock
from winoplatform.errors import DomainError, NotFound
from workers.models import User

Action = PanelVoteEvent.Action


@transaction.atomic
def exclude_vote(*, vote_id: uuid.UUID, reason: str, by: User) -> PanelSeat:
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
        campaign = seat.panel.campaign
        notices.excluded(worker=seat.worker, campaign=campaign, unit=vote_id, reason=why, now=now)
    _fill(seat)
    return seat


@transaction.atomic
def restore_vote(*, vote_id: uuid.UUID, reason: str, by: User) -> PanelSeat:
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


def exclude_votes_of(*, worker: User, panel: Panel, reason: str, by: User) -> Done:
    """Exclude the votes of *worker* in a panel, oldest first.

    Each vote is a separate transaction. After an interruption, or with votes ``left``, the next
    call continues.

    Raises
    ------
    DomainError
        ``reason_missing``.
    """
    mine = PanelSeat.objects.filter(worker=worker, panel=panel, excluded_at=None)
    votes = mine.filter(answered_at__isnull=False)
    ids = list(votes.order_by("answered_at", "pk").values_list("public_id", flat=True))
    for vote_id in ids[:AT_ONCE]:
        exclude_vote(vote_id=vote_id, reason=reason, by=by)
    return Done(done=min(len(ids), AT_ONCE), left=max(0, len(ids) - AT_ONCE))


def _locked(vote_id: uuid.UUID) -> PanelSeat:
    """Lock the vote's item, so that changes of its seats take turns, and return the vote."""
    items = PanelItem.objects.filter(seats__public_id=vote_id, seats__answered_at__isnull=False)
    if not items.select_for_update(of=("self",), no_key=True).values_list("pk").first():
        raise NotFound("vote")
    rows = PanelSeat.objects.select_related("item", "panel__campaign", "worker")
    return rows.get(public_id=vote_id)


def _mark(seat: PanelSeat, action: str, reason: str, by: User) -> datetime:
    """Exclude or restore the vote now, with an entry in the audit log."""
    now = clock.now()
    seat.excluded_at, seat.excluded_by, seat.exclusion_reason = None, None, ""
    if action == Action.EXCLUDED:
        seat.excluded_at, seat.excluded_by, seat.exclusion_reason = now, by, reason
    seat.save(update_fields=["excluded_at", "excluded_by", "exclusion_reason"])
    PanelVoteEvent.objects.create(seat=seat, action=action, by=by, reason=reason, created_at=now)
    return now


def _fill(vote: PanelSeat) -> None:
    """Open seats until the item can get all its votes; a spare seat counts again first."""
    seats = PanelSeat.objects.filter(item=vote.item, excluded_at=None)
    missing = vote.panel.votes_per_item - seats.filter(spare=False).count()
    for spare in seats.filter(spare=True).order_by("number")[: max(0, missing)]:
        PanelSeat.objects.filter(pk=spare.pk).update(spare=False)
        missing -= 1
    status = Panel.objects.values_list("status", flat=True).get(pk=vote.panel_id)
    while missing > 0 and status in Panel.ACTIVE and _reserve(vote):
        _open_another(vote)
        missing -= 1


def _reserve(vote: PanelSeat) -> bool:
    pay = vote.panel.pay_of(vote.place)
    return budget.reserve_if_left(campaign=vote.panel.campaign, cost=lambda _: pay)


def _open_another(vote: PanelSeat) -> None:
    """Open a seat like that of *vote*, with a new random order of the options.

    Its number is new, and in a panel of enrolments that of a further person, who answers in place
    of the one whose votes are excluded.
    """
    last = PanelSeat.objects.filter(item=vote.item).aggregate(last=Max("number"))["last"]
    number = last + 1
    if not vote.panel.is_queue:
        # Two exclusions at once enrol the same further person.
        enrolment = Enrolment(panel=vote.panel, number=number)
        Enrolment.objects.bulk_create([enrolment], ignore_conflicts=True)
    PanelSeat.objects.create(
        panel=vote.panel,
        item=vote.item,
        number=number,
        place=vote.place,
        group_key=vote.group_key,
        twin_id=vote.twin_id,
        author_id=vote.author_id,
        other_author_id=vote.other_author_id,
        order=option_order(vote.item.item),
    )


def _reduce(restored: PanelSeat) -> None:
    """Take seats that are too many out of use, the last ones first; *restored* stays."""
    seats = PanelSeat.objects.filter(item=restored.item, excluded_at=None, spare=False)
    surplus = seats.count() - restored.panel.votes_per_item
    others = seats.exclude(pk=restored.pk).order_by("-number")
    # A seat that is locked by a claim is about to be held.
    idle = others.idle(now=clock.now()).select_for_update(skip_locked=True, no_key=True)
    unused = [seat.pk for seat in idle[: max(0, surplus)]]
    PanelSeat.objects.filter(pk__in=unused).delete()
    _end_unneeded(restored.panel)
    for seat in others[: max(0, surplus - len(unused))]:
        PanelSeat.objects.filter(pk=seat.pk).update(spare=True)


def _end_unneeded(panel: Panel) -> None:
    """Delete the free enrolments that have no seat left to answer."""
    waiting = PanelSeat.objects.waiting().filter(panel=panel).values("number")
    Enrolment.objects.free().filter(panel=panel).exclude(number__in=waiting).delete()
