"""Reads of pay that know where people came from: what a crowd platform pays by itself."""

from datetime import datetime
from typing import Any

from django.db.models import CharField, Exists, OuterRef, QuerySet, Subquery
from django.db.models.functions import Cast

from collection.models import Campaign, CrowdSession, SessionCredit, Study, Twin
from workers.models import LedgerEntry, Payout, Settlement
from workers.models.ledger import LedgerQuerySet

Status = CrowdSession.Status
Provider = Payout.Provider
LEFT = (Settlement.State.EXPORTED, Settlement.State.PAID)
# Platforms' ids as they are known: another one would be refused, or spoil the file.
IDS = {Provider.PROLIFIC: r"^[0-9a-fA-F]{24}$", Provider.MTURK: r"^[A-Za-z0-9]{5,64}$"}


def credited(*statuses: str) -> Exists:
    """Whether an entry's unit counts for a session that stands so; its take-back goes with it."""
    credits = SessionCredit.objects.filter(session__status__in=statuses)
    return Exists(credits.annotate(text=Cast("unit", CharField())).filter(text=OuterRef("unit")))


def entries_for(campaign: Campaign, provider: str, now: datetime) -> LedgerQuerySet:
    """The campaign's entries that may leave in a payout of *provider*, approved or not.

    What counts for a completed session is in the reward that its platform pays, and what counts
    for one that goes on may come to be: neither is ever in a file of bonuses (docs/pay.md).
    """
    entries = LedgerEntry.objects.filter(budget=campaign.public_id)
    if provider == Provider.PLATFORM:
        return entries.filter(credited(Status.COMPLETED))
    own = entries.filter(~credited(Status.COMPLETED, Status.ACTIVE))
    if provider == Provider.ANY:
        return own
    theirs = sessions_of(campaign, provider, now).filter(participant__worker=OuterRef("worker"))
    return own.filter(Exists(theirs))


def sessions_of(campaign: Campaign, provider: str, now: datetime) -> "QuerySet[CrowdSession]":
    """The sessions that let *provider* pay a bonus to their participants at a moment.

    Prolific pays whoever took part in the study, Mechanical Turk for a submitted assignment only.
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
    """Whether more than nothing has gone out in payouts for a twin and the texts it revises.

    What was paid for an earlier text was paid for this one: revising moved it on.
    """
    texts = Twin.objects.filter(assignment=twin.assignment_id, assignment__isnull=False)
    units = [str(unit) for unit in texts.values_list("public_id", flat=True)]
    kinds = (LedgerEntry.Kind.TWIN, LedgerEntry.Kind.ADJUSTMENT)
    entries = LedgerEntry.objects.filter(worker=twin.author, kind__in=kinds, unit__in=units)
    return entries.filter(settlement__state__in=LEFT).total() > 0


def pay_is_void(twin: Twin) -> bool:
    """Whether a curator has voided what this text of the twin was paid."""
    paid = LedgerEntry.objects.filter(
        worker=twin.author, kind=LedgerEntry.Kind.TWIN, unit=str(twin.public_id)
    )
    return paid.filter(settlement__state=Settlement.State.VOID).exists()


def participants_paid(payout: Payout, study: Study | None = None) -> "QuerySet[Any]":
    """The lines of *payout* with their participants' ids, in one order for good.

    Each has ``participant`` and, where the payout goes to a platform, the newest ``session`` and
    ``study`` (keys) that the participant had there when the payout was made.
    """
    lines = payout.lines.select_related("worker").order_by("pk")
    if payout.provider not in IDS:
        return lines
    campaign = Campaign.objects.get(public_id=payout.budget)
    # By what was there then: sessions never come back once they are over.
    sessions = sessions_of(campaign, payout.provider, payout.created_at)
    newest = sessions.filter(participant__worker=OuterRef("worker")).order_by("-pk")
    found = lines.annotate(
        session=Subquery(newest.values("external_id")[:1]),
        study=Subquery(newest.values("study")[:1]),
    )
    return found if study is None else found.filter(study=study.pk)


def studies_of(payout: Payout) -> "QuerySet[Study]":
    """The studies in which Prolific's bonuses of *payout* are to be paid."""
    keys = participants_paid(payout).order_by().values_list("study", flat=True)
    return Study.objects.filter(pk__in=set(keys)).order_by("pk")
