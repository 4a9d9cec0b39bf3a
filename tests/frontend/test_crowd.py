"""The pages on which people come from a crowd platform and go back to it."""

import time
from collections.abc import Callable
from urllib.parse import urlencode, urlsplit

import pytest
from django.contrib.auth import get_user
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from collection.crowd.generic import signed_link
from collection.models import Campaign, CrowdSession, Participant, Study
from collection.services.crowd.studies import facts, setup_of
from tests.factories import CrowdSessionFactory, StudyFactory, TwinFactory, UserFactory
from tests.frontend.crowd_attacks import prolific_link
from tests.frontend.pages import source, words
from validation.models import Vote
from workers.models import LedgerEntry, User


@pytest.fixture
def study(campaign: Campaign) -> Study:
    return StudyFactory(campaign=campaign)


def link(study: Study, **fields: str) -> str:
    """A signed link of a generic study, as path and query."""
    signed = {"participant": "p-1", "session": "s-1", "expires": str(int(time.time()) + 60)}
    address = urlsplit(signed_link(facts(study), origin="", fields=signed | fields))
    return f"{address.path}?{address.query}"


def arrive(study: Study, client: Client | None = None, **fields: str) -> Client:
    client = client or Client()
    assert client.post(link(study, **fields)).status_code == 302
    return client


def signed_in_as(client: Client) -> object:
    return get_user(client)  # type: ignore[arg-type]


def test_opening_a_link_says_what_it_is_about_and_changes_nothing(study: Study) -> None:
    client = Client()
    text = words(client.get(link(study)))
    assert "Kitchen" in text
    assert "You are participant p-1" in text
    assert "Write 2 twins" in text
    assert not Participant.objects.exists()
    assert "_auth_user_id" not in client.session


def test_the_button_signs_in_and_leads_to_the_work(study: Study) -> None:
    client = Client()
    response = client.post(link(study))
    assert response["Location"] == "/campaigns/kitchen/write/"
    assert signed_in_as(client) == Participant.objects.get().worker
    assert 0 < client.session.get_expiry_age() <= 12 * 3600


def test_the_button_of_a_validating_study_leads_to_the_questions(campaign: Campaign) -> None:
    response = Client().post(link(StudyFactory(campaign=campaign, skill="validate")))
    assert response["Location"] == "/campaigns/kitchen/validate/"


@pytest.mark.long
def test_no_other_page_can_press_the_button(study: Study) -> None:
    strict = Client(enforce_csrf_checks=True)
    assert strict.post(link(study)).status_code == 403
    assert not Participant.objects.exists()
    token = strict.get(link(study)).context["csrf_token"]
    assert strict.post(link(study), {"csrfmiddlewaretoken": str(token)}).status_code == 302


@pytest.mark.long
def test_who_is_signed_in_is_told_before_that_ends(
    study: Study, dana: User, as_dana: Client
) -> None:
    assert "You are signed in as dana (curator). If you continue" in words(as_dana.get(link(study)))
    assert signed_in_as(as_dana) == dana
    arrive(study, as_dana)
    assert signed_in_as(as_dana) == Participant.objects.get().worker
    page = as_dana.get(reverse("crowd-session", args=[CrowdSession.objects.get().public_id]))
    assert "dana was signed out" in words(page)


@pytest.mark.long
def test_nothing_of_the_one_before_stays_in_the_browser(
    study: Study, dana: User, browse: Callable[[User], Client]
) -> None:
    client = browse(dana)
    before = client.session.session_key
    arrive(study, client)
    assert client.session.session_key != before
    assert client.get(reverse("studies", args=["kitchen"])).status_code == 403


@pytest.mark.long
def test_who_comes_back_in_the_same_browser_goes_straight_on(study: Study) -> None:
    client = arrive(study)
    assert client.get(link(study))["Location"] == "/campaigns/kitchen/write/"
    CrowdSession.objects.update(status="completed", ended_at="2026-01-01T00:00Z")
    session = CrowdSession.objects.get()
    assert client.get(link(study))["Location"] == f"/sessions/{session.public_id}/"


def test_a_link_signs_in_neither_closed_accounts_nor_curators(study: Study) -> None:
    arrive(study)
    for change in ({"is_active": False}, {"is_active": True, "role": User.Role.CURATOR}):
        User.objects.filter(participant__isnull=False).update(**change)
        client = Client()
        assert client.post(link(study)).status_code == 403
        assert "_auth_user_id" not in client.session


