"""Arrivals: read the link, find or create the account, begin the session once."""

import secrets
import time
from collections.abc import Mapping, Sequence

from django.conf import settings
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from collection.crowd import Arrival
from collection.models import Campaign, CrowdSession, Participant, Study
from collection.selectors.crowd import abandoned_sessions, has_failed, places_taken
from collection.services.crowd.sessions import end_abandoned
from collection.services.crowd.studies import facts, provider_of
from winoplatform.db import locks
from winoplatform.errors import Conflict, DomainError
from winoplatform.http import throttle
from workers import services as accounts
from workers.models import User

Status = CrowdSession.Status
HOUR_SECONDS = 3600


def read_arrival(*, study: Study, query: Mapping[str, Sequence[str]]) -> Arrival:
    """Read and verify the parameters of a study's link; nothing is stored.

    Raises
    ------
    DomainError
        As `Provider.arrival`.
    """
    if any(len(values) != 1 for values in query.values()):
        raise DomainError(
            "link_incomplete",
            "The link contains a parameter twice. Start the task again from the platform.",
        )
    once = {name: values[0] for name, values in query.items()}
    return provider_of(study).arrival(facts(study), once, int(time.time()))


def arrive(*, study: Study, arrival: Arrival, address: str | None = None) -> CrowdSession:
    """Find or begin the session of a verified arrival.

    Parameters
    ----------
    address
        The client's network address; None if unknown.

    Returns
    -------
    CrowdSession
        An active session; or one that is over: screened out because of too few approvals or a
        failed exercise, or ended before.

    Raises
    ------
    DomainError
        What ``session_for`` raises, ``too_many_from_address`` (429), ``account_closed`` or
        ``account_not_participant``.
    """
    if session_for(study=study, arrival=arrival) is None:
        _refuse_crowded_address(study, arrival, address)
        if _is_full(study):
            end_abandoned(study=study)
    return _enter(study, arrival)


def session_for(*, study: Study, arrival: Arrival) -> CrowdSession | None:
    """Return the session that an arrival continues; None where it may begin a new one.

    Nothing is stored: pages call this before the participant decides to begin.

    Raises
    ------
    DomainError
        ``session_of_another``, ``took_part``, ``study_closed``, ``approvals_missing`` or
        ``study_full``.
    """
    sessions = CrowdSession.objects.filter(study=study)
    sessions = sessions.select_related("study__campaign", "participant__worker")
    session = sessions.filter(external_id=arrival.session).first()
    if session is not None and session.participant.external_id != arrival.participant:
        raise DomainError(
            "session_of_another",
            "This session belongs to another participant. Start the task again from the platform.",
            status=403,
        )
    if session is not None:
        return session
    mine = sessions.filter(participant__external_id=arrival.participant, is_duplicate=False).first()
    if mine is not None:
        return _taken_again(mine)
    if not _is_offered(study):
        raise _closed()
    _refuse_unreported(study, arrival)
    if _is_full(study) and not abandoned_sessions(study).exists():
        raise _full()
    return None


def _taken_again(session: CrowdSession) -> CrowdSession:
    """Return the session of a participant who arrives under another id, if it can be continued."""
    if session.status != Status.ACTIVE:
        raise Conflict(
            "took_part",
            _(
                "You have already taken part in this study (%s), and each person can take part "
                "only once. If the platform has given you the task again, return it there. Your "
                "submitted work and its pay are kept."
            )
            % session.get_status_display(),
        )
    if not provider_of(session.study).renews_sessions:
        raise Conflict(
            "took_part",
            _(
                "You have already started this study in another session. Open the link of that "
                "session to continue. If you have returned it on the platform, return this one "
                "too: each person can take part only once. Your submitted work and its pay are "
                "kept."
            ),
        )
    return session


def _is_full(study: Study) -> bool:
    return places_taken(study) >= study.places


def _is_offered(study: Study) -> bool:
    return study.is_open and study.campaign.status == Campaign.Status.OPEN


def _closed() -> DomainError:
    """Return the refusal of a new participant; nothing is stored, so they may begin later."""
    return Conflict(
        "study_closed",
        _(
            "There is no work in this study at the moment: it is paused or closed. Return the "
            "task on the platform you came from so that it does not count against you. If the "
            "platform offers it again later, you can start then."
        ),
    )


def _full() -> DomainError:
    return Conflict(
        "study_full",
        _(
            "All places of this study are taken. Return the task on the platform you came from "
            "so that it does not count against you. If the platform offers it again later, a "
            "place may be free."
        ),
    )


