"""Reads of crowd sessions: their credits, places and participants."""

import uuid
from datetime import datetime, timedelta
from decimal import Decimal
from enum import StrEnum
from typing import Any

from django.db.models import (
    Count,
    Exists,
    IntegerField,
    OuterRef,
    Q,
    QuerySet,
    Subquery,
    Sum,
)
from django.db.models.functions import Coalesce

from collection.core.session_reports import LEFT
from collection.models import (
    Campaign,
    CrowdSession,
    Participant,
    SessionCredit,
    Study,
    Twin,
)
from winoplatform import clock
from workers.models import LedgerEntry, Qualification, User
from workers.models.promised_pay import MONEY, is_held

Status = CrowdSession.Status
ABANDONED = timedelta(hours=24)


def active_credits() -> "QuerySet[SessionCredit]":
    """Credits that count: votes, and twins that are not withdrawn."""
    withdrawn = Twin.objects.filter(public_id=OuterRef("unit"), withdrawn_at__isnull=False)
    return SessionCredit.objects.filter(~Exists(withdrawn))


def units_done(session: CrowdSession) -> int:
    """Return the number of twins or votes credited to *session* now."""
    return active_credits().filter(session=session).count()


def completed_by(unit: uuid.UUID) -> CrowdSession | None:
    """Return the session for which a twin or vote counts, if it is complete."""
    completed = CrowdSession.objects.filter(status=Status.COMPLETED)
    return completed.filter(credits__unit=unit).first()


def units_left(*, worker: User, campaign: Campaign, skill: str) -> int | None:
    """Return how many units complete the session for which work counts now; None without one."""
    mine = CrowdSession.objects.active().filter(participant__worker=worker)
    here = mine.filter(study__campaign=campaign, study__skill=skill).select_related("study")
    session = here.order_by("pk").first()
    return session.study.units - units_done(session) if session else None


def with_units(sessions: "QuerySet[CrowdSession]") -> "QuerySet[CrowdSession]":
    """Annotate ``n_units``, the number of units credited to each session."""
    counted = active_credits().filter(session=OuterRef("pk")).order_by().values("session")
    counts = counted.annotate(n=Count("pk")).values("n")
    return sessions.annotate(n_units=Coalesce(Subquery(counts, output_field=IntegerField()), 0))


def with_pay(sessions: "QuerySet[CrowdSession]") -> Any:
    """Annotate ``pay``, the participant's pay in the campaign since each session began.

    Withdrawn, voided and corrected amounts are deducted.
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
    """Return those of *sessions* that take a place of their study.

    These are active, completed, or ended otherwise after some pay. So the number of paid
    participants never exceeds the places of a study, however many sessions end. A completed
    session that was left on the platform afterwards counts as ended otherwise.
    """
    stands = Q(status=Status.ACTIVE) | (Q(status=Status.COMPLETED) & ~Q(reported__in=LEFT))
    held: QuerySet[CrowdSession] = with_pay(sessions).filter(stands | Q(pay__gt=0))
    return held


def places_taken(study: Study) -> int:
    """Return the number of taken places of *study*."""
    held = holding_places(CrowdSession.objects.filter(study=study))
    return held.values("participant").distinct().count()


def with_places(studies: "QuerySet[Study]") -> "QuerySet[Study]":
    """Annotate ``n_taken``, the number of taken places of each study."""
    held = holding_places(CrowdSession.objects.filter(study=OuterRef("pk"))).order_by()
    counts = held.values("study").annotate(n=Count("participant", distinct=True)).values("n")
    return studies.annotate(n_taken=Coalesce(Subquery(counts, output_field=IntegerField()), 0))


def abandoned_sessions(study: Study) -> "QuerySet[CrowdSession]":
    """Return active sessions that began at least a day ago and whose participants do not work.

    They have no pay and no credits. Their participants hold no work, and did not
    work on an exercise within a day. Platforms only report who has left if set up to do so.
    """
    now = clock.now()
    active = CrowdSession.objects.active().filter(study=study)
    old = active.filter(created_at__lt=now - ABANDONED)
    is_at_work: Any = Exists(active_credits().filter(session=OuterRef("pk")))
    is_at_work |= Exists(_exercises_since(now - ABANDONED))
    is_at_work |= is_held(OuterRef("participant__worker"), OuterRef("study__campaign"), now)
    unpaid: QuerySet[CrowdSession] = with_pay(old).filter(~is_at_work, pay__lte=0)
    return unpaid


def _exercises_since(moment: datetime) -> "QuerySet[Qualification]":
    """Return the exercises that a session's participant worked on, for a query of sessions."""
    theirs = Qualification.objects.filter(
        worker=OuterRef("participant__worker"), scope=OuterRef("study__campaign__public_id")
    )
    return theirs.filter(Q(trained_at__gte=moment) | Q(attempts__created_at__gte=moment))


def session_of(worker: User, session_id: uuid.UUID | str) -> CrowdSession | None:
    """Return one of the worker's sessions, with its study and campaign."""
    mine = CrowdSession.objects.filter(participant__worker=worker, public_id=session_id)
    return mine.select_related("study__campaign", "participant").first()


def is_participant(user: User) -> bool:
    return Participant.objects.filter(worker=user).exists()


class Place(StrEnum):
    """The state of a worker between a crowd platform and one kind of work of a campaign."""

    FREE = "free"
    SCREENED_OUT = "screened out"
    BETWEEN = "between sessions"


def crowd_place(*, worker: User, campaign: Campaign, skill: str) -> Place:
    """Return whether *worker* may take such work, as far as their crowd platform is concerned.

    Workers who came from no platform are free, and so are those with an active session for this
    work. The platform would not pay others for it.
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
    """Return whether the session's exercise has finally failed."""
    study = session.study
    mine = Qualification.objects.filter(
        worker=worker, scope=study.campaign.public_id, skill=study.skill
    )
    return mine.filter(status=Qualification.Status.FAILED).exists()