def test_a_participant_makes_no_token_that_outlives_the_session(study: Study) -> None:
    client = arrive(study)
    assert client.get(reverse("account")).status_code == 403
    assert client.post(reverse("account"), {"name": "x"}).status_code == 403


def test_the_link_is_not_told_to_other_sites(study: Study) -> None:
    response = Client().get(link(study))
    assert response["Referrer-Policy"] == "same-origin"
    assert "no-store" in response["Cache-Control"]
    assert response["X-Frame-Options"] == "DENY"


def test_a_broken_link_says_so_and_names_no_secret(study: Study) -> None:
    response = Client().get(link(study).replace("p-1", "p-2"))
    assert response.status_code == 403
    assert "Nothing was saved" in words(response)
    assert study.secret not in source(response)


def test_nothing_is_at_the_address_of_no_study(db: None) -> None:
    assert Client().get("/arrive/6a7b8c9d-0000-4000-8000-000000000000/").status_code == 404


def test_a_preview_is_open_to_all_who_have_its_link_and_signs_nobody_in(
    campaign: Campaign, as_dana: Client
) -> None:
    for provider in Study.Provider:
        preview = urlsplit(setup_of(StudyFactory(campaign=campaign, provider=provider)).preview)
        response = as_dana.get(f"{preview.path}?{preview.query}")
        assert "Nothing is saved until then" in words(response)
        assert 'method="post"' not in source(response).split("<main")[1]
    assert not Participant.objects.exists()


def mturk_link(study: Study, **fields: str) -> dict[str, str]:
    link = urlsplit(setup_of(study).link)
    key = dict(part.split("=") for part in link.query.split("&"))["key"]
    return {
        "key": key,
        "workerId": "A1B2C3D4E5",
        "assignmentId": "3ABCDEF012345",
        "hitId": "3H",
        "turkSubmitTo": "https://workersandbox.mturk.com",
    } | fields


def test_mturks_frame_may_hold_the_way_to_the_desk_only(campaign: Campaign) -> None:
    study = StudyFactory(campaign=campaign, provider="mturk", units=1)
    path = reverse("arrive", args=[study.public_id])
    framed = Client().get(path, mturk_link(study))
    policy = framed["Content-Security-Policy"]
    assert "; frame-ancestors https://mturk.com https://*.mturk.com" in policy
    assert "; form-action 'self' https://mturk.com https://*.mturk.com" in policy
    assert "X-Frame-Options" not in framed
    assert "Open the task" in words(framed)
    assert "csrfmiddlewaretoken" not in source(framed)
    window = Client().get(path, mturk_link(study, window="1"))
    assert window["X-Frame-Options"] == "DENY"
    assert "frame-ancestors 'none'" in window["Content-Security-Policy"]


@pytest.mark.long
def test_a_turker_who_takes_the_hit_again_continues_under_its_new_id(campaign: Campaign) -> None:
    study = StudyFactory(campaign=campaign, provider="mturk")
    path, client = reverse("arrive", args=[study.public_id]), Client()
    for assignment in ("ASSIGNMENT1", "ASSIGNMENT2"):
        asked = urlencode(mturk_link(study, window="1", assignmentId=assignment))
        page = words(client.get(f"{path}?{asked}"))
        assert client.post(f"{path}?{asked}").status_code == 302
    assert "You have already started this session" in page
    assert CrowdSession.objects.get().external_id == "ASSIGNMENT2"


def test_a_frame_cannot_begin_a_session(campaign: Campaign) -> None:
    study = StudyFactory(campaign=campaign, provider="mturk")
    path = reverse("arrive", args=[study.public_id])
    query = "&".join(f"{name}={value}" for name, value in mturk_link(study).items())
    Client().post(f"{path}?{query}")
    assert not Participant.objects.exists()


def test_a_complete_session_is_submitted_from_mturks_frame(campaign: Campaign) -> None:
    study = StudyFactory(campaign=campaign, provider="mturk", units=1)
    CrowdSessionFactory(
        study=study, status="completed", external_id="3ABCDEF012345",
        participant__external_id="A1B2C3D4E5", return_to="https://workersandbox.mturk.com",
    )  # fmt: skip
    page = Client().get(reverse("arrive", args=[study.public_id]), mturk_link(study))
    text = source(page)
    assert 'action="https://workersandbox.mturk.com/mturk/externalSubmit"' in text
    assert 'name="assignmentId" value="3ABCDEF012345"' in text
    assert "hx-trigger" not in text


