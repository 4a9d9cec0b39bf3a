"""Where a person is signed in, and the end of it."""

import pytest
from allauth.account.models import EmailAddress
from django.core import mail
from django.core.cache import cache
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from tests.factories import UserFactory
from tests.frontend.pages import words
from workers.models import AuditEvent, User

PASSWORD = "a long pass phrase"


@pytest.fixture(autouse=True)
def counted_from_nothing() -> None:
    cache.clear()


@pytest.fixture
def erin() -> User:
    return UserFactory(username="erin", password=PASSWORD)


def signed_in(address: str) -> Client:
    client = Client(REMOTE_ADDR=address, headers={"user-agent": f"Browser of {address}"})
    client.post("/sign-in/", {"login": "erin", "password": PASSWORD})
    return client


def test_a_stolen_cookie_is_seen_and_ended_from_the_list(erin: User) -> None:
    here, thief = signed_in("192.0.2.1"), signed_in("203.0.113.9")
    page = words(here.get("/account/sessions/"))
    assert "203.0.113.9" in page
    assert "Browser of 203.0.113.9" in page
    here.post("/account/sessions/")
    assert thief.get("/account/").status_code == 302
    assert here.get("/account/").status_code == 200
    assert "203.0.113.9" not in words(here.get("/account/sessions/"))
    ended = AuditEvent.objects.get(kind="sessions_ended")
    assert (ended.account, ended.facts) == (erin, {"count": 1})


def test_nobody_ends_sessions_of_others(erin: User) -> None:
    others = Client()
    others.force_login(UserFactory())
    own = signed_in("192.0.2.1")
    others.post("/account/sessions/")
    assert own.get("/account/").status_code == 200


def test_a_request_of_a_session_writes_nothing(erin: User) -> None:
    client = signed_in("192.0.2.1")
    for page in ("/", "/my-work/", "/account/", "/account/second-factor/", "/api/v1/me/"):
        with CaptureQueriesContext(connection) as asked:
            assert client.get(page).status_code == 200
        assert not [q for q in asked if not q["sql"].lstrip().upper().startswith("SELECT")]


def test_a_session_that_an_attacker_planted_does_not_become_the_victims(erin: User) -> None:
    client = Client()
    client.get("/sign-in/?next=/my-work/")
    client.post("/sign-in/", {"login": "erin", "password": "wrong"})
    session = client.session
    session["planted"] = "yes"
    session.save()
    planted = session.session_key
    client.cookies["sessionid"] = planted
    client.post("/sign-in/", {"login": "erin", "password": PASSWORD})
    thief = Client()
    thief.cookies["sessionid"] = planted
    assert thief.get("/account/").status_code == 302
    assert client.get("/account/").status_code == 200


@pytest.mark.parametrize(
    "address",
    ["https://evil.example/", "//evil.example/", "/\\evil.example", "javascript:alert(1)"],
)
def test_no_sign_in_or_proof_leads_to_another_site(erin: User, address: str) -> None:
    client = Client()
    fields = {"login": "erin", "password": PASSWORD, "next": address}
    assert client.post("/sign-in/", fields)["Location"] == "/"
    assert client.get("/sign-in/", {"next": address})["Location"] == "/"
    asked = client.post("/account/confirm/", {"password": PASSWORD, "next": address})
    assert asked["Location"] == "/"


def test_an_address_counts_when_its_mail_was_answered(erin: User) -> None:
    client = signed_in("192.0.2.1")
    client.post("/account/address/", {"action_add": "1", "email": "erin@example.org"})
    link = next(line for line in mail.outbox[-1].body.splitlines() if "/confirm-address/" in line)
    path = link.removeprefix("http://testserver")
    assert "Is erin@example.org the address of your account erin?" in words(client.get(path))
    assert not EmailAddress.objects.get().verified
    client.post(path)
    assert EmailAddress.objects.get(verified=True).email == "erin@example.org"
    assert AuditEvent.objects.get(kind="address").facts == {"state": "confirmed"}


def test_a_session_changes_the_address_only_with_a_proof(erin: User) -> None:
    client = Client()
    client.force_login(erin)
    form = {"action_add": "1", "email": "thief@example.org"}
    asked = client.post("/account/address/", form)
    assert asked["Location"].startswith("/account/confirm/")
    assert not EmailAddress.objects.exists()
