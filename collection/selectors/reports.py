"""What crowd platforms report about sessions, where it contradicts how they are paid here."""

import hashlib
from collections.abc import Iterable
from datetime import datetime
from decimal import Decimal
from typing import Any

from django.db.models import CharField, Exists, OuterRef, Q, QuerySet, Sum
from django.db.models.functions import Cast, Coalesce

from collection.core.session_reports import LEFT, REWARDED, Report
from collection.models import Campaign, CrowdSession, SessionCredit
from collection.selectors.crowd import with_pay
from collection.selectors.pay import sessions_with, submitted, unrewarded
from winoplatform import clock
from workers.models import LedgerEntry, Payout, User

Status = CrowdSession.Status
# Completed here, but the platform does not pay the reward, or not all of it.
REWARD_MISSING = Q(status=Status.COMPLETED, reported__in=(*LEFT, Report.PARTIALLY_APPROVED))
# Paid by a bonus here, but the platform pays the reward as well, or its requester refused the work.
BONUS_DOUBTFUL = Q(reported=Report.REJECTED) | (
    ~Q(status=Status.COMPLETED) & Q(reported__in=REWARDED)
)


def contradicted(campaign: Campaign) -> "QuerySet[CrowdSession]":
    """Return the campaign's sessions with pay whose report contradicts how they are paid."""
    doubtful = CrowdSession.objects.filter(REWARD_MISSING | BONUS_DOUBTFUL)
    paid: Any = with_pay(doubtful.filter(study__campaign=campaign))
    return _with_people(paid.filter(pay__gt=0))


def contradicted_in(payout: Payout) -> "QuerySet[CrowdSession]":
    """Return the sessions whose report contradicts that *payout* pays for them.

    A payout by the platform contradicts a report that the reward is not paid; any other one
    contradicts a report that it is, or that the work was rejected.
    """
    here = CrowdSession.objects.filter(study__campaign__public_id=payout.budget)
    entries = LedgerEntry.objects.filter(settlement__payout=payout)
    if payout.provider == Payout.Provider.PLATFORM:
        credits = SessionCredit.objects.filter(session=OuterRef("pk"))
        units = credits.annotate(text=Cast("unit", CharField()))
        paid: Any = units.filter(Exists(entries.filter(unit=OuterRef("text"))))
        return _with_people(here.filter(REWARD_MISSING).filter(Exists(paid)))
    ended = Coalesce(OuterRef("ended_at"), clock.now())
    earned = entries.filter(
        worker=OuterRef("participant__worker"),
        created_at__gte=OuterRef("created_at"),
        created_at__lte=ended,
    )
    return _with_people(here.filter(BONUS_DOUBTFUL).filter(Exists(earned)))


def _with_people(sessions: "QuerySet[CrowdSession]") -> "QuerySet[CrowdSession]":
    return sessions.select_related("study", "participant__worker").order_by("pk")


def reports_key(sessions: Iterable[CrowdSession]) -> str:
    """Return a key of these reports, which another report changes; empty for no session."""
    lines = [f"{session.public_id} {session.reported}\n" for session in sessions]
    return hashlib.sha256("".join(sorted(lines)).encode()).hexdigest()[:32] if lines else ""


def without_assignment(campaign: Campaign, now: datetime) -> list[tuple[User, Decimal]]:
    """Return the MTurk workers with approved bonus pay but no submitted assignment, and the sums.

    Mechanical Turk cannot pay them: a bonus there needs an assignment that was submitted.
    """
    provider = Payout.Provider.MTURK
    theirs = CrowdSession.objects.filter(study__campaign=campaign, study__provider=provider)
    entries = unrewarded(campaign).filter(settlement__state="approved", currency=campaign.currency)
    entries = entries.filter(sessions_with(theirs), ~sessions_with(submitted(campaign, now)))
    sums = dict(entries.order_by().values_list("worker").annotate(Sum("amount")))
    workers = User.objects.filter(pk__in=[pk for pk, amount in sums.items() if amount > 0])
    return [(worker, sums[worker.pk]) for worker in workers.order_by("pk")]