def test_work_pages_say_how_far_the_session_is(study: Study) -> None:
    client = arrive(study)
    assert "Session: 0 of 2 twins Finish or stop" in words(client.get(reverse("my-work")))
    CrowdSession.objects.update(status="completed", ended_at="2026-01-01T00:00Z")
    assert "Session complete Get your code" in words(client.get(reverse("my-work")))


def test_the_bar_costs_nothing_foreverybody_else(study: Study, as_alice: Client) -> None:
    with CaptureQueriesContext(connection) as asked:
        assert "Your session" not in words(as_alice.get(reverse("my-work")))
    assert not [q for q in asked if "crowdsession" in q["sql"]]


@pytest.mark.parametrize(
    ("status", "heading", "code"),
    [
        ("completed", "Your session is complete", "completion_code"),
        ("screened_out", "You cannot take part in this study", "screen_out_code"),
        ("failed", "This session ended before it was complete", "failure_code"),
        ("returned", "You have returned this session", ""),
        ("timed_out", "The time of this session is over", ""),
    ],
)
def test_the_end_says_how_and_gives_its_code_alone(
    status: str, heading: str, code: str, study: Study, browse: Callable[[User], Client]
) -> None:
    session = CrowdSessionFactory(study=study, status=status)
    client = browse(session.participant.worker)
    text = words(client.get(reverse("crowd-session", args=[session.public_id])))
    assert heading in text
    for name in ("completion_code", "screen_out_code", "failure_code"):
        assert (getattr(study, name) in text) == (name == code)


def test_an_unfinished_session_keeps_its_code(
    study: Study, browse: Callable[[User], Client]
) -> None:
    session = CrowdSessionFactory(study=study)
    client = browse(session.participant.worker)
    response = client.post(reverse("finish-session", args=[session.public_id]))
    assert response.status_code == 409
    assert "0 of 2 are done" in words(response)
    assert study.completion_code not in source(response)


def test_a_return_address_cannot_run_anything(
    study: Study, browse: Callable[[User], Client]
) -> None:
    Study.objects.update(return_url="https://panel.example/?cc={code}&x=%22%3E")
    session = CrowdSessionFactory(study=study, status="failed", external_id='"><script>')
    text = source(
        browse(session.participant.worker).get(reverse("crowd-session", args=[session.public_id]))
    )
    assert '"><script>' not in text
    assert f"https://panel.example/?cc={study.failure_code}" in text


@pytest.mark.long
def test_platform_ids_are_shown_to_no_other_worker(
    study: Study, alice: User, browse: Callable[[User], Client]
) -> None:
    client = arrive(study, participant="secret-person")
    worker = Participant.objects.get().worker
    TwinFactory(campaign=study.campaign, author=worker, seats=1)
    pages = ["home", "my-work"]
    for browser in (browse(alice), client):
        for page in pages:
            assert "secret-person" not in source(browser.get(reverse(page)))
    assert "secret-person" not in source(browse(alice).get(reverse("validate", args=["kitchen"])))
    assert not Vote.objects.exists()
    assert not LedgerEntry.objects.exists()


def test_who_comes_back_for_another_session_is_not_told_that_they_are_signed_out(
    study: Study,
) -> None:
    client = arrive(study)
    text = words(client.get(link(study, session="s-2")))
    assert "You are signed in as" not in text
    other = words(client.get(link(study, participant="p-2", session="s-3")))
    assert "If you continue, you are signed out" in other


def test_signing_out_ends_the_bar(study: Study) -> None:
    client = arrive(study)
    client.post(reverse("account_logout"))
    client.force_login(UserFactory())
    assert "Session:" not in words(client.get(reverse("my-work")))


@pytest.mark.parametrize("provider", ["generic", "prolific", "mturk"])
def test_a_closed_study_says_so_and_stores_nothing(provider: str, campaign: Campaign) -> None:
    study = StudyFactory(campaign=campaign, provider=provider, is_open=False)
    if provider == "mturk":
        address = f"/arrive/{study.public_id}/?{urlencode(mturk_link(study, window='1'))}"
    else:
        is_generic = provider == "generic"
        address = link(study) if is_generic else prolific_link(study, "a" * 24, "b" * 24)
    for call in (Client().get, Client().post):
        page = call(address)
        assert page.status_code == 409
        assert "No work at the moment" in words(page)
        assert "Return the task" in words(page)
        assert (study.failure_code in words(page)) == (provider != "mturk")
    assert not Participant.objects.exists()
