"""Reads of crowd sessions: what counts for them, and which one a worker is in."""

import uuid
from datetime import datetime, timedelta
from decimal import Decimal
from enum import StrEnum
from typing import Any

from django.db.models import (
    Count,
    DecimalField,
    Exists,
    IntegerField,
    OuterRef,
    Q,
    QuerySet,
    Subquery,
    Sum,
)
from django.db.models.functions import Coalesce

from collection.models import (
    Assignment,
    Campaign,
    CrowdSession,
    Participant,
    SessionCredit,
    Study,
    Twin,
)
from collection.signals import work_held_wanted
from winoplatform import clock
from workers.models import LedgerEntry, Qualification, User

Status = CrowdSession.Status
MONEY = DecimalField(max_digits=24, decimal_places=2)
ABANDONED = timedelta(hours=24)


def active_credits() -> "QuerySet[SessionCredit]":
    """Credits that count: votes, and twins that their writers have not withdrawn."""
    withdrawn = Twin.objects.filter(public_id=OuterRef("unit"), withdrawn_at__isnull=False)
    return SessionCredit.objects.filter(~Exists(withdrawn))


def units_done(session: CrowdSession) -> int:
    """Count the twins or votes that count for *session* now."""
    return active_credits().filter(session=session).count()


def with_units(sessions: "QuerySet[CrowdSession]") -> "QuerySet[CrowdSession]":
    """Add what counts for each session, as ``n_units``."""
    counted = active_credits().filter(session=OuterRef("pk")).order_by().values("session")
    counts = counted.annotate(n=Count("pk")).values("n")
    return sessions.annotate(n_units=Coalesce(Subquery(counts, output_field=IntegerField()), 0))


def with_pay(sessions: "QuerySet[CrowdSession]") -> Any:
    """Add what the participant was credited in the campaign since each session began, as ``pay``.

    What was withdrawn, voided or corrected since is deducted.
    """
    entries = LedgerEntry.objects.filter(
        worker=OuterRef("participant__worker"),
        budget=OuterRef("study__campaign__public_id"),
        created_at__gte=OuterRef("created_at"),
    )
    sums = entries.order_by().values("worker").annotate(sum=Sum("amount")).values("sum")
    nothing = Decimal("0.00")
    return sessions.annotate(pay=Coalesce(Subquery(sums, output_field=MONEY), nothing))


def holding_places(sessions: "QuerySet[CrowdSession]") -> "QuerySet[CrowdSession]":
    """The ones of *sessions* that take a place of their study.

    Those that are active or completed, and those that ended otherwise after something was paid in
    them. So as many people as a study has places can cost anything, however often sessions end.
    """
    stands = Q(status__in=[Status.ACTIVE, Status.COMPLETED])
    held: QuerySet[CrowdSession] = with_pay(sessions).filter(stands | Q(pay__gt=0))
    return held


def places_taken(study: Study) -> int:
    """Count the people who hold a place of *study* now."""
    held = holding_places(CrowdSession.objects.filter(study=study))
    return held.values("participant").distinct().count()


def with_places(studies: "QuerySet[Study]") -> "QuerySet[Study]":
    """Add how many places of each study are taken, as ``n_taken``."""
    held = holding_places(CrowdSession.objects.filter(study=OuterRef("pk"))).order_by()
    counts = held.values("study").annotate(n=Count("participant", distinct=True)).values("n")
    return studies.annotate(n_taken=Coalesce(Subquery(counts, output_field=IntegerField()), 0))


def abandoned_sessions(study: Study) -> "QuerySet[CrowdSession]":
    """Sessions that are active, began a day ago or earlier, and in which nobody is at work.

    Nothing was paid in them and nothing counts for them, also where work is not paid. Nobody holds
    an article or a question, or did anything of an exercise within a day. Platforms tell nobody,
    unless they are asked to, who has left.
    """
    now = clock.now()
    active = CrowdSession.objects.active().filter(study=study)
    old = active.filter(created_at__lt=now - ABANDONED)
    is_at_work: Any = Exists(active_credits().filter(session=OuterRef("pk")))
    is_at_work |= Exists(_held_by_participant(now)) | Exists(_exercises_since(now - ABANDONED))
    for _, is_held in work_held_wanted.send(sender=CrowdSession, now=now):
        is_at_work |= is_held
    unpaid: QuerySet[CrowdSession] = with_pay(old).filter(~is_at_work, pay__lte=0)
    return unpaid


def _held_by_participant(now: datetime) -> "QuerySet[Assignment]":
    """Articles that a session's participant has now, for a query of sessions."""
    here = {"worker": OuterRef("participant__worker"), "campaign": OuterRef("study__campaign")}
    return Assignment.objects.filter(**here).held(now=now)


def _exercises_since(moment: datetime) -> "QuerySet[Qualification]":
    """Exercises that a session's participant did something of, for a query of sessions."""
    theirs = Qualification.objects.filter(
        worker=OuterRef("participant__worker"), scope=OuterRef("study__campaign__public_id")
    )
    return theirs.filter(Q(trained_at__gte=moment) | Q(attempts__created_at__gte=moment))


def session_of(worker: User, session_id: uuid.UUID | str) -> CrowdSession | None:
    """Return a session of the worker's own, with its study and campaign."""
    mine = CrowdSession.objects.filter(participant__worker=worker, public_id=session_id)
    return mine.select_related("study__campaign", "participant").first()


def is_participant(user: User) -> bool:
    return Participant.objects.filter(worker=user).exists()


class Place(StrEnum):
    """Where somebody stands between a crowd platform and one kind of work of a campaign."""

    FREE = "free"
    SCREENED_OUT = "screened out"
    BETWEEN = "between sessions"


def crowd_place(*, worker: User, campaign: Campaign, skill: str) -> Place:
    """Say whether *worker* may take such work, as far as their crowd platform is concerned.

    Free are those who came from no platform, and those with a session for this work that goes on.
    Work that others take would be paid by nobody on their platform.
    """
    mine = Participant.objects.filter(worker=worker).order_by("-sessions__pk")
    rows = list(
        mine.values_list("sessions__status", "sessions__study__campaign", "sessions__study__skill")
    )
    here = [status for status, pk, of in rows if pk == campaign.pk and of == skill]
    if not rows or CrowdSession.Status.ACTIVE in here:
        return Place.FREE
    is_out = bool(here) and here[0] == CrowdSession.Status.SCREENED_OUT
    return Place.SCREENED_OUT if is_out else Place.BETWEEN


def has_failed(*, worker: User, session: CrowdSession) -> bool:
    """Whether the session's exercise was failed for good."""
    study = session.study
    mine = Qualification.objects.filter(
        worker=worker, scope=study.campaign.public_id, skill=study.skill
    )
    return mine.filter(status=Qualification.Status.FAILED).exists()
