"""Coming in: a link is read, an account found or made, a session begun once."""

import secrets
import time
from collections.abc import Mapping, Sequence

from django.db import connection, transaction
from django.utils import timezone

from collection.crowd import Arrival
from collection.models import Campaign, CrowdSession, Participant, Study
from collection.selectors.crowd import has_failed
from collection.services.studies import facts, provider_of
from winoplatform.errors import DomainError
from workers import services as accounts
from workers.models import User

Status = CrowdSession.Status


def read_arrival(*, study: Study, query: Mapping[str, Sequence[str]]) -> Arrival:
    """Read and verify the parameters of a study's link; nothing is stored.

    Raises
    ------
    DomainError
        What `Provider.arrival` raises.
    """
    if any(len(values) != 1 for values in query.values()):
        raise DomainError(
            "link_incomplete",
            "The link says something twice. Start the task again from the platform.",
        )
    once = {name: values[0] for name, values in query.items()}
    return provider_of(study).arrival(facts(study), once, int(time.time()))


@transaction.atomic
def arrive(*, study: Study, arrival: Arrival) -> CrowdSession:
    """Find or begin the session of somebody whose arrival was verified.

    Returns
    -------
    CrowdSession
        An active one; or one that is over: screened out for too short a history or a failed
        exercise, failed where there is no work now, or as it ended before.

    Raises
    ------
    DomainError
        ``session_of_another``, ``account_closed``, ``account_not_participant`` or
        ``approvals_missing``.
    """
    _one_at_a_time(study)
    known = CrowdSession.objects.filter(study=study, external_id=arrival.session)
    session = known.select_related("study__campaign", "participant__worker").first()
    if session is None:
        _refuse_unreported(study, arrival)
        session = _begin(study, arrival)
    elif session.participant.external_id != arrival.participant:
        raise DomainError(
            "session_of_another",
            "This session belongs to another participant. Start the task again from the platform.",
            status=403,
        )
    _refuse_account(session.participant.worker)
    return session


def _one_at_a_time(study: Study) -> None:
    """Let arrivals from one platform take turns: two tabs make one account and one session."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT pg_advisory_xact_lock(hashtextextended(%s, 0))", [f"arrive {study.provider}"]
        )


def _refuse_account(worker: User) -> None:
    if not worker.is_active:
        raise DomainError(
            "account_closed",
            "Your account here is closed. Return the task on the platform you come from.",
            status=403,
        )
    if worker.role != User.Role.WORKER:
        raise DomainError(
            "account_not_participant", "A link signs nobody in who runs campaigns.", status=403
        )


def _refuse_unreported(study: Study, arrival: Arrival) -> None:
    """Refuse a signed link that leaves out what the campaign asks for: its maker forgot it."""
    if not provider_of(study).signs_arrivals:
        return
    campaign = study.campaign
    asked = {"approvals": campaign.min_approvals, "approval_rate": campaign.min_approval_rate}
    for name, least in asked.items():
        if least is not None and getattr(arrival, name) is None:
            raise DomainError(
                "approvals_missing",
                f"The link does not say your “{name}”, which this campaign asks for. Tell whoever "
                "runs the study.",
                status=403,
            )


def _begin(study: Study, arrival: Arrival) -> CrowdSession:
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
    found = Participant.objects.select_related("worker").filter(**ids).first()
    if found is not None:
        return found
    # The name says nothing of the platform's id: other people may come to see it.
    name = f"participant-{secrets.token_hex(4)}"
    worker = accounts.create_user(username=name, password=None)
    return Participant.objects.create(worker=worker, **ids)


def _first_status(session: CrowdSession) -> str:
    study = session.study
    if not study.is_open or study.campaign.status != Campaign.Status.OPEN:
        return Status.FAILED
    worker = session.participant.worker
    if not _has_history(session) or has_failed(worker=worker, session=session):
        return Status.SCREENED_OUT
    return Status.ACTIVE


def _has_history(session: CrowdSession) -> bool:
    """Whether what was reported is enough; unreported, the platform's own prescreening counts."""
    campaign = session.study.campaign
    pairs = (
        (session.approvals, campaign.min_approvals),
        (session.approval_rate, campaign.min_approval_rate),
    )
    return all(least is None or had is None or had >= least for had, least in pairs)
