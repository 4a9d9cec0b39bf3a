"""How people claim, keep and return the seats of a panel, and vote."""

import uuid
from datetime import datetime, timedelta
from decimal import Decimal

from django.db import transaction

from collection.models import Campaign
from collection.selectors.consents import is_withdrawn
from collection.services.crowd import credit_unit
from collection.services.joining.access import refuse_unless_may_validate
from panels import selectors
from panels.adapters import adapter_of
from panels.models import Enrolment, Panel, PanelSeat, ShownItem
from panels.services.enrolments import refuse_unless_asking
from validation import services as validation
from validation.services.validating import leases, limits
from validation.services.validating.statements import lock_worker
from winoplatform import clock
from winoplatform.db.prepared import Placeholder, Prepared, once
from winoplatform.errors import Conflict, DomainError, existing
from winoplatform.metrics import counting, events
from workers import services as workers
from workers.models import Qualification, User


@once
def claiming(mode: str) -> Prepared[PanelSeat]:
    free = PanelSeat.objects.free(now=Placeholder("now")).filter(panel=Placeholder("panel"))
    if mode == Panel.Mode.ENROLMENTS:
        free = free.filter(number=Placeholder("number"))
    # Again, now that the account is locked: the first check was of the state before.
    has_left = is_withdrawn(Placeholder("worker"), Placeholder("campaign"))
    return leases.claiming(free.open_to(Placeholder("worker")).exclude(has_left))


def lease_first(
    worker: User, panel: Panel, now: datetime, *, number: int | None, reward: Decimal
) -> PanelSeat | None:
    return claiming(panel.mode).first(
        worker=worker.pk,
        panel=panel.pk,
        campaign=panel.campaign_id,
        number=number,
        now=now,
        until=_lease_end(panel, now),
        reward=reward,
    )


def _lease_end(panel: Panel, now: datetime) -> datetime:
    return now + timedelta(minutes=panel.campaign.vote_minutes)


@counting.timed(events.CLAIM_SECONDS, "panelseat")
@transaction.atomic
def claim_seat(*, worker: User, panel: Panel) -> PanelSeat:
    """Lease the next free seat to *worker*, or return the one already held.

    A seat of a twin that its holder has validated or reviewed since is not returned again.

    Raises
    ------
    DomainError
        What ``access.refuse_unless_may_validate`` and the panel's adapter raise, ``not_enrolled``,
        ``campaign_not_open``, ``evaluation_not_open``, ``vote_limit``, ``daily_vote_limit``, or
        ``queue_empty`` with the reason and, if known, the time at which to try again.
    """
    is_clear, now = lock_worker(worker, panel.campaign)
    for mine in PanelSeat.objects.waiting().filter(worker=worker, panel=panel):
        if mine.leased_until and mine.leased_until > now and _is_fresh(mine):
            return mine
        leases.vacate(mine)
    number = None if panel.is_queue else _number_of(worker, panel)
    refuse_unless_asking(panel)
    if not is_clear:
        refuse_unless_may_validate(worker=worker, campaign=panel.campaign)
    if number is None:
        adapter_of(panel).refuse_who_knows(worker, panel)
        _refuse_over_limit(worker, panel.campaign, now)
    reward = panel.pay_of(0) if number is None else _next_reward(panel, number, now)
    seat = None if reward is None else lease_first(worker, panel, now, number=number, reward=reward)
    if seat is None:
        raise _empty(selectors.why_nothing_left(worker, panel, now=now))
    if seat.left_by is not None:
        counting.count(events.LEASES_EXPIRED, "panelseat")
    if number is None:
        _note_shown(seat, worker)
    return seat


def _number_of(worker: User, panel: Panel) -> int:
    """Return the number of a worker's enrolment.

    It is locked, so that it does not end between this and the lease.
    """
    active = Enrolment.objects.active().select_for_update(no_key=True)
    enrolment = active.filter(worker=worker, panel=panel).first()
    if enrolment is None:
        raise Conflict("not_enrolled", "Take part in this set first.")
    return enrolment.number


def _next_reward(panel: Panel, number: int, now: datetime) -> Decimal | None:
    """Return what an enrolment's next answer pays; None after the last."""
    free = PanelSeat.objects.free(now=now).filter(panel=panel, number=number)
    place = free.in_order().values_list("place", flat=True).first()
    return None if place is None else panel.pay_of(place)


def _note_shown(seat: PanelSeat, worker: User) -> None:
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
    """Apply the campaign's limits to a person's votes in its queues.

    Who has enrolled answers every item, however many there are.
    """
    if campaign.votes_per_worker_max is None and campaign.votes_per_day_max is None:
        return
    mine = PanelSeat.objects.filter(worker=worker, panel__mode=Panel.Mode.QUEUE)
    mine = mine.in_campaign(campaign)
    limits.refuse_over_limit(
        worker=worker,
        campaign=campaign,
        held=mine.held(now=now).count(),
        now=now,
        voted=mine.filter(answered_at__isnull=False),
    )


def _is_fresh(seat: PanelSeat) -> bool:
    """Return whether the holder of a seat knows its twin from nowhere else."""
    mine = PanelSeat.objects.filter(pk=seat.pk)
    return seat.twin_id is None or mine.unknown_to(seat.worker_id).exists()


