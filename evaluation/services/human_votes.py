"""How people claim, keep and return the seats of a human evaluation, and vote."""

import uuid
from datetime import datetime, timedelta

from django.db import transaction

from collection.models import Campaign
from collection.services.campaigns.campaigns import refuse_unless_open
from collection.services.crowd import credit_unit
from collection.services.joining.access import refuse_unless_may_validate
from evaluation import selectors
from evaluation.models import HumanEvaluation, HumanSeat, ShownItem
from validation import services as validation
from validation.services.validating import leases, limits
from validation.services.validating.queries import lock_worker
from winoplatform import clock
from winoplatform.errors import DomainError, NotFound
from winoplatform.prepared import Given, Prepared, once
from workers import services as workers
from workers.models import LedgerEntry, Qualification, User


@once
def claiming() -> Prepared[HumanSeat]:
    free = HumanSeat.objects.free(now=Given("now")).filter(evaluation=Given("evaluation"))
    return leases.claiming(free.open_to(Given("worker")))


def lease_first(worker: User, evaluation: HumanEvaluation, now: datetime) -> HumanSeat | None:
    return claiming().first(
        worker=worker.pk,
        evaluation=evaluation.pk,
        now=now,
        until=_lease_end(evaluation, now),
        reward=evaluation.reward,
    )


def _lease_end(evaluation: HumanEvaluation, now: datetime) -> datetime:
    return now + timedelta(minutes=evaluation.campaign.vote_minutes)


@transaction.atomic
def claim_human_seat(*, worker: User, evaluation: HumanEvaluation) -> HumanSeat:
    """Lease the next free seat to *worker*, or return the one already held.

    A seat of a twin that its holder has validated or reviewed since is not returned again.

    Raises
    ------
    DomainError
        What ``access.refuse_unless_may_validate`` raises, ``campaign_not_open``,
        ``evaluation_not_open``, ``vote_limit``, ``daily_vote_limit``, or ``queue_empty`` with the
        reason and, if known, the time at which to try again.
    """
    is_clear, now = lock_worker(worker, evaluation.campaign)
    for mine in HumanSeat.objects.waiting().filter(worker=worker, evaluation=evaluation):
        if mine.leased_until and mine.leased_until > now and _is_fresh(mine):
            return mine
        leases.vacate(mine)
    refuse_unless_asking(evaluation)
    if not is_clear:
        refuse_unless_may_validate(worker=worker, campaign=evaluation.campaign)
    _refuse_over_limit(worker, evaluation.campaign, now)
    seat = lease_first(worker, evaluation, now)
    if seat is None:
        raise _empty(selectors.why_nothing_left(worker, evaluation, now=now))
    _note_shown(seat, worker)
    return seat


def _note_shown(seat: HumanSeat, worker: User) -> None:
    """Record that *worker* sees the item: from now on they see nothing else of its group.

    Recorded with the claim, whose lock of the account also serializes it with claims of
    validation: no claim after this one can give them the twin.
    """
    shown, is_new = ShownItem.objects.get_or_create(
        worker=worker, group_key=seat.group_key, defaults={"item_id": seat.item_id}
    )
    if is_new and seat.twin_id is not None:
        shown.passed = validation.block(worker=worker, twin_id=seat.twin_id)
        shown.save(update_fields=["passed"])


def _refuse_over_limit(worker: User, campaign: Campaign, now: datetime) -> None:
    """Apply the campaign's limits to a person's votes in its human evaluations."""
    if campaign.votes_per_worker_max is None and campaign.votes_per_day_max is None:
        return
    mine = HumanSeat.objects.filter(worker=worker, evaluation__campaign=campaign)
    limits.refuse_over_limit(
        worker=worker,
        campaign=campaign,
        held=mine.held(now=now).count(),
        now=now,
        voted=mine.filter(answered_at__isnull=False),
    )


def _is_fresh(seat: HumanSeat) -> bool:
    """Return whether the holder of a seat knows its twin from nowhere else."""
    mine = HumanSeat.objects.filter(pk=seat.pk)
    return seat.twin_id is None or mine.unknown_to(seat.worker_id).exists()


def refuse_unless_asking(evaluation: HumanEvaluation) -> None:
    """Refuse new questions while the evaluation is not open, or its campaign is paused.

    A closed campaign may still pay for an evaluation of what it has made.

    Raises
    ------
    DomainError
        ``campaign_not_open`` or ``evaluation_not_open``.
    """
    now_is = HumanEvaluation.objects.select_related("campaign").get(pk=evaluation.pk)
    if now_is.campaign.status != Campaign.Status.CLOSED:
        refuse_unless_open(now_is.campaign)
    if now_is.status != HumanEvaluation.Status.OPEN:
        raise DomainError(
            "evaluation_not_open",
            f"This evaluation is {now_is.get_status_display()}, so there are no questions at the "
            "moment.",
            status=409,
        )


