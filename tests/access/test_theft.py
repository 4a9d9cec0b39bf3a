"""A scripted theft of a session and of a token, and what the audit log says of it afterwards."""

import json
import logging
from typing import Any
from urllib.parse import unquote

import pytest
from django.conf import settings
from django.test import Client
from django.urls import reverse

from tests.api.calls import API, assert_error, ok
from tests.factories import TwinFactory, UserFactory
from tests.frontend.pages import words
from tests.frontend.proofs import prove
from workers.models import ApiToken, AuditEvent, User

PASSWORD = "a long pass phrase of dana"
HOME, THIEF = "198.51.100.20", "203.0.113.66"


def from_(address: str, **cookies: str) -> Client:
    client = Client(REMOTE_ADDR=address, raise_request_exception=False)
    client.cookies.load(cookies)
    return client


@pytest.fixture
def dana() -> User:
    return UserFactory(username="dana", password=PASSWORD, curator=True)


@pytest.fixture
def campaign() -> str:
    return TwinFactory(campaign__slug="winter").campaign.slug


def signed_in(dana: User) -> Client:
    client = from_(HOME)
    assert client.post("/sign-in/", {"login": "dana", "password": PASSWORD}).status_code == 302
    return client


def later(client: Client) -> None:
    """Let the time pass after which the password is asked again."""
    prove(client, User.objects.get(username="dana"), ago=settings.ACCOUNT_REAUTHENTICATION_TIMEOUT)


def story() -> list[tuple[str, str, str, str]]:
    """Return who did what to what from where, oldest first."""
    events = AuditEvent.objects.exclude(kind="account").select_related("by").order_by("pk")
    return [(e.by.username if e.by else "", e.kind, e.what, e.address) for e in events]


def as_token(text: str, address: str) -> dict[str, Any]:
    return {"headers": {"Authorization": f"Token {text}"}, "REMOTE_ADDR": address}


def test_the_log_tells_a_theft_from_its_owners_work(
    dana: User, campaign: str, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    client = signed_in(dana)
    made = client.post("/account/", {"name": "mirror", "scopes": ["read"], "days": 30})
    text = made.context["text"]
    later(client)
    # The cookie is stolen: labels can be read with it, but it makes nothing that lasts.
    cookie = client.cookies["sessionid"].value
    thief = from_(THIEF, sessionid=cookie)
    export = f"/api/v1/campaigns/{campaign}/export/questions"
    assert thief.get(export, {"format": "csv"}).status_code == 200
    token = {"name": "x", "scopes": ["read"], "days": 30}
    asked = "/account/confirm/?next=/account/"
    assert unquote(thief.post("/account/", token)["Location"]) == asked
    assert "The password is wrong." in words(thief.post(asked, {"password": "a guess of mine"}))
    assert ApiToken.objects.count() == 1
    body = {"role": "curator"}
    refused = thief.post(f"{API}invitations/", body, content_type="application/json")
    assert_error(refused, 403, "password_required")
    # The stolen token reads, and no labels.
    ok(Client().get(f"{API}releases/", **as_token(text, THIEF)))
    for wanted in (export, f"{API}questions/", f"{API}votes/"):
        assert_error(Client().get(wanted, **as_token(text, THIEF)), 403, "scope_missing")
    refused = Client().post(f"{API}campaigns/", {}, **as_token(text, THIEF))
    assert_error(refused, 403, "scope_missing")
    client.post("/account/tokens/end/")
    assert Client().get(f"{API}me/", **as_token(text, THIEF)).status_code == 401
    assert story() == [
        ("dana", "sign_in", "", HOME),
        ("dana", "token_made", text[:15], HOME),
        ("dana", "labels_file", export, THIEF),
        ("dana", "confirm_failed", "", THIEF),
        ("dana", "token_ended", text[:15], HOME),
    ]
    # One session, from two addresses.
    sessions = AuditEvent.objects.exclude(via="command").values_list("via", flat=True)
    assert len(set(sessions)) == 1
    everything = json.dumps([*map(repr, AuditEvent.objects.values_list())]) + caplog.text
    for secret in (PASSWORD, text, cookie, "a guess of mine"):
        assert secret not in everything


def test_a_stolen_token_with_all_scopes_is_found_by_what_it_read(dana: User, campaign: str) -> None:
    client = signed_in(dana)
    scopes = ["read", "work", "curate", "pay"]
    text = client.post("/account/", {"name": "all", "scopes": scopes, "days": 30}).context["text"]
    ok(Client().get(f"{API}questions/?campaign={campaign}", **as_token(text, THIEF)))
    body = {"role": "curator"}
    made = Client().post(
        f"{API}invitations/", body, content_type="application/json", **as_token(text, THIEF)
    )
    code = ok(made, 201)["link"].partition("#")[2]
    labels, invited = AuditEvent.objects.filter(via=f"token {text[:15]}").order_by("pk")
    assert (labels.kind, labels.facts) == ("labels", {"campaign": campaign})
    assert (invited.kind, invited.facts, invited.address) == ("invited", body, THIEF)
    assert code not in repr([*AuditEvent.objects.values_list()])


def test_a_download_that_breaks_off_is_in_the_log(dana: User, campaign: str) -> None:
    response = signed_in(dana).get(f"/api/v1/campaigns/{campaign}/export/votes")
    assert AuditEvent.objects.first().kind == "labels_file"  # type: ignore[union-attr]
    response.close()


def test_no_byte_is_sent_that_cannot_be_recorded(
    dana: User, campaign: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    client = signed_in(dana)
    client.raise_request_exception = False

    def fail(*args: Any, **options: Any) -> None:
        raise OSError("no space")

    monkeypatch.setattr("frontend.middleware.record_read", fail)
    response = client.get(f"/api/v1/campaigns/{campaign}/export/questions")
    assert response.status_code == 500
    assert b"trophy" not in response.content


def test_a_failed_sign_in_names_the_account_but_no_text(dana: User) -> None:
    for name in ("dana", PASSWORD):
        from_(THIEF).post(reverse("account_login"), {"login": name, "password": "guess"})
    unknown, known = AuditEvent.objects.filter(kind="sign_in_failed")
    assert (known.account, known.address, known.by) == (dana, THIEF, None)
    assert unknown.account is None
    assert PASSWORD not in repr([*AuditEvent.objects.values_list()])
