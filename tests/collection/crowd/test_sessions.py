"""What counts for a crowd session, and how it ends."""

import uuid

import pytest

from collection import services
from collection.core.session_reports import LEFT, REWARDED, Report
from collection.crowd import Event
from collection.models import Assignment, CrowdSession
from collection.selectors.crowd import units_done
from collection.services import crowd
from tests.collection.crowd.people import (
    code,
    come,
    other_sentences,
    report,
    worker_of,
    write,
)
from tests.factories import (
    AssignmentFactory,
    SeatFactory,
    StudyFactory,
    TwinFactory,
    UserFactory,
    twin_text,
)
from tests.writing import submit
from validation.services import (
    answer_local,
    cast_vote,
    claim_seat,
    revise_twin,
    withdraw_twin,
)
from winoplatform.errors import DomainError

Status = CrowdSession.Status
RETURNED, TIMED_OUT = Report.RETURNED, Report.TIMED_OUT


def test_a_session_completes_with_its_last_twin() -> None:
    session = come(StudyFactory(units=2))
    write(session)
    assert session.status == Status.ACTIVE
    write(session, **other_sentences(2))
    assert session.status == Status.COMPLETED
    ending = crowd.ending_of(session)
    assert ending is not None
    assert ending.code == session.study.completion_code


def test_a_twin_counts_for_one_session_and_the_oldest_comes_first() -> None:
    study = StudyFactory(units=1)
    first = come(study, session="s-1")
    second = come(StudyFactory(campaign=study.campaign, units=1), session="s-2")
    write(first)
    second.refresh_from_db()
    assert (first.status, second.status) == (Status.COMPLETED, Status.ACTIVE)
    assert units_done(second) == 0


def test_a_twin_that_was_withdrawn_does_not_count() -> None:
    session = come(StudyFactory(units=2))
    twin = write(session)
    withdraw_twin(worker=worker_of(session), twin_id=twin.public_id)
    assert units_done(session) == 0
    write(session, **other_sentences(2))
    assert session.status == Status.ACTIVE


def test_a_revised_twin_counts_once_where_the_old_one_did() -> None:
    session = come(StudyFactory(units=2))
    twin = write(session)
    revise_twin(
        worker=worker_of(session),
        twin_id=twin.public_id,
        text=twin_text(**other_sentences(2)),
        client_key=uuid.uuid4(),
    )
    session.refresh_from_db()
    assert units_done(session) == 1
    assert session.status == Status.ACTIVE


def test_votes_complete_a_session_of_validating() -> None:
    session = come(StudyFactory(skill="validate", units=1))
    counted = crowd.credit_unit(
        worker=worker_of(session),
        campaign=session.study.campaign,
        skill="validate",
        unit=uuid.uuid4(),
    )
    assert counted == session
    assert counted.status == Status.COMPLETED


def test_twins_elsewhere_and_of_others_count_for_nothing() -> None:
    session = come(StudyFactory(units=1))
    other = AssignmentFactory(worker=worker_of(session))
    submit(other)
    assert crowd.credit_unit(
        worker=UserFactory(), campaign=session.study.campaign, skill="write", unit=uuid.uuid4()
    ) is None  # fmt: skip
    assert units_done(session) == 0


def test_an_unfinished_session_says_what_is_missing() -> None:
    session = come(StudyFactory(units=2))
    with pytest.raises(DomainError) as refused:
        crowd.finish_session(worker=worker_of(session), session_id=session.public_id)
    assert refused.value.details == {"done": 0, "units": 2}


def test_nobody_ends_anothers_session() -> None:
    session, carol = come(StudyFactory()), UserFactory()
    for end in (crowd.finish_session, crowd.stop_session):
        assert code(lambda end=end: end(worker=carol, session_id=session.public_id)) == "not_found"


def test_who_stops_lets_go_of_the_article() -> None:
    session = come(StudyFactory())
    held = AssignmentFactory(campaign=session.study.campaign, worker=worker_of(session))
    stopped = crowd.stop_session(worker=worker_of(session), session_id=session.public_id)
    held.refresh_from_db()
    assert (stopped.status, held.status) == (Status.FAILED, Assignment.Status.RETURNED)
    again = crowd.stop_session(worker=worker_of(session), session_id=session.public_id)
    assert again.ended_at == stopped.ended_at