def _empty(reason: selectors.NothingLeft | None) -> DomainError:
    # None: a seat became free just now.
    reason = reason or selectors.NothingLeft("all_leased")
    details = {"reason": reason.reason, "again_at": reason.again_at and reason.again_at.isoformat()}
    return DomainError("queue_empty", reason.message, status=404, details=details)


@transaction.atomic
def beat_human_seat(*, worker: User, seat_id: uuid.UUID) -> HumanSeat:
    """Extend the lease of a seat: a heartbeat of the open page.

    Raises
    ------
    DomainError
        ``not_found`` or ``lease_expired``.
    """
    now = clock.now()
    mine = HumanSeat.objects.select_related("item", "evaluation__campaign").filter(worker=worker)
    seat = mine.filter(public_id=seat_id).first()
    if seat is None:
        raise NotFound("seat")
    leases.refuse_unless_held(seat, now)
    held = HumanSeat.objects.held(now=now).filter(pk=seat.pk, worker=worker)
    leases.prolong(held, now=now, until=_lease_end(seat.evaluation, now))
    seat.refresh_from_db(fields=["leased_until"])
    return seat


@transaction.atomic
def return_human_seat(*, worker: User, seat_id: uuid.UUID) -> None:
    """Return a seat without a vote, so that others can claim it at once; it may come back.

    A question cannot be skipped: people who leave out what is hard would seem better than they
    are. Returning twice is the same as once.

    Raises
    ------
    DomainError
        ``already_voted``.
    """
    mine = HumanSeat.objects.filter(worker=worker, public_id=seat_id)
    seat = mine.select_for_update(no_key=True).first()
    if seat is not None and seat.answered_at is not None:
        raise DomainError("already_voted", "You have answered this question.", status=409)
    if seat is not None:
        leases.vacate(seat)


@transaction.atomic
def cast_human_vote(*, worker: User, seat_id: uuid.UUID, shown_option: int) -> HumanSeat:
    """Store the vote of a seat and pay the promised reward; the lease is checked again.

    After its end a vote counts while the seat is still free. A vote on a twin that the worker has
    validated or reviewed since the claim is not fresh, and is refused as one that is too late.

    Parameters
    ----------
    shown_option
        From 1, in the order shown.

    Returns
    -------
    HumanSeat
        The same vote again changes nothing and is never refused.

    Raises
    ------
    DomainError
        ``not_found``, ``lease_expired``, ``option_unknown``, or ``already_answered`` with the
        stored vote, if it is different.
    """
    seat = _locked(worker, seat_id)
    now = clock.now()
    if not 1 <= shown_option <= len(seat.order):
        raise DomainError("option_unknown", f"Choose an option from 1 to {len(seat.order)}.")
    option = seat.order[shown_option - 1]
    if seat.answered_at is not None:
        leases.refuse_other({"option": shown_vote(seat)}, {"option": shown_option})
        return seat
    leases.refuse_unless_held(seat, now, is_free=lambda: _is_free(seat))
    if not _is_fresh(seat):
        raise leases.lease_expired(HumanSeat)
    seat.option, seat.answered_at = option, now
    seat.save(update_fields=["option", "answered_at"])
    _pay(seat, worker)
    return seat


def _is_free(seat: HumanSeat) -> bool:
    """Return whether a locked seat whose lease has ended could be claimed."""
    _lock(seat.evaluation)
    try:
        refuse_unless_asking(seat.evaluation)
    except DomainError:
        return False
    return not seat.spare


def _lock(evaluation: HumanEvaluation) -> None:
    """Let a close of the evaluation wait for this vote, whose pay it would free."""
    HumanEvaluation.objects.select_for_update(no_key=True).get(pk=evaluation.pk)


def shown_vote(seat: HumanSeat) -> int | None:
    """Return the vote of a seat in the order shown."""
    return None if seat.option is None else seat.order.index(seat.option) + 1


def _locked(worker: User, seat_id: uuid.UUID) -> HumanSeat:
    mine = HumanSeat.objects.select_related("item", "evaluation__campaign").filter(worker=worker)
    seat = mine.filter(public_id=seat_id).select_for_update(of=("self",), no_key=True).first()
    if seat is None:
        raise NotFound("seat")
    return seat


def _pay(seat: HumanSeat, worker: User) -> None:
    assert seat.reward is not None  # promised at the claim
    campaign = seat.evaluation.campaign
    workers.accrue(
        worker=worker,
        kind=LedgerEntry.Kind.EVALUATION,
        unit=str(seat.public_id),
        amount=seat.reward,
        currency=campaign.currency,
        budget=campaign.public_id,
    )
    credit_unit(
        worker=worker,
        campaign=campaign,
        skill=Qualification.Skill.VALIDATE,
        unit=seat.public_id,
    )
