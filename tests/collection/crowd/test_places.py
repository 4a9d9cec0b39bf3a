"""How many may take part in a study, once each."""

import time
from collections.abc import Callable
from datetime import timedelta
from decimal import Decimal

import pytest
from django.utils import timezone

from collection.core.session_reports import LEFT
from collection.models import Assignment, Campaign, CrowdSession, Participant, Study
from collection.selectors.crowd import abandoned_sessions, places_taken, with_places
from collection.services import crowd
from collection.services.crowd.sessions import _time_out
from tests.collection.crowd.people import code, come, report, worker_of, write
from tests.factories import (
    AssignmentFactory,
    CrowdSessionFactory,
    LedgerEntryFactory,
    SeatFactory,
    StudyFactory,
    TwinFactory,
)
from workers.models import Attempt, LedgerEntry, Qualification, User

Status = CrowdSession.Status


def earn(session: CrowdSession, amount: str = "0.50", kind: str = "training") -> None:
    LedgerEntryFactory(
        worker=worker_of(session),
        budget=session.study.campaign.public_id,
        kind=kind,
        amount=Decimal(amount),
    )


def age(session: CrowdSession, hours: int) -> None:
    began = timezone.now() - timedelta(hours=hours)
    CrowdSession.objects.filter(pk=session.pk).update(created_at=began)


@pytest.fixture
def study() -> Study:
    return StudyFactory(places=1)


def test_arrivals_beyond_the_places_are_refused_and_make_no_account() -> None:
    study = StudyFactory(places=2)
    first = come(study, "p-1", "s-1")
    come(study, "p-2", "s-2")
    assert code(lambda: come(study, "p-3", "s-3")) == "study_full"
    assert not Participant.objects.filter(external_id="p-3").exists()
    assert User.objects.count() == 2
    assert come(study, "p-1", "s-1").pk == first.pk
    Study.objects.update(places=3)
    study.refresh_from_db()
    assert come(study, "p-3", "s-3").status == Status.ACTIVE


@pytest.mark.parametrize("status", ["returned", "timed_out", "screened_out", "failed", "rejected"])
def test_a_session_that_ends_without_pay_frees_its_place(status: str, study: Study) -> None:
    session = CrowdSessionFactory(study=study, status=status)
    assert places_taken(study) == 0
    earn(session, "0.50")
    assert places_taken(study) == 1
    assert with_places(Study.objects.filter(pk=study.pk)).get().n_taken == 1
    earn(session, "-0.50", "adjustment")
    assert places_taken(study) == 0


@pytest.mark.parametrize("what", LEFT)
def test_who_leaves_after_completion_frees_the_place_once_nothing_is_paid(what: str) -> None:
    study = StudyFactory(places=1)
    session = CrowdSessionFactory(study=study, status="completed")
    earn(session, "0.40", "twin")
    report(session, what)
    assert places_taken(study) == 1
    earn(session, "-0.40", "adjustment")
    assert places_taken(study) == 0
    assert with_places(Study.objects.filter(pk=study.pk)).get().n_taken == 0
    report(session, "approved", sent_at=time.time() + 1)
    assert places_taken(study) == 1


@pytest.mark.parametrize("what", ["rejected", "screened_out"])
def test_who_is_sent_away_while_at_work_makes_room_for_another(what: str, study: Study) -> None:
    session = come(study)
    assert code(lambda: come(study, "p-2", "s-2")) == "study_full"
    report(session, what)
    assert come(study, "p-2", "s-2").status == Status.ACTIVE
    assert code(lambda: come(study, "p-1", "s-1b")) == "took_part"


def test_what_was_earned_before_the_session_holds_no_place() -> None:
    first = CrowdSessionFactory(status="completed")
    earn(first)
    study = StudyFactory(campaign=first.study.campaign)
    CrowdSessionFactory(study=study, participant=first.participant, status="returned")
    assert places_taken(study) == 0


def test_scripts_that_take_turns_at_a_place_earn_once_for_it(study: Study) -> None:
    for n in range(5):
        session = come(study, f"p-{n}", f"s-{n}")
        crowd.stop_session(worker=worker_of(session), session_id=session.public_id)
    session = come(study, "p-9", "s-9")
    write(session)
    crowd.stop_session(worker=worker_of(session), session_id=session.public_id)
    assert code(lambda: come(study, "p-10", "s-10")) == "study_full"


