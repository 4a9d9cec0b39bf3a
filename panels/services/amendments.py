"""Amendments: people may change their last answer until the next one."""

import uuid
from datetime import datetime

from django.db import transaction

from collection.models import Campaign
from collection.selectors.consents import is_withdrawn
from panels.models import Panel, PanelSeat
from panels.services.seats import lock_panel, locked, option_of
from validation.services.validating.amendments import UNDO_FOR, undo_over
from winoplatform import clock
from workers.models import User


@transaction.atomic
def amend_vote(
    *, worker: User, seat_id: uuid.UUID, shown_option: int, fails: str = "", report: str = ""
) -> PanelSeat:
    """Replace the worker's last answer; its pay and its time stay, and the first one is kept.

    Parameters are those of ``cast_vote``. The stored answer again changes nothing and is never
    refused.

    Raises
    ------
    DomainError
        ``not_found``, ``option_unknown``, ``fails_unknown``, or ``undo_over``: the worker has
        answered another question of the panel or withdrawn from the campaign, ``UNDO_FOR`` has
        passed, the panel is closed or the vote excluded.
    """
    seat = locked(worker, seat_id)
    option = option_of(seat, shown_option, fails)
    if (seat.option, seat.fails, seat.report) == (option, fails, report):
        return seat
    lock_panel(seat.panel)
    seat.panel.refresh_from_db(fields=["status"])
    now = clock.now()
    if not _may_be_amended(seat, now):
        raise undo_over()
    if seat.amended_at is None:
        seat.first_option = seat.option
    seat.option, seat.fails, seat.report, seat.amended_at = option, fails, report, now
    seat.clean_fields(exclude={"worker", "item", "panel"})
    seat.save(update_fields=["option", "fails", "report", "first_option", "amended_at"])
    return seat


def amendable(*, worker: User, panel: Panel) -> PanelSeat | None:
    """Return the seat whose answer *worker* may still change; None if it is too late."""
    mine = PanelSeat.objects.filter(worker=worker, panel=panel, answered_at__isnull=False)
    last = mine.select_related("item", "panel__campaign").order_by("-answered_at", "-pk").first()
    return last if last is not None and _may_be_amended(last, clock.now()) else None


def _may_be_amended(seat: PanelSeat, now: datetime) -> bool:
    if seat.answered_at is None or seat.excluded_at is not None:
        return False
    if now - seat.answered_at > UNDO_FOR or seat.panel.status not in Panel.ACTIVE:
        return False
    withdrawn = is_withdrawn(seat.worker_id, seat.panel.campaign_id)
    if Campaign.objects.filter(withdrawn, pk=seat.panel.campaign_id).exists():
        return False
    mine = PanelSeat.objects.filter(worker=seat.worker, panel=seat.panel)
    return not mine.filter(answered_at__gt=seat.answered_at).exists()