@pytest.mark.long
@pytest.mark.parametrize("leaving", LEFT)
def test_who_leaves_on_the_platform_lets_go_here(leaving: Report) -> None:
    session = come(StudyFactory())
    campaign, worker = session.study.campaign, worker_of(session)
    held = AssignmentFactory(campaign=campaign, worker=worker)
    question = TwinFactory(campaign=campaign).questions.first()
    seat = SeatFactory(worker=worker, question=question)
    for _ in range(2):
        assert report(session, leaving, participant="p-1").status == leaving.value
    held.refresh_from_db()
    seat.refresh_from_db()
    assert held.status == Assignment.Status.RETURNED
    assert seat.worker is None


@pytest.mark.long
@pytest.mark.parametrize("leaving", LEFT)
def test_a_report_after_the_end_is_kept_and_ends_nothing_again(leaving: Report) -> None:
    session = come(StudyFactory(units=1))
    write(session)
    ended = report(session, leaving)
    assert (ended.status, ended.reported) == (Status.COMPLETED, leaving.value)
    assert crowd.ending_of(session) is not None


@pytest.mark.parametrize("what", REWARDED)
def test_a_report_that_the_work_was_handed_in_ends_no_session(what: Report) -> None:
    session = come(StudyFactory())
    held = AssignmentFactory(campaign=session.study.campaign, worker=worker_of(session))
    assert report(session, what).status == Status.ACTIVE
    held.refresh_from_db()
    assert (session.reported, held.status) == (what.value, Assignment.Status.OPEN)


def test_of_two_reports_the_one_that_was_sent_last_stays() -> None:
    session = come(StudyFactory(units=1))
    write(session)
    report(session, "timed_out", sent_at=1000)
    report(session, "approved", sent_at=1002)
    report(session, "timed_out", sent_at=1001)
    assert session.reported == "approved"
    report(session, "rejected", sent_at=1002)
    assert session.reported == "rejected"


def test_an_outdated_report_ends_no_session() -> None:
    session = come(StudyFactory())
    report(session, "awaiting_review", sent_at=1002)
    assert report(session, "returned", sent_at=1001).status == Status.ACTIVE


def test_reports_about_a_hit_that_was_taken_again_are_of_before() -> None:
    session = come(StudyFactory(provider="mturk"), "A1B2C3", "ASSIGNMENT1")
    report(session, "awaiting_review")
    again = come(session.study, "A1B2C3", "ASSIGNMENT2")
    assert (again.pk, again.reported, again.reported_at) == (session.pk, "", None)


def test_an_event_lets_go_of_nothing_that_a_later_session_holds() -> None:
    study = StudyFactory()
    first = come(study, session="s-1")
    report(first, RETURNED)
    come(StudyFactory(campaign=study.campaign), session="s-2")
    held = AssignmentFactory(campaign=study.campaign, worker=worker_of(first))
    report(first, RETURNED)
    held.refresh_from_db()
    assert held.status == Assignment.Status.OPEN


def test_an_event_about_nobody_who_came_is_passed_over() -> None:
    event = Event(session="never", report=RETURNED, sent_at=0)
    assert crowd.end_by_event(study=StudyFactory(), event=event) is None


def test_an_event_that_names_another_participant_is_refused() -> None:
    session = come(StudyFactory())
    event = Event(session="s-1", participant="p-2", report=TIMED_OUT, sent_at=0)
    assert code(lambda: crowd.end_by_event(study=session.study, event=event)) == (
        "session_of_another"
    )


def test_only_a_session_that_continues_gives_a_participant_new_work() -> None:
    session = come(StudyFactory(skill="validate"))
    worker, campaign = worker_of(session), session.study.campaign
    ask = {
        "write": lambda: services.request_assignment(worker=worker, campaign=campaign),
        "validate": lambda: claim_seat(worker=worker, campaign=campaign),
    }
    assert code(ask["write"]) == "session_over"
    assert code(ask["validate"]) == "queue_empty"
    crowd.stop_session(worker=worker, session_id=session.public_id)
    assert code(ask["validate"]) == "session_over"


def test_a_vote_counts_for_its_session() -> None:
    session = come(StudyFactory(skill="validate", units=1))
    TwinFactory(campaign=session.study.campaign, seats=1)
    seat = claim_seat(worker=worker_of(session), campaign=session.study.campaign)
    answer_local(worker=worker_of(session), seat_id=seat.public_id, shown_option=None)
    cast_vote(worker=worker_of(session), seat_id=seat.public_id, shown_option=1, ambiguous=False)
    session.refresh_from_db()
    assert session.status == Status.COMPLETED
