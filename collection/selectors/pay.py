"""The pay of a campaign, and hourly rates of writing."""

from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import Any

from django.db.models import (
    Case,
    CharField,
    Count,
    Exists,
    OuterRef,
    QuerySet,
    Subquery,
    Sum,
    Value,
    When,
)
from django.db.models.functions import Cast

from collection.core.session_reports import Report
from collection.models import Campaign, CrowdSession, Provenance, SessionCredit, Study, Twin
from workers.models import LedgerEntry, Payout, Settlement, User
from workers.models.ledger import LedgerQuerySet

Status = CrowdSession.Status
Provider = Payout.Provider
LEFT = (Settlement.State.EXPORTED, Settlement.State.PAID)
# Reports that an assignment was never submitted, so that it can carry no bonus.
NOT_SUBMITTED = (Report.RETURNED, Report.TIMED_OUT)
# The format of platforms' ids: any other would be refused, or corrupt the file.
IDS = {Provider.PROLIFIC: r"^[0-9a-fA-F]{24}$", Provider.MTURK: r"^[A-Za-z0-9]{5,64}$"}


def credited(*statuses: str) -> Exists:
    """Return a condition that an entry, or its reversal, belongs to a session in *statuses*."""
    credits = SessionCredit.objects.filter(session__status__in=statuses)
    return Exists(credits.annotate(text=Cast("unit", CharField())).filter(text=OuterRef("unit")))


def paid_by_platform() -> Exists:
    """Return a condition that a crowd platform's reward pays an entry, or will."""
    return credited(Status.COMPLETED, Status.ACTIVE)


def entries_for(campaign: Campaign, provider: str, now: datetime) -> LedgerQuerySet:
    """Return the campaign's entries that *provider* can pay in a payout, approved or not.

    Units of a completed session are paid by its platform's reward, and those of an active one may
    be: neither is ever in a file of bonuses (docs/pay.md).
    """
    if provider == Provider.PLATFORM:
        entries = LedgerEntry.objects.filter(budget=campaign.public_id)
        return entries.filter(credited(Status.COMPLETED))
    own = unrewarded(campaign)
    if provider == Provider.ANY:
        return own
    is_turk = provider == Provider.MTURK
    able = submitted(campaign, now) if is_turk else sessions_of(campaign, provider, now)
    return own.filter(sessions_with(able))


def unrewarded(campaign: Campaign) -> LedgerQuerySet:
    """Return the campaign's entries that no session's reward pays or may pay."""
    entries = LedgerEntry.objects.filter(budget=campaign.public_id)
    return entries.filter(~paid_by_platform())


def sessions_with(sessions: "QuerySet[CrowdSession]") -> Exists:
    """Return a condition that an entry's worker has one of *sessions*."""
    return Exists(sessions.filter(participant__worker=OuterRef("worker")))


def submitted(campaign: Campaign, now: datetime) -> "QuerySet[CrowdSession]":
    """Return the sessions with an assignment that Mechanical Turk can pay a bonus for."""
    completed = sessions_of(campaign, Provider.MTURK, now)
    return completed.exclude(reported__in=NOT_SUBMITTED)


def sessions_of(campaign: Campaign, provider: str, now: datetime) -> "QuerySet[CrowdSession]":
    """Return the sessions that allow *provider* to pay a bonus to their participants at a time.

    Prolific pays every participant of the study, Mechanical Turk only for a submitted assignment.
    """
    sessions = CrowdSession.objects.filter(
        study__campaign=campaign,
        study__provider=provider,
        participant__external_id__regex=IDS[Provider(provider)],
        created_at__lte=now,
    )
    if provider == Provider.MTURK:
        return sessions.filter(status=Status.COMPLETED, ended_at__lte=now)
    return sessions


def pay_has_left(twin: Twin) -> bool:
    """Return whether payouts contain a positive amount for a twin and the texts it revises.

    Pay for an earlier text counts for this one, as a revision transfers it.
    """
    texts = Twin.objects.filter(assignment=twin.assignment_id, assignment__isnull=False)
    units = [str(unit) for unit in texts.values_list("public_id", flat=True)]
    kinds = (LedgerEntry.Kind.TWIN, LedgerEntry.Kind.ADJUSTMENT)
    entries = LedgerEntry.objects.filter(worker=twin.author, kind__in=kinds, unit__in=units)
    return entries.filter(settlement__state__in=LEFT).total() > 0


def pay_is_void(twin: Twin) -> bool:
    """Return whether a curator has voided the pay of this text of the twin."""
    paid = LedgerEntry.objects.filter(
        worker=twin.author, kind=LedgerEntry.Kind.TWIN, unit=str(twin.public_id)
    )
    return paid.filter(settlement__state=Settlement.State.VOID).exists()


def participants_paid(payout: Payout, study: Study | None = None) -> "QuerySet[Any]":
    """Return the lines of *payout* with their participants' ids, in a fixed order.

    Each has ``participant`` and, if a platform pays, the newest ``session`` and ``study`` (primary
    keys) that the participant had there when the payout was created.
    """
    lines = payout.lines.select_related("worker").order_by("pk")
    if payout.provider not in IDS:
        return lines
    campaign = Campaign.objects.get(public_id=payout.budget)
    # As of the payout's creation: sessions that are over never become active again.
    sessions = sessions_of(campaign, payout.provider, payout.created_at)
    unsent = When(reported__in=NOT_SUBMITTED, reported_at__lte=payout.created_at, then=Value(1))
    mine = sessions.filter(participant__worker=OuterRef("worker"))
    newest = mine.order_by(Case(unsent, default=Value(0)), "-pk")
    paid = lines.annotate(
        session=Subquery(newest.values("external_id")[:1]),
        study=Subquery(newest.values("study")[:1]),
    )
    return paid if study is None else paid.filter(study=study.pk)


def studies_of(payout: Payout) -> "QuerySet[Study]":
    """Return the studies in which Prolific pays the bonuses of *payout*."""
    keys = participants_paid(payout).order_by().values_list("study", flat=True)
    return Study.objects.filter(pk__in=set(keys)).order_by("pk")


@dataclass(frozen=True, slots=True)
class HourlyRate:
    """The hourly rate over ``twins`` whose writing time was counted."""

    amount: Decimal
    currency: str
    twins: int
    seconds: int


def hourly_rates(worker: User) -> tuple[HourlyRate, ...]:
    """Return the pay of the worker's active twins divided by the time spent, by currency."""
    paid = LedgerEntry.objects.filter(
        worker=worker,
        kind=LedgerEntry.Kind.TWIN,
        unit=Cast(OuterRef("twin__public_id"), CharField()),
    )
    timed = Provenance.objects.filter(
        twin__author=worker, twin__withdrawn_at=None, active_seconds__gt=0
    )
    rows = (
        timed.annotate(paid=Subquery(paid.values("amount")[:1]))
        .order_by("twin__campaign__currency")
        .values_list("twin__campaign__currency")
        .annotate(Sum("paid"), Sum("active_seconds"), Count("pk"))
    )
    return tuple(
        HourlyRate(amount * 3600 / seconds, currency, twins, seconds)
        for currency, amount, seconds, twins in rows
        if amount is not None
    )
