"""Arriving from a crowd platform, and the links that lead there."""

import base64
import hashlib
import hmac
import json
from dataclasses import replace
from decimal import Decimal
from urllib.parse import parse_qs, urlsplit

import pytest
from django.core.exceptions import ValidationError
from django.db import connection
from django.test.utils import CaptureQueriesContext
from hypothesis import given
from hypothesis import strategies as st

from collection.core.session_reports import Report
from collection.crowd import PROVIDERS, Arrival, Event, events, prolific
from collection.models import Campaign, CrowdSession, Participant, Study
from collection.selectors.crowd import with_units
from collection.services import crowd
from collection.services.crowd import studies
from tests.collection.crowd.links import NOW, PID, SID, STUDY
from tests.collection.crowd.people import code, come, worker_of, write
from tests.factories import (
    CampaignFactory,
    CrowdSessionFactory,
    StudyFactory,
)
from tests.sandbox import signed_body
from winoplatform.errors import DomainError
from workers.models import Qualification, User

Status = CrowdSession.Status


@pytest.fixture
def study() -> Study:
    return StudyFactory()


def test_the_first_arrival_makes_an_account_that_no_password_opens() -> None:
    session = come(StudyFactory(), "secret-id")
    worker = worker_of(session)
    assert session.status == Status.ACTIVE
    assert not worker.has_usable_password()
    assert worker.role == User.Role.WORKER
    assert (worker.origin, worker.platform) == ("crowd", session.study.platform)
    assert "secret-id" not in worker.username + worker.public_id


def test_who_comes_again_is_the_same_person_and_session(study: Study) -> None:
    first = come(study)
    assert come(study).pk == first.pk
    assert come(StudyFactory(campaign=study.campaign)).participant == first.participant
    assert User.objects.filter(participant__isnull=False).count() == 1


def test_the_same_id_on_another_platform_is_another_person() -> None:
    here = come(StudyFactory())
    there = come(StudyFactory(provider="prolific"))
    assert worker_of(here) != worker_of(there)


def test_a_session_is_not_entered_under_another_id(study: Study) -> None:
    come(study, "p-1")
    assert code(lambda: come(study, "p-2")) == "session_of_another"
    assert not Participant.objects.filter(external_id="p-2").exists()


def test_a_closed_account_stays_out(study: Study) -> None:
    User.objects.filter(pk=worker_of(come(study)).pk).update(is_active=False)
    assert code(lambda: come(study)) == "account_closed"


def test_a_participant_never_becomes_a_curator(study: Study) -> None:
    worker = worker_of(come(study))
    worker.role = User.Role.CURATOR
    with pytest.raises(ValidationError, match="must stay a worker"):
        worker.save()


def test_a_link_signs_no_curator_in_even_if_one_were_made(study: Study) -> None:
    User.objects.filter(pk=worker_of(come(study)).pk).update(role=User.Role.CURATOR)
    assert code(lambda: come(study)) == "account_not_participant"


def test_where_there_is_no_work_nothing_is_stored() -> None:
    """Before: 20 arrivals at a closed study made 20 accounts."""
    closed = StudyFactory(is_open=False, places=1)
    paused = StudyFactory(campaign__status=Campaign.Status.PAUSED)
    for study in (closed, paused):
        arrival = Arrival(participant="p-1", session="s-1")
        assert code(lambda study=study: come(study)) == "study_closed"
        assert crowd.ending_unbegun(study, arrival).code == study.failure_code
    assert not Participant.objects.exists()
    assert not CrowdSession.objects.exists()
    assert not User.objects.filter(username__startswith="participant").exists()


def test_who_came_during_a_pause_begins_afterwards() -> None:
    """Before: they had taken part, for good."""
    study = StudyFactory(campaign__status=Campaign.Status.PAUSED)
    assert code(lambda: come(study)) == "study_closed"
    Campaign.objects.update(status=Campaign.Status.OPEN)
    study.refresh_from_db()
    assert come(study, session="s-2").status == Status.ACTIVE


