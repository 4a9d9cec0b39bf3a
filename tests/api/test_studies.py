"""studies/: offer work on a crowd platform, follow its sessions, take its events."""

import csv
import io
import time
from typing import Any

import pytest
from rest_framework.test import APIClient

from collection.models import Campaign, CrowdSession, Study
from collection.services.crowd.studies import facts
from tests.api.calls import API, assert_error, client_of, ok
from tests.factories import (
    AssignmentFactory,
    CrowdSessionFactory,
    StudyFactory,
    TwinFactory,
    UserFactory,
)
from tests.sandbox import signed_body

STUDIES = f"{API}studies/"
SECRET, EVENT_SECRET = "the link secret " * 3, "the event secret of a platform"


@pytest.fixture
def study(campaign: Campaign) -> Study:
    return StudyFactory(campaign=campaign, secret=SECRET, event_secret=EVENT_SECRET)


def url(study: Study, action: str = "") -> str:
    return f"{STUDIES}{study.public_id}/{action}"


def new(**changes: Any) -> dict[str, Any]:
    return {
        "campaign": "winter",
        "provider": "prolific",
        "name": "First",
        "units": 2,
        "places": 9,
    } | changes


def send(study: Study, session: CrowdSession, event: str, **headers: str) -> Any:
    """Post an event as the study's platform does; *headers* replace its own."""
    body, signed = signed_body(
        facts(study),
        study.provider,
        session.external_id,
        session.participant.external_id,
        event,
        int(time.time()),
    )
    return client_of(None).post(
        url(study, "events/"), body, content_type="application/json", headers=signed | headers
    )


def test_a_study_is_made_with_codes_and_a_link_to_paste(
    as_dana: APIClient, campaign: Campaign
) -> None:
    made = ok(as_dana.post(STUDIES, new()), 201)
    assert len({made["completion_code"], made["screen_out_code"], made["failure_code"]}) == 3
    assert "PROLIFIC_PID={{%PROLIFIC_PID%}}" in made["setup"]["link"]
    assert made["setup"]["events"].endswith(f"/api/v1/studies/{made['id']}/events/")


def test_the_secrets_are_taken_in_and_never_given_out(
    as_dana: APIClient, study: Study, caplog: pytest.LogCaptureFixture
) -> None:
    fields = new(provider="generic", secret="x" * 40, event_secret="y" * 40)
    made = as_dana.post(STUDIES, fields)
    changed = as_dana.patch(url(study), {"event_secret": "z" * 40})
    seen = [made, changed, as_dana.get(STUDIES), as_dana.get(url(study))]
    seen += [as_dana.get(url(study, "sessions/"))]
    text = "".join(response.content.decode() for response in seen) + caplog.text
    for secret in (SECRET, EVENT_SECRET, "x" * 40, "y" * 40, "z" * 40):
        assert secret not in text
    study.refresh_from_db()
    assert study.event_secret == "z" * 40


def test_an_empty_secret_is_made_here(as_dana: APIClient, campaign: Campaign) -> None:
    ok(as_dana.post(STUDIES, new(secret="")), 201)
    assert len(Study.objects.get().secret) >= 32


@pytest.mark.parametrize(
    "change",
    [
        {"secret": "short"}, {"units": 0}, {"places": 0}, {"places": None}, {"provider": "fax"},
        {"return_url": "ftp://x/"}, {"return_url": "http://panel.example/"}, {"name": ""},
        {"campaign": "none"}, {"completion_code": "A", "failure_code": "A"},
    ],
    ids=str,
)  # fmt: skip
def test_a_study_that_cannot_work_is_refused(
    change: dict[str, Any], as_dana: APIClient, campaign: Campaign
) -> None:
    response = as_dana.post(STUDIES, new(**change))
    assert response.status_code == 400
    assert not Study.objects.exists()


def test_codes_of_the_platform_can_be_entered_later(as_dana: APIClient, study: Study) -> None:
    assert ok(as_dana.patch(url(study), {"completion_code": "C1"}))["completion_code"] == "C1"
    assert_error(as_dana.patch(url(study), {"failure_code": "C1"}), 400, "invalid")


def test_places_can_be_changed_and_say_how_many_are_taken(as_dana: APIClient, study: Study) -> None:
    CrowdSessionFactory(study=study)
    changed = ok(as_dana.patch(url(study), {"places": 7}))
    assert (changed["places"], changed["places_taken"]) == (7, 1)
    assert [row["places_taken"] for row in ok(as_dana.get(STUDIES))["results"]] == [1]


def test_a_study_closes_once_and_for_all_calls(as_dana: APIClient, study: Study) -> None:
    for _ in range(2):
        assert ok(as_dana.post(url(study, "close/")))["is_open"] is False


def test_a_closed_study_is_opened_again(as_dana: APIClient, study: Study) -> None:
    ok(as_dana.post(url(study, "close/")))
    answer = ok(as_dana.patch(url(study), {"is_open": True}, format="json"))
    assert answer["is_open"] is True
    assert ok(as_dana.patch(url(study), {"name": "other"}))["is_open"] is True


