"""Credits of a session, and its end: here, or by an event of the platform."""

import uuid
from datetime import UTC, datetime

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from collection.core.session_reports import LEFT as REPORTED_LEFT
from collection.crowd import Arrival, Ending
from collection.crowd.base import Event
from collection.models import Assignment, Campaign, CrowdSession, SessionCredit, Study
from collection.selectors.crowd import (
    abandoned_sessions,
    has_failed,
    session_of,
    units_done,
)
from collection.services.crowd.studies import facts, provider_of
from collection.signals import participant_left
from winoplatform.errors import Conflict, DomainError, existing
from workers.models import User

Status = CrowdSession.Status
LEFT = (*(Status(report.value) for report in REPORTED_LEFT), Status.FAILED)


@transaction.atomic
def credit_unit(
    *,
    worker: User,
    campaign: Campaign,
    skill: str,
    unit: uuid.UUID,
    replaces: uuid.UUID | None = None,
) -> CrowdSession | None:
    """Credit a twin or vote to the worker's oldest active session, and end a complete one.

    A unit that *replaces* another one is credited to the same session. Workers who did not come
    from a crowd platform have no session: then None is returned.
    """
    session = _session_for(worker, campaign, skill, replaces)
    if session is None:
        return None
    SessionCredit.objects.bulk_create(
        [SessionCredit(session=session, unit=unit)], ignore_conflicts=True
    )
    if units_done(session) >= session.study.units:
        _close(session, Status.COMPLETED)
    return session


def _session_for(
    worker: User, campaign: Campaign, skill: str, replaces: uuid.UUID | None
) -> CrowdSession | None:
    mine = CrowdSession.objects.select_related("study").filter(participant__worker=worker)
    if replaces is not None:
        earlier = mine.filter(credits__unit=replaces).first()
        if earlier is not None:
            return earlier
    here = mine.active().filter(study__campaign=campaign, study__skill=skill)
    # Locked, so that an event which ends the session comes either before or after this credit.
    return here.order_by("pk").select_for_update(of=("self",), no_key=True).first()


def _close(
    session: CrowdSession, status: str, among: "QuerySet[CrowdSession] | None" = None
) -> bool:
    """End an active session; False if it was over already, with *session* updated.

    With *among*, it is ended only if it is in that query set.
    """
    now = timezone.now()
    active = (CrowdSession.objects.active() if among is None else among).filter(pk=session.pk)
    is_mine = active.update(status=status, ended_at=now) == 1
    session.refresh_from_db(fields=["status", "ended_at"])
    return is_mine


def session_over() -> DomainError:
    return Conflict(
        "session_over", _("You have no active session. Start a task on the platform you came from.")
    )


def own_session(worker: User, session_id: uuid.UUID) -> CrowdSession:
    return existing(session_of(worker, session_id), "session")


def finish_session(*, worker: User, session_id: uuid.UUID) -> CrowdSession:
    """End a session that is complete or has a failed exercise; repeating it changes nothing.

    Raises
    ------
    DomainError
        ``not_found``, or ``session_incomplete`` with the units done and required.
    """
    session = own_session(worker, session_id)
    if session.status != Status.ACTIVE:
        return session
    done = units_done(session)
    if done >= session.study.units:
        _close(session, Status.COMPLETED)
    elif has_failed(worker=worker, session=session):
        _leave(session, Status.SCREENED_OUT)
    else:
        raise Conflict(
            "session_incomplete",
            f"{done} of {session.study.units} are done. Continue, or stop without finishing.",
            details={"done": done, "units": session.study.units},
        )
    return session


def stop_session(*, worker: User, session_id: uuid.UUID) -> CrowdSession:
    """End an incomplete session; the failure code informs the platform."""
    session = own_session(worker, session_id)
    if session.status == Status.ACTIVE and units_done(session) >= session.study.units:
        _close(session, Status.COMPLETED)
    elif session.status == Status.ACTIVE:
        _leave(session, Status.FAILED)
    return session


def end_by_event(*, study: Study, event: Event) -> CrowdSession | None:
    """Record what the platform reports about a session, and end one whose participant has left.

    A report that was sent before the one already recorded is ignored, as events may arrive in any
    order.

    Returns
    -------
    CrowdSession | None
        In its current state: a completed session stays completed. None if the session is unknown
        here.
    """
    sessions = CrowdSession.objects.filter(study=study, external_id=event.session)
    session = sessions.select_related("study__campaign", "participant__worker").first()
    if session is None:
        return None
    if event.participant and event.participant != session.participant.external_id:
        raise Conflict("session_of_another", "The event is for another participant.")
    _record(session, event)
    if session.status in LEFT:
        _let_go(session)
    return session


