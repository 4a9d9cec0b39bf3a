"""Studies and sessions on crowd platforms, and where a platform's reports contradict them."""

import hashlib
import uuid
from collections.abc import Iterable
from datetime import datetime, timedelta
from decimal import Decimal
from enum import StrEnum
from typing import Any

from django.db.models import (
    CharField,
    Count,
    Exists,
    IntegerField,
    OuterRef,
    Q,
    QuerySet,
    Subquery,
    Sum,
)
from django.db.models.functions import Cast, Coalesce

from collection.core.session_reports import LEFT, REWARDED, Report
from collection.models import (
    Campaign,
    CrowdSession,
    Participant,
    SessionCredit,
    Study,
    Twin,
)
from collection.selectors.pay import sessions_with, submitted, unrewarded
from winoplatform import clock
from workers.models import LedgerEntry, Payout, Qualification, User
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
