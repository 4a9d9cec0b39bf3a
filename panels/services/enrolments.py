"""How people enrol in a panel, and leave it."""

from datetime import datetime

from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import Q

from collection.models import Campaign
from collection.services.campaigns import campaigns
from collection.services.joining.access import refuse_unless_may_validate
from collection.services.joining.withdrawal import refuse_if_withdrawn
from panels.adapters import adapter_of
from panels.models import Enrolment, Panel, PanelSeat
from validation.services.validating import leases
from validation.services.validating.statements import lock_worker
from winoplatform import clock
from winoplatform.db.prepared import Placeholder, Prepared, once
from winoplatform.errors import Conflict
from workers.models import User


@once
def enrolling() -> "Prepared[Enrolment]":
    """Return the statement that gives ``worker`` the first free enrolment of ``panel``."""
    free = Enrolment.objects.free().filter(panel=Placeholder("panel")).order_by("number", "pk")
    first = free.select_for_update(of=("self",), skip_locked=True, no_key=True)[:1]
    return Prepared(first, worker=Placeholder("worker"), enrolled_at=Placeholder("now"))


@transaction.atomic
def enrol(*, worker: User, panel: Panel) -> Enrolment:
    """Enrol *worker* under the first free number, or return their enrolment.

    Raises
    ------
    DomainError
        What ``access.refuse_unless_may_validate`` raises, ``no_enrolments`` for a queue,
        ``consent_withdrawn``, ``evaluation_not_open``, ``author_of_set``, ``enrolment_ended``,
        ``set_is_full``, or what the panel's adapter raises.
    """
    if panel.is_queue:
        raise Conflict("no_enrolments", "Nobody enrols here: get a question.")
    is_clear, now = lock_worker(worker, panel.campaign)
    mine = Enrolment.objects.filter(worker=worker, panel=panel).first()
    if mine is not None and mine.ended_at is None:
        return mine
    refuse_unless_asking(panel)
    if not is_clear:
        refuse_unless_may_validate(worker=worker, campaign=panel.campaign)
    if mine is not None:
        raise Conflict("enrolment_ended", "You have left this set.")
    # Again, now that the account is locked: the first check was of the state before.
    refuse_if_withdrawn(worker=worker, campaign=panel.campaign)
    adapter_of(panel).refuse_who_knows(worker, panel)
    _refuse_authors(worker, panel)
    return _first_free(worker, panel, now)


def _first_free(worker: User, panel: Panel, now: datetime) -> Enrolment:
    enrolment = enrolling().first(worker=worker.pk, panel=panel.pk, now=now)
    if enrolment is None:
        raise Conflict("set_is_full", "This set has all its annotators.")
    return enrolment


def _refuse_authors(worker: User, panel: Panel) -> None:
    """Refuse who wrote an item: they would lack some of the answers."""
    seats = PanelSeat.objects.filter(panel=panel)
    if seats.filter(Q(author=worker) | Q(other_author=worker)).exists():
        raise Conflict(
            "author_of_set",
            "You wrote a sentence or formula of this set, so others answer about it.",
        )


def refuse_unless_asking(panel: Panel) -> None:
    """Refuse new questions while the panel is not open, or its campaign is paused.

    A closed campaign may still pay for answers about what it has made.

    Raises
    ------
    DomainError
        ``campaign_not_open`` or ``evaluation_not_open``.
    """
    now_is = Panel.objects.select_related("campaign").get(pk=panel.pk)
    if now_is.campaign.status != Campaign.Status.CLOSED:
        campaigns.refuse_unless_open(now_is.campaign)
    if now_is.status != Panel.Status.OPEN:
        raise Conflict(
            "evaluation_not_open",
            f"This evaluation is {now_is.get_status_display()}, so there are no questions at the "
            "moment.",
        )


@transaction.atomic
def end_enrolment(*, enrolment: Enrolment) -> None:
    """End an enrolment: its held seat is freed, and another worker may take the number.

    Answers and their pay stand. A finished or free enrolment does not end.

    Raises
    ------
    ValidationError
        When nobody has taken it, or all its answers are given.
    """
    row = Enrolment.objects.select_for_update(no_key=True).get(pk=enrolment.pk)
    if row.ended_at is not None:
        return
    seats = PanelSeat.objects.filter(panel=row.panel_id, number=row.number).waiting()
    if row.worker_id is None or not seats.exists():
        raise ValidationError("Only an enrolment with open answers can end.")
    leases.vacate_all(seats.filter(worker=row.worker_id))
    row.ended_at = clock.now()
    row.save(update_fields=["ended_at"])
    Enrolment.objects.create(panel_id=row.panel_id, number=row.number)


def end_enrolments_of(worker: User, campaign: Campaign | None) -> None:
    """End a worker's enrolments with open answers, in one campaign or all; others take over."""
    rows = Enrolment.objects.active().filter(worker=worker).order_by("pk")
    for row in rows if campaign is None else rows.filter(panel__campaign=campaign):
        waiting = PanelSeat.objects.filter(panel=row.panel_id, number=row.number).waiting()
        if waiting.exists():
            end_enrolment(enrolment=row)
