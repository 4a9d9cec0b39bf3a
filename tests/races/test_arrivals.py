"""People who arrive in two tabs at once, and links that work once, opened twice."""

import threading
import time
import uuid
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from threading import Barrier
from typing import Any

import pytest
from django.db import IntegrityError
from django.utils import timezone

from collection.core.session_reports import Report
from collection.crowd import Arrival, Event
from collection.models import Assignment, CrowdSession, Participant, SessionCredit, Study
from collection.services import crowd
from collection.services.crowd import arrivals
from tests.factories import (
    AssignmentFactory,
    CrowdSessionFactory,
    StudyFactory,
    UserFactory,
)
from tests.races.threads import at_once
from tests.writing import submit
from workers.models import Invitation, User
from workers.models.invitations import InvitationQuerySet
from workers.services import accept_invitation, invitations, invite

Status = CrowdSession.Status
TABS = 6


def come(study: Study, session: str = "s-1") -> CrowdSession:
    return crowd.arrive(study=study, arrival=Arrival(participant="p-1", session=session))


def test_many_arrivals_at_once_are_one_account_and_one_session() -> None:
    study = StudyFactory()
    sessions = at_once(*[partial(come, study)] * TABS)
    assert {session.pk for session in sessions} == {CrowdSession.objects.get().pk}
    assert User.objects.filter(participant__isnull=False).count() == 1
    assert User.objects.count() == 1


def test_arrivals_in_several_studies_at_once_are_one_account() -> None:
    studies = StudyFactory.create_batch(TABS)
    sessions = at_once(*[partial(come, study) for study in studies])
    assert len({session.participant_id for session in sessions}) == 1
    assert Participant.objects.count() == 1


def come_as(study: Study, n: int) -> CrowdSession:
    arrival = Arrival(participant=f"p-{n}", session=f"s-{n}")
    return crowd.arrive(study=study, arrival=arrival)


def test_the_last_place_goes_to_one_of_many() -> None:
    study = StudyFactory(places=2)
    come_as(study, 0)
    results = at_once(*[partial(come_as, study, n) for n in range(1, TABS)])
    assert [getattr(found, "code", "") for found in results].count("study_full") == TABS - 2
    assert CrowdSession.objects.count() == 2


def test_one_participant_under_many_session_ids_at_once_begins_one() -> None:
    study = StudyFactory()
    results = at_once(*[partial(come, study, f"s-{n}") for n in range(TABS)])
    assert [getattr(found, "code", "") for found in results].count("took_part") == TABS - 1
    assert CrowdSession.objects.count() == 1