def _refuse_crowded_address(study: Study, arrival: Arrival, address: str | None) -> None:
    """Refuse too many new participants from one address, unless their links are signed.

    Known participants may return any number of times; a signed link was made for one participant.
    """
    theirs = {"provider": study.provider, "external_id": arrival.participant}
    if provider_of(study).signs_arrivals or Participant.objects.filter(**theirs).exists():
        return
    if not address:
        return
    wait = throttle.count(
        f"arrivals:{throttle.network_of(address)}",
        limit=settings.CROWD_ARRIVALS_PER_HOUR,
        window_seconds=HOUR_SECONDS,
    )
    if wait:
        raise DomainError(
            "too_many_from_address",
            _(
                "Many new participants have arrived from your network within an hour. Wait %d "
                "minutes and reload this page; your task on the platform is not affected. If "
                "its time runs out first, return it there."
            )
            % -(-wait // 60),
            status=429,
            details={"retry_after": wait},
        )


@transaction.atomic
def _enter(study: Study, arrival: Arrival) -> CrowdSession:
    _one_at_a_time(study)
    session = session_for(study=study, arrival=arrival)
    if session is None:
        session = _begin(study, arrival)
    elif session.external_id != arrival.session:
        _go_on_as(session, arrival)
    _refuse_account(session.participant.worker)
    return session


def _go_on_as(session: CrowdSession, arrival: Arrival) -> None:
    """Continue a session under the new id from its platform; reports were about the old one."""
    active = CrowdSession.objects.active().filter(pk=session.pk)
    active.update(
        external_id=arrival.session, return_to=arrival.return_to, reported="", reported_at=None
    )
    session.refresh_from_db()


def _one_at_a_time(study: Study) -> None:
    """Serialize arrivals from one platform: two tabs create one account and one session."""
    locks.take_turns(f"arrive {study.provider}")


def _refuse_account(worker: User) -> None:
    if not worker.is_active:
        raise DomainError(
            "account_closed",
            "Your account is closed. Return the task on the platform you came from.",
            status=403,
        )
    if worker.role != User.Role.WORKER:
        raise DomainError(
            "account_not_participant", "Links cannot be used to sign in as a curator.", status=403
        )


def _refuse_unreported(study: Study, arrival: Arrival) -> None:
    """Refuse a signed link that lacks a value which the campaign requires."""
    if not provider_of(study).signs_arrivals:
        return
    campaign = study.campaign
    limits = {"approvals": campaign.min_approvals, "approval_rate": campaign.min_approval_rate}
    for name, least in limits.items():
        if least is not None and getattr(arrival, name) is None:
            raise DomainError(
                "approvals_missing",
                f"The link does not say your “{name}”, which this campaign requires. Contact "
                "the people who run the study.",
                status=403,
            )


def _begin(study: Study, arrival: Arrival) -> CrowdSession:
    if _is_full(study):
        raise _full()
    now = timezone.now()
    session = CrowdSession(
        study=study,
        participant=_participant(study, arrival),
        external_id=arrival.session,
        approvals=arrival.approvals,
        approval_rate=arrival.approval_rate,
        return_to=arrival.return_to,
        created_at=now,
    )
    session.status = _first_status(session)
    session.ended_at = None if session.status == Status.ACTIVE else now
    session.clean_fields(exclude={"study", "participant"})
    session.save()
    return session


def _participant(study: Study, arrival: Arrival) -> Participant:
    ids = {"provider": study.provider, "external_id": arrival.participant}
    participant = Participant.objects.select_related("worker").filter(**ids).first()
    if participant is not None:
        return participant
    # The name does not contain the platform's id, as other people may see it.
    name = f"participant-{secrets.token_hex(4)}"
    worker = accounts.create_user(
        username=name, password=None, origin=User.Origin.CROWD, platform=study.platform
    )
    return Participant.objects.create(worker=worker, **ids)


def _first_status(session: CrowdSession) -> str:
    worker = session.participant.worker
    if not _has_history(session) or has_failed(worker=worker, session=session):
        return Status.SCREENED_OUT
    return Status.ACTIVE


def _has_history(session: CrowdSession) -> bool:
    """Whether reported approvals are enough; otherwise the platform's prescreening applies."""
    campaign = session.study.campaign
    pairs = (
        (session.approvals, campaign.min_approvals),
        (session.approval_rate, campaign.min_approval_rate),
    )
    return all(least is None or had is None or had >= least for had, least in pairs)
