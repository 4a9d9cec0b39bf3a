"""Reads of crowd sessions: what counts for them, and which one a worker is in."""

import uuid
from enum import StrEnum

from django.db.models import Count, Exists, IntegerField, OuterRef, QuerySet, Subquery
from django.db.models.functions import Coalesce

from collection.models import Campaign, CrowdSession, Participant, SessionCredit, Twin
from workers.models import Qualification, User


def standing_credits() -> "QuerySet[SessionCredit]":
    """Credits that count: votes, and twins that their writers have not withdrawn."""
    withdrawn = Twin.objects.filter(public_id=OuterRef("unit"), withdrawn_at__isnull=False)
    return SessionCredit.objects.filter(~Exists(withdrawn))


def units_done(session: CrowdSession) -> int:
    """Count the twins or votes that count for *session* now."""
    return standing_credits().filter(session=session).count()


def with_units(sessions: "QuerySet[CrowdSession]") -> "QuerySet[CrowdSession]":
    """Add what counts for each session, as ``n_units``."""
    counted = standing_credits().filter(session=OuterRef("pk")).order_by().values("session")
    counts = counted.annotate(n=Count("pk")).values("n")
    return sessions.annotate(n_units=Coalesce(Subquery(counts, output_field=IntegerField()), 0))


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
