"""What people from crowd platforms do, for the tests of it."""

import time
import uuid
from collections.abc import Callable
from typing import Any

import pytest

from collection.core.session_reports import Report
from collection.crowd import Arrival, Event
from collection.models import CrowdSession, Study, Twin
from collection.services import crowd
from tests.factories import (
    AssignmentFactory,
    twin_text,
)
from validation.services import submit_twin
from winoplatform.errors import DomainError
from workers.models import User

Status = CrowdSession.Status


def come(study: Study, who: str = "p-1", session: str = "s-1", **more: Any) -> CrowdSession:
    return crowd.arrive(study=study, arrival=Arrival(participant=who, session=session, **more))


def report(
    session: CrowdSession, what: str, *, sent_at: float | None = None, participant: str = ""
) -> CrowdSession:
    """Report a session as its platform does, now or at a time in seconds since 1970."""
    sent = int(time.time() if sent_at is None else sent_at)
    event = Event(
        session=session.external_id, report=Report(what), sent_at=sent, participant=participant
    )
    ended = crowd.end_by_event(study=session.study, event=event)
    assert ended is not None
    session.refresh_from_db()
    return ended


def worker_of(session: CrowdSession) -> User:
    return session.participant.worker


def write(session: CrowdSession, **changes: Any) -> Twin:
    """Write one twin for the session's campaign, as its participant."""
    assignment = AssignmentFactory(campaign=session.study.campaign, worker=worker_of(session))
    twin = submit_twin(
        worker=worker_of(session),
        assignment_id=assignment.public_id,
        text=twin_text(**changes),
        client_key=uuid.uuid4(),
    )
    session.refresh_from_db()
    return twin


def other_sentences(n: int) -> dict[str, Any]:
    """A twin that is not the one of `twin_text`."""
    words = "The trophy did not fit into the brown suitcase number"
    ends = ("large", "small")
    return {"sentences": tuple(f"{words} {n} because the _ was far too {end}." for end in ends)}


def code(call: Callable[[], object]) -> str:
    with pytest.raises(DomainError) as refused:
        call()
    return refused.value.code