@transaction.atomic
def _record(session: CrowdSession, event: Event) -> None:
    """Store the report, and end an active session that the participant has left by it."""
    sent_at = datetime.fromtimestamp(event.sent_at, UTC)
    rows = CrowdSession.objects.filter(pk=session.pk)
    newer = rows.exclude(reported_at__gt=sent_at)
    is_news = newer.update(reported=event.report.value, reported_at=sent_at) == 1
    if is_news and event.report in REPORTED_LEFT:
        _close(session, event.report.value)
    session.refresh_from_db(fields=["status", "ended_at", "reported", "reported_at"])


def end_abandoned(*, study: Study) -> None:
    """Time out sessions without work for a day, as other participants wait for their places."""
    for session in abandoned_sessions(study).select_related("study__campaign", "participant"):
        if _time_out(session):
            _let_go(session)


@transaction.atomic
def _time_out(session: CrowdSession) -> bool:
    """End a session if it is still abandoned: its participant may have returned since."""
    # Locked first, as a submission does: only a later statement sees what it has stored.
    here = CrowdSession.objects.filter(pk=session.pk)
    here.select_for_update(no_key=True).values_list("pk").get()
    return _close(session, Status.TIMED_OUT, among=abandoned_sessions(session.study))


def end_sessions_of(*, worker: User, campaign: Campaign) -> None:
    """End the worker's active sessions of a campaign: complete, or with the early-exit code.

    What they hold must have been returned before.
    """
    active = CrowdSession.objects.active().filter(participant__worker=worker)
    for session in active.filter(study__campaign=campaign).select_related("study").order_by("pk"):
        is_complete = units_done(session) >= session.study.units
        _close(session, Status.COMPLETED if is_complete else Status.FAILED)


def _leave(session: CrowdSession, status: str) -> None:
    """End a session and release what its participant holds.

    Uses two transactions: a submission locks the assignment and then the session, so this must not
    lock the session while it waits for the assignment. If the process dies in between, the platform
    sends its event again, and the rest is released then.
    """
    _close(session, status)
    if session.status in LEFT:
        _let_go(session)


@transaction.atomic
def _let_go(session: CrowdSession) -> None:
    worker, campaign = session.participant.worker, session.study.campaign
    others = CrowdSession.objects.active().filter(participant=session.participant)
    if others.filter(study__campaign=campaign).exists():
        return  # held work may belong to that session
    release_held(worker=worker, campaign=campaign)


UNFINISHED = (Assignment.Status.OPEN, Assignment.Status.EXPIRED)


def release_held(*, worker: User, campaign: Campaign) -> None:
    """Return the articles and free the leases that a worker holds in a campaign."""
    unfinished = Assignment.objects.filter(worker=worker, campaign=campaign, status__in=UNFINISHED)
    unfinished.update(status=Assignment.Status.RETURNED)
    participant_left.send(sender=User, worker=worker, campaign=campaign)


@transaction.atomic
def leave_all(account: int) -> None:
    """End all sessions of an account, and release all that it holds in any campaign."""
    # In the order of a submission, which locks the assignment and then the session.
    held = Assignment.objects.filter(worker=account, status__in=UNFINISHED)
    held.update(status=Assignment.Status.RETURNED)
    sessions = CrowdSession.objects.active().filter(participant__worker=account)
    sessions.update(status=Status.FAILED, ended_at=timezone.now())
    worker = User.objects.get(pk=account)
    participant_left.send(sender=User, worker=worker, campaign=None)


def ending_of(session: CrowdSession) -> Ending | None:
    """Return how a session that is over returns to its platform, or None if it need not."""
    code = session.study.code_of(session.status)
    return _ending(session.study, code, session.external_id, session.return_to) if code else None


def ending_unbegun(study: Study, arrival: Arrival) -> Ending:
    """Return how a participant without a session returns: with the code for stopping."""
    return _ending(study, study.code_of(Status.FAILED), arrival.session, arrival.return_to)


def _ending(study: Study, code: str, session: str, return_to: str) -> Ending:
    adapter = provider_of(study)
    return adapter.ending(facts(study), session=session, code=code, return_to=return_to)