def test_control_without_turns_the_last_place_goes_to_several(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(arrivals, "_one_at_a_time", lambda study: None)
    meet, count = threading.Barrier(TABS), arrivals.places_taken

    def counted_together(study: Study) -> int:
        taken = count(study)
        with suppress(threading.BrokenBarrierError):
            meet.wait(5)  # the others count meanwhile
        return taken

    monkeypatch.setattr(arrivals, "places_taken", counted_together)
    study = StudyFactory(places=1)
    at_once(*[partial(come_as, study, n) for n in range(TABS)])
    assert CrowdSession.objects.count() > 1


def test_arrivals_that_take_no_turns_fail(monkeypatch: pytest.MonkeyPatch) -> None:
    """The control: without the lock each tab finds nobody and makes an account."""
    monkeypatch.setattr(arrivals, "_one_at_a_time", lambda study: None)
    lost = 0
    for _ in range(5):
        results = at_once(*[partial(come, StudyFactory())] * TABS)
        lost += sum(isinstance(result, IntegrityError) for result in results)
    assert lost


def leave(session: CrowdSession, report: Report = Report.RETURNED) -> object:
    return crowd.end_by_event(
        study=session.study, event=Event(session=session.external_id, report=report, sent_at=0)
    )


def test_a_submission_and_an_event_at_once_end_a_session_once() -> None:
    for _ in range(8):
        session = CrowdSessionFactory(study__units=1)
        worker = session.participant.worker
        held = AssignmentFactory(campaign=session.study.campaign, worker=worker)
        results = at_once(partial(submit, held), partial(leave, session))
        unexpected = [r for r in results if isinstance(r, Exception) and not hasattr(r, "code")]
        assert not unexpected
        session.refresh_from_db()
        held.refresh_from_db()
        assert session.status in (Status.COMPLETED, Status.RETURNED)
        counted = SessionCredit.objects.filter(session=session).count()
        assert counted == (session.status == Status.COMPLETED)
        assert held.status != Assignment.Status.OPEN


def test_many_ends_at_once_have_one_winner() -> None:
    session = CrowdSessionFactory()
    worker = session.participant.worker
    stop = partial(crowd.stop_session, worker=worker, session_id=session.public_id)
    calls = [partial(leave, session), partial(leave, session, Report.TIMED_OUT), stop] * 2
    ends = {(ended.status, ended.ended_at) for ended in at_once(*calls)}
    session.refresh_from_db()
    assert ends == {(session.status, session.ended_at)}


def test_ends_that_check_and_then_save_have_several_winners() -> None:
    """The control: the way one would write it first."""

    def naive(session: CrowdSession, status: str) -> bool:
        row = CrowdSession.objects.get(pk=session.pk)
        if row.status != Status.ACTIVE:
            return False
        time.sleep(0.02)
        row.status, row.ended_at = status, timezone.now()
        row.save()
        return True

    session = CrowdSessionFactory()
    statuses = [Status.RETURNED, Status.TIMED_OUT, Status.FAILED] * 2
    assert sum(at_once(*[partial(naive, session, status) for status in statuses])) > 1


def test_twins_of_two_tabs_count_once_each() -> None:
    session = CrowdSessionFactory(study__units=2)
    units = [uuid.uuid4() for _ in range(2)]
    credit = partial(
        crowd.credit_unit,
        worker=session.participant.worker,
        campaign=session.study.campaign,
        skill="write",
    )
    at_once(*[partial(credit, unit=unit) for unit in units * 3])
    session.refresh_from_db()
    assert session.status == Status.COMPLETED
    assert SessionCredit.objects.filter(session=session).count() == 2


NAMES = ("erin", "finn")
PASSWORD = "quiet-otter-7"


def accepted_twice() -> list[Any]:
    """Let two people accept one invitation, each with a name of their own."""
    _, code = invite(role="worker", by=UserFactory(curator=True))
    accept = partial(accept_invitation, code=code, password=PASSWORD)
    return at_once(*[partial(accept, username=name) for name in NAMES])


def unlocked(rows: Any, **_: Any) -> Any:
    return rows.all()


def after_both(call: Callable[..., Any]) -> Callable[..., Any]:
    """Make *call* wait until the other thread is about to make it too."""
    both = Barrier(2, timeout=30)

    def waiting(*args: Any, **options: Any) -> Any:
        both.wait()
        return call(*args, **options)

    return waiting


def test_of_two_who_accept_an_invitation_at_once_one_gets_an_account() -> None:
    results = accepted_twice()
    (made,) = [result for result in results if isinstance(result, User)]
    (refused,) = [result for result in results if isinstance(result, Exception)]
    assert refused.code == "invitation_invalid"  # type: ignore[attr-defined]
    assert list(User.objects.filter(username__in=NAMES)) == [made]
    assert Invitation.objects.get().user == made


def test_control_without_the_invitations_lock_both_get_an_account(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(InvitationQuerySet, "select_for_update", unlocked)
    monkeypatch.setattr(invitations.locks, "take_turns", after_both(invitations.locks.take_turns))
    assert all(isinstance(result, User) for result in accepted_twice())
    assert User.objects.filter(username__in=NAMES).count() == 2