def _empty(reason: selectors.NothingLeft | None) -> DomainError:
    # None: a seat became free just now.
    reason = reason or selectors.NothingLeft("all_leased")
    details = {"reason": reason.reason, "again_at": reason.again_at and reason.again_at.isoformat()}
    return DomainError("queue_empty", reason.message, status=404, details=details)


@transaction.atomic
def beat_seat(*, worker: User, seat_id: uuid.UUID) -> PanelSeat:
    """Extend the lease of a seat: a heartbeat of the open page.

    Raises
    ------
    DomainError
        ``not_found`` or ``lease_expired``.
    """
    now = clock.now()
    mine = PanelSeat.objects.select_related("item", "panel__campaign").filter(worker=worker)
    seat = existing(mine.filter(public_id=seat_id).first(), "seat")
    leases.refuse_unless_held(seat, now)
    held = PanelSeat.objects.held(now=now).filter(pk=seat.pk, worker=worker)
    leases.prolong(held, now=now, until=_lease_end(seat.panel, now))
    seat.refresh_from_db(fields=["leased_until"])
    return seat


@transaction.atomic
def return_seat(*, worker: User, seat_id: uuid.UUID) -> None:
    """Return a seat without a vote, so that others can claim it at once; it may come back.

    A question cannot be skipped: people who leave out what is hard would seem better than they
    are. Returning twice is the same as once.

    Raises
    ------
    DomainError
        ``already_voted``.
    """
    mine = PanelSeat.objects.filter(worker=worker, public_id=seat_id)
    seat = mine.select_for_update(no_key=True).first()
    if seat is not None and seat.answered_at is not None:
        raise Conflict("already_voted", "You have answered this question.")
    if seat is not None:
        leases.vacate(seat)


@transaction.atomic
def cast_vote(
    *, worker: User, seat_id: uuid.UUID, shown_option: int, fails: str = "", report: str = ""
) -> PanelSeat:
    """Store the vote of a seat and pay the promised reward; the lease is checked again.

    After its end a vote counts while the seat is still free. A vote on a twin that the worker has
    validated or reviewed since the claim is not fresh, and is refused as one that is too late.

    Parameters
    ----------
    shown_option
        From 1, in the order shown.
    fails
        With the second option, where the panel asks for it: what fails; see ``PanelSeat.Fails``.
    report
        A problem with the item, as in a vote of validation.

    Returns
    -------
    PanelSeat
        The same vote again changes nothing and is never refused.

    Raises
    ------
    DomainError
        ``not_found``, ``lease_expired``, ``option_unknown``, ``fails_unknown``, or
        ``already_answered`` with the stored vote, if it is different.
    """
    seat = locked(worker, seat_id)
    now = clock.now()
    option = option_of(seat, shown_option, fails)
    if seat.answered_at is not None:
        stands = {"option": shown_vote(seat), "fails": seat.fails, "report": seat.report}
        again = {"option": shown_option, "fails": fails, "report": report}
        leases.refuse_other(stands, again)
        return seat
    leases.refuse_unless_held(seat, now, is_free=lambda: _is_free(seat))
    if not _is_fresh(seat):
        raise leases.lease_expired(PanelSeat)
    seat.option, seat.fails, seat.report, seat.answered_at = option, fails, report, now
    seat.clean_fields(exclude={"worker", "item", "panel"})
    seat.save(update_fields=["option", "fails", "report", "answered_at"])
    _pay(seat, worker)
    return seat


def option_of(seat: PanelSeat, shown_option: int, fails: str) -> int:
    """Return the option chosen, numbered as in the item."""
    if not 1 <= shown_option <= len(seat.order):
        raise DomainError("option_unknown", f"Choose an option from 1 to {len(seat.order)}.")
    option = seat.order[shown_option - 1]
    may_fail = option == 2 and adapter_of(seat.panel).says_what_fails
    if fails and not (may_fail and fails in PanelSeat.Fails.values):
        raise DomainError("fails_unknown", "Only an answer of no says what fails.")
    return option


def _is_free(seat: PanelSeat) -> bool:
    """Return whether a locked seat whose lease has ended could be claimed."""
    lock_panel(seat.panel)
    try:
        refuse_unless_asking(seat.panel)
    except DomainError:
        return False
    return not seat.spare


def lock_panel(panel: Panel) -> None:
    """Let a close of the panel wait for this vote, whose pay it would free."""
    Panel.objects.select_for_update(no_key=True).get(pk=panel.pk)


def shown_vote(seat: PanelSeat) -> int | None:
    """Return the vote of a seat in the order shown."""
    return None if seat.option is None else seat.order.index(seat.option) + 1


def locked(worker: User, seat_id: uuid.UUID) -> PanelSeat:
    """Return a seat of *worker*, locked; ``not_found`` if it is not theirs."""
    mine = PanelSeat.objects.select_related("item", "panel__campaign").filter(worker=worker)
    return existing(
        mine.filter(public_id=seat_id).select_for_update(of=("self",), no_key=True).first(), "seat"
    )


def _pay(seat: PanelSeat, worker: User) -> None:
    assert seat.reward is not None  # promised at the claim
    campaign = seat.panel.campaign
    workers.accrue(
        worker=worker,
        kind=seat.panel.pay_kind,
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