def test_a_session_in_which_nobody_worked_for_a_day_makes_room(study: Study) -> None:
    old = come(study)
    held = AssignmentFactory(
        campaign=study.campaign, worker=worker_of(old), leased_until=timezone.now()
    )
    age(old, 23)
    assert code(lambda: come(study, "p-2", "s-2")) == "study_full"
    age(old, 25)
    assert come(study, "p-2", "s-2").status == Status.ACTIVE
    old.refresh_from_db()
    held.refresh_from_db()
    assert (old.status, held.status) == (Status.TIMED_OUT, Assignment.Status.RETURNED)


def test_a_session_with_work_in_it_is_never_cut(study: Study) -> None:
    old = come(study)
    write(old)
    age(old, 100)
    assert code(lambda: come(study, "p-2", "s-2")) == "study_full"
    old.refresh_from_db()
    assert old.status == Status.ACTIVE


def takes_article(session: CrowdSession) -> None:
    AssignmentFactory(campaign=session.study.campaign, worker=worker_of(session))


def takes_question(session: CrowdSession) -> None:
    campaign, until = session.study.campaign, timezone.now() + timedelta(minutes=5)
    question = TwinFactory(campaign=campaign).questions.first()
    SeatFactory(question=question, worker=worker_of(session), leased_until=until)


def writes_without_pay(session: CrowdSession) -> None:
    Campaign.objects.update(reward_twin=0)
    write(session)
    assert not LedgerEntry.objects.total()


def fails_a_test(session: CrowdSession, hours_ago: int = 2) -> None:
    scope, began = session.study.campaign.public_id, timezone.now() - timedelta(hours=hours_ago)
    mine = Qualification.objects.create(worker=worker_of(session), scope=scope, skill="write")
    Attempt.objects.create(
        qualification=mine, number=1, answers=[], n_right=0, n_items=0, created_at=began
    )


@pytest.mark.parametrize("work", [takes_article, takes_question, writes_without_pay, fails_a_test])
def test_a_participant_at_work_after_a_day_keeps_the_place(
    work: Callable[[CrowdSession], None], study: Study
) -> None:
    """Before: their session was timed out, and what they held was taken from their hands."""
    old = come(study)
    age(old, 25)
    work(old)
    assert code(lambda: come(study, "p-2", "s-2")) == "study_full"
    old.refresh_from_db()
    assert old.status == Status.ACTIVE


def test_a_test_of_the_day_before_holds_no_place(study: Study) -> None:
    old = come(study)
    age(old, 40)
    fails_a_test(old, hours_ago=30)
    assert come(study, "p-2", "s-2").status == Status.ACTIVE


def test_what_is_submitted_between_the_look_and_the_end_counts(study: Study) -> None:
    old = come(study)
    age(old, 25)
    found = abandoned_sessions(study).get()
    write(old)
    assert _time_out(found) is False
    assert found.status == Status.ACTIVE


def test_a_participant_takes_part_in_a_study_once() -> None:
    study = StudyFactory(provider="prolific")
    first = come(study)
    assert code(lambda: come(study, session="s-2")) == "took_part"
    crowd.stop_session(worker=worker_of(first), session_id=first.public_id)
    assert code(lambda: come(study, session="s-2")) == "took_part"
    assert come(StudyFactory(campaign=study.campaign, provider="prolific")).participant == (
        first.participant
    )


def test_a_turker_who_takes_the_hit_again_continues_where_they_were() -> None:
    study = StudyFactory(provider="mturk", units=2)
    first = come(study, "A1B2C3", "ASSIGNMENT1")
    write(first)
    again = come(study, "A1B2C3", "ASSIGNMENT2", return_to="https://www.mturk.com")
    assert (again.pk, again.external_id) == (first.pk, "ASSIGNMENT2")
    crowd.stop_session(worker=worker_of(again), session_id=again.public_id)
    assert code(lambda: come(study, "A1B2C3", "ASSIGNMENT3")) == "took_part"
    assert CrowdSession.objects.count() == 1


def test_a_participant_with_sessions_of_before_resumes_each_and_begins_no_other() -> None:
    study = StudyFactory()
    first = come(study)
    more = {"study": study, "participant": first.participant, "is_duplicate": True}
    second = CrowdSessionFactory(**more, external_id="s-2")
    assert come(study, session="s-2").pk == second.pk
    assert code(lambda: come(study, session="s-3")) == "took_part"
    assert places_taken(study) == 1


def test_a_closed_study_says_so_also_where_it_is_full(study: Study) -> None:
    come(study)
    Study.objects.update(is_open=False)
    study.refresh_from_db()
    assert code(lambda: come(study, "p-2", "s-2")) == "study_closed"