def test_who_has_begun_continues_after_the_study_closes(study: Study) -> None:
    first = come(study)
    studies.close_study(study=study)
    assert come(study).status == Status.ACTIVE
    assert code(lambda: come(study, "p-2", "s-2")) == "study_closed"
    assert come(study).pk == first.pk


@pytest.mark.parametrize(
    ("approvals", "rate", "status"),
    [(100, "0.950", "active"), (99, "0.950", "screened_out"), (500, "0.949", "screened_out")],
)
def test_a_short_history_is_screened_out(approvals: int, rate: str, status: str) -> None:
    campaign = CampaignFactory(min_approvals=100, min_approval_rate=Decimal("0.95"))
    session = come(
        StudyFactory(campaign=campaign), approvals=approvals, approval_rate=Decimal(rate)
    )
    assert session.status == status


def test_a_signed_link_must_say_the_history_that_is_asked_for() -> None:
    study = StudyFactory(campaign__min_approvals=100)
    assert code(lambda: come(study)) == "approvals_missing"
    assert not Participant.objects.exists()


def test_where_the_platform_reports_nothing_its_own_prescreening_counts() -> None:
    study = StudyFactory(provider="prolific", campaign__min_approvals=100)
    assert come(study).status == Status.ACTIVE


def test_a_failed_exercise_screens_out_at_once_and_at_the_end(study: Study) -> None:
    session = come(study)
    Qualification.objects.create(
        worker=worker_of(session), scope=study.campaign.public_id, skill="write",
        status="failed", decided_at=session.created_at,
    )  # fmt: skip
    ended = crowd.finish_session(worker=worker_of(session), session_id=session.public_id)
    assert ended.status == Status.SCREENED_OUT
    assert come(StudyFactory(campaign=study.campaign)).status == Status.SCREENED_OUT


def test_a_link_that_says_something_twice_is_refused() -> None:
    query = {"participant": ["p-1", "p-2"]}
    assert code(lambda: crowd.read_arrival(study=StudyFactory(), query=query)) == "link_incomplete"


def test_links_made_here_are_let_in_and_end_with_a_new_secret(study: Study) -> None:
    [made] = studies.make_links(study=study, participants=["p-1"], approvals="7")
    query = parse_qs(urlsplit(made.link).query)
    arrival = crowd.read_arrival(study=study, query=query)
    assert (arrival.participant, arrival.session, arrival.approvals) == ("p-1", made.session, 7)
    changed = studies.update_study(study=study, secret="n" * 32)
    assert code(lambda: crowd.read_arrival(study=changed, query=query)) == "signature_wrong"


def test_prolific_signs_no_links_of_ours() -> None:
    study = StudyFactory(provider="prolific")
    made = lambda: studies.make_links(study=study, participants=["p"])  # noqa: E731
    assert code(made) == "links_not_signed"


@pytest.mark.parametrize("address", ["http://p.example/", "https://u:p@p.example/"])
def test_a_study_ends_at_a_safe_address(address: str, study: Study) -> None:
    assert code(lambda: studies.update_study(study=study, return_url=address)) == (
        "return_url_unsafe"
    )


def test_a_secret_that_is_too_short_is_refused() -> None:
    with pytest.raises(ValidationError, match="32 characters"):
        studies.create_study(
            campaign=CampaignFactory(), provider="generic", name="x", secret="s", places=1
        )


def test_units_of_many_sessions_are_counted_in_one_query() -> None:
    study = StudyFactory(units=3)
    session = come(study)
    write(session)
    CrowdSessionFactory.create_batch(3, study=study)
    with CaptureQueriesContext(connection) as asked:
        counts = [row.n_units for row in with_units(study.sessions.all())]
    assert sorted(counts) == [0, 0, 0, 1]
    assert len(asked) == 1


Headers = dict[str, str]


def told(provider: str, body: bytes, headers: Headers, now: int = NOW) -> Event | None:
    lowered = {name.lower(): value for name, value in headers.items()}
    return PROVIDERS[provider].event(STUDY, lowered, body, now)