def test_studies_are_found_by_campaign(as_dana: APIClient, study: Study) -> None:
    StudyFactory()
    listed = ok(as_dana.get(STUDIES, {"campaign": "winter", "is_open": "true"}))
    assert [row["id"] for row in listed["results"]] == [str(study.public_id)]


def test_links_are_signed_here_for_who_has_no_secret(as_dana: APIClient, study: Study) -> None:
    asked = {"participants": ["p-1", "p-2"], "approvals": 7, "approval_rate": "0.990"}
    links = ok(as_dana.post(url(study, "links/"), asked))
    assert [row["participant"] for row in links] == ["p-1", "p-2"]
    assert "approvals=7" in links[0]["link"]
    prolific = StudyFactory(provider="prolific")
    refused = as_dana.post(url(prolific, "links/"), {"participants": ["p"]})
    assert_error(refused, 409, "links_not_signed")


def test_sessions_are_listed_with_what_they_have_done(as_dana: APIClient, study: Study) -> None:
    done = CrowdSessionFactory(study=study, status="completed")
    CrowdSessionFactory(study=study)
    CrowdSessionFactory()
    [row] = ok(as_dana.get(url(study, "sessions/"), {"status": "completed"}))["results"]
    assert row["participant"] == done.participant.external_id
    assert row["code"] == study.completion_code
    assert len(ok(as_dana.get(url(study, "sessions/")))["results"]) == 2


def test_the_file_of_sessions_runs_nothing_in_a_spreadsheet(
    as_dana: APIClient, study: Study
) -> None:
    CrowdSessionFactory(study=study, external_id="=HYPERLINK(1)")
    CrowdSessionFactory(study=study, status="failed")
    response = as_dana.get(url(study, "sessions.csv"))
    assert response["Content-Type"] == "text/csv; charset=utf-8"
    text = b"".join(response.streaming_content).decode()
    rows = list(csv.DictReader(io.StringIO(text)))
    assert [row["session"][:3] for row in rows] == ["'=H", "ses"]
    assert rows[1]["code"] == study.failure_code


def test_a_signed_event_ends_a_session_once(study: Study) -> None:
    session = CrowdSessionFactory(study=study)
    held = AssignmentFactory(campaign=study.campaign, worker=session.participant.worker)
    for event in ("returned", "returned", "timed_out"):
        assert ok(send(study, session, event)) == {"session_status": "returned"}
    held.refresh_from_db()
    assert held.status == "returned"


def test_an_event_for_nobody_here_is_taken_and_passed_over(study: Study) -> None:
    stranger = CrowdSessionFactory.build(study=study, participant__external_id="p")
    assert ok(send(study, stranger, "returned")) == {"session_status": None}


@pytest.mark.parametrize(
    ("headers", "code"),
    [
        ({"X-Wino-Signature": "0" * 64}, "signature_wrong"),
        ({"X-Wino-Signature": ""}, "signature_wrong"),
        ({"X-Wino-Timestamp": "1700000000"}, "signature_wrong"),
    ],
)
def test_a_forged_event_ends_nothing(headers: dict[str, str], code: str, study: Study) -> None:
    session = CrowdSessionFactory(study=study)
    assert_error(send(study, session, "returned", **headers), 403, code)
    session.refresh_from_db()
    assert session.status == "active"


def test_a_curators_token_is_no_signature(as_dana: APIClient, study: Study) -> None:
    session = CrowdSessionFactory(study=study)
    body = {"session": session.external_id, "event": "returned"}
    assert_error(as_dana.post(url(study, "events/"), body), 403, "signature_wrong")


def test_an_event_of_another_study_is_none_of_this_one(study: Study) -> None:
    session, other = CrowdSessionFactory(study=study), StudyFactory()
    body, headers = signed_body(
        facts(other), "generic", session.external_id, "", "returned", int(time.time())
    )
    wrong = client_of(None).post(
        url(study, "events/"), body, content_type="application/json", headers=headers
    )
    assert_error(wrong, 403, "signature_wrong")


def test_a_platforms_ids_are_nowhere_but_with_curators(as_alice: APIClient, study: Study) -> None:
    session = CrowdSessionFactory(study=study, participant__external_id="secret-person")
    TwinFactory(author=session.participant.worker, campaign=study.campaign)
    participant = client_of(session.participant.worker)
    pages = ("me/", "twins/", "assignments/", "ledger/", "campaigns/", "votes/")
    for client in (as_alice, participant, client_of(UserFactory(curator=True))):
        for page in pages:
            assert "secret-person" not in client.get(f"{API}{page}").content.decode()


def test_the_list_of_studies_asks_few_questions(
    as_dana: APIClient, study: Study, django_assert_max_num_queries: Any
) -> None:
    StudyFactory.create_batch(5, campaign=study.campaign)
    CrowdSessionFactory.create_batch(5, study=study)
    for path in (STUDIES, url(study, "sessions/")):
        with django_assert_max_num_queries(6):
            ok(as_dana.get(path))