def refusal(provider: str, body: bytes, headers: Headers, now: int = NOW) -> str:
    with pytest.raises(DomainError) as refused:
        told(provider, body, headers, now)
    return refused.value.code


@pytest.mark.parametrize("provider", PROVIDERS)
@pytest.mark.parametrize("report", Report)
def test_a_signed_event_says_how_a_session_stands(provider: str, report: Report) -> None:
    body, headers = signed_body(STUDY, provider, SID, PID, report.value, NOW)
    who = PID.upper() if provider == "mturk" else PID  # as that platform writes it
    event = Event(session=SID, participant=who, report=report, sent_at=NOW)
    assert told(provider, body, headers) == event


def test_prolifics_signature_is_the_one_of_its_documentation() -> None:
    body = json.dumps({"resource_id": SID, "event_type": "submission.status.change",
                       "participant_id": PID, "status": "RETURNED"}).encode()  # fmt: skip
    key, message = STUDY.event_secret.encode(), str(NOW).encode() + body
    signature = base64.b64encode(hmac.new(key, message, hashlib.sha256).digest()).decode()
    headers = {
        "X-Prolific-Request-Timestamp": str(NOW),
        "X-Prolific-Request-Signature": signature,
    }
    assert told("prolific", body, headers) is not None


@pytest.mark.parametrize("provider", PROVIDERS)
def test_a_forged_event_is_refused(provider: str) -> None:
    body, headers = signed_body(STUDY, provider, SID, PID, "returned", NOW)
    name = next(name for name in headers if name.endswith("Signature"))
    assert refusal(provider, body, headers | {name: "AAAA"}) == "signature_wrong"
    assert refusal(provider, body + b" ", headers) == "signature_wrong"
    assert refusal(provider, body, {}) == "signature_wrong"
    other = replace(STUDY, event_secret="another")
    body, headers = signed_body(other, provider, SID, PID, "returned", NOW)
    assert refusal(provider, body, headers) == "signature_wrong"


@pytest.mark.parametrize("provider", PROVIDERS)
@pytest.mark.parametrize("at", [NOW - 601, NOW + 601])
def test_an_event_of_another_time_is_refused(provider: str, at: int) -> None:
    body, headers = signed_body(STUDY, provider, SID, PID, "returned", at)
    assert refusal(provider, body, headers) == "event_outdated"


@pytest.mark.parametrize("status", ["ACTIVE", "RESERVED", "PROCESSING", "", "returned\x00"])
def test_what_else_prolific_says_changes_nothing(status: str) -> None:
    body, headers = signed_body(STUDY, "prolific", SID, PID, status, NOW)
    assert told("prolific", body, headers) is None


def test_a_prolific_study_without_its_secret_believes_nothing() -> None:
    bare = replace(STUDY, event_secret="")
    body, headers = signed_body(bare, "prolific", SID, PID, "returned", NOW)
    with pytest.raises(DomainError) as refused:
        PROVIDERS["prolific"].event(bare, {k.lower(): v for k, v in headers.items()}, body, NOW)
    assert refused.value.code == "events_not_set_up"


@pytest.mark.parametrize("provider", PROVIDERS)
@given(body=st.binary(max_size=60) | st.sampled_from([b"[]", b"null", b'{"event": "returned"}']))
def test_any_signed_body_is_read_or_refused(provider: str, body: bytes) -> None:
    try:
        answer: object = told(provider, body, _signed(provider, body))
    except DomainError as refused:
        answer = refused.code
    assert answer in (None, "event_malformed")


def _signed(provider: str, body: bytes) -> Headers:
    at = str(NOW)
    if provider == "prolific":
        signature = prolific.event_signature(STUDY.event_secret, at, body)
        return {prolific.TIMESTAMP: at, prolific.SIGNATURE: signature}
    signature = events.event_signature(STUDY.event_secret, at, body)
    return {events.TIMESTAMP: at, events.SIGNATURE: signature}
