"""A proof is asked again before a session makes what outlives it, or pays."""

from typing import Any

import pytest
from django.conf import settings
from django.core.cache import cache
from django.test import Client
from django.urls import reverse

from tests.factories import CampaignFactory, PayoutFactory, UserFactory
from tests.frontend.pages import words
from tests.frontend.proofs import prove
from tests.frontend.roles import POSTS
from workers.models import ApiToken, AuditEvent, Invitation, User

PASSWORD = "a long pass phrase"
ASKS = {
    *("account", "password-links", "approve-pay", "new-payout"),
    *("approve-extra", "approve-payout", "payout-paid"),
}
"""Invitations of curators ask too: those of workers do not."""
TOKEN = {"name": "mirror", "scopes": ["read", "curate"], "days": "7"}


@pytest.fixture
def erin() -> User:
    return UserFactory(username="erin", password=PASSWORD, curator=True)


@pytest.fixture
def stale(erin: User) -> Client:
    """Erin's session, whose proof was given some time ago."""
    client = Client()
    client.force_login(erin)
    prove(client, erin, ago=settings.ACCOUNT_REAUTHENTICATION_TIMEOUT)
    return client


def is_asked(answer: Any) -> bool:
    return answer.status_code == 302 and answer["Location"].startswith("/account/confirm/?next=")


def confirmed(client: Client, page: str, form: dict[str, Any], password: str) -> Any:
    asked = client.post(page, form)
    assert is_asked(asked)
    return client.post(asked["Location"], {"password": password})


def test_the_page_that_asks_keeps_the_form_and_goes_on_with_it(stale: Client) -> None:
    made = confirmed(stale, "/account/", TOKEN, PASSWORD)
    token = ApiToken.objects.get()
    assert made.status_code == 200
    assert made.context["text"].startswith(token.token_key)
    assert (token.name, token.scopes) == ("mirror", ["read", "curate"])
    assert stale.post("/account/", TOKEN | {"name": "second"}).status_code == 200


def test_a_wrong_password_does_nothing_and_is_counted(stale: Client) -> None:
    cache.clear()
    assert "The password is wrong." in words(confirmed(stale, "/account/", TOKEN, "a guess"))
    answers = [stale.post("/account/confirm/", {"password": "a guess"}) for _ in range(10)]
    assert answers[-1].status_code == 429
    stale.post("/account/confirm/", {"password": PASSWORD})
    assert is_asked(stale.post("/account/", TOKEN))
    assert not ApiToken.objects.exists()
    assert AuditEvent.objects.filter(kind="confirm_failed").count() == 10
    cache.clear()


def test_the_step_up_ends_after_ten_minutes(stale: Client, erin: User) -> None:
    prove(stale, erin, ago=settings.ACCOUNT_REAUTHENTICATION_TIMEOUT - 5)
    assert stale.post("/password-links/", {"username": "x"}).status_code == 400
    prove(stale, erin, ago=settings.ACCOUNT_REAUTHENTICATION_TIMEOUT)
    assert is_asked(stale.post("/password-links/", {"username": "x"}))


def test_signing_in_is_enough_for_some_minutes(erin: User) -> None:
    client = Client()
    client.post("/sign-in/", {"login": "erin", "password": PASSWORD})
    assert client.post("/account/", TOKEN).status_code == 200


def test_the_proof_of_another_account_in_the_same_browser_is_none(stale: Client) -> None:
    prove(stale, UserFactory())
    assert is_asked(stale.post("/account/", TOKEN))


@pytest.mark.parametrize("role", ["worker", "curator"])
def test_curators_are_invited_with_the_password_and_workers_without(
    stale: Client, role: str
) -> None:
    form = {"public_id": "5f3c8a52-3a5f-4e0a-9a6a-0a2f6d0d7b21", "role": role}
    assert is_asked(stale.post("/invitations/", form)) == (role == "curator")
    assert Invitation.objects.exists() == (role == "worker")
    rows = {"text": f"username,email,role\nada,ada@example.org,{role}\n"}
    if role == "curator":
        confirmed(stale, "/invitations/list/invite/", rows, PASSWORD)
    else:
        stale.post("/invitations/list/invite/", rows)
    assert Invitation.objects.filter(username="ada").exists()


@pytest.mark.parametrize("page", sorted(ASKS))
def test_each_of_these_forms_asks(stale: Client, page: str) -> None:
    campaign = CampaignFactory(slug="winter")
    payout = PayoutFactory(budget=campaign.public_id)
    args = [payout.public_id] if "payout" in page and page != "new-payout" else ["winter"]
    has_none = page in ("account", "password-links")
    form = TOKEN if page == "account" else {}
    assert is_asked(stale.post(reverse(page, args=[] if has_none else args), form))
    assert set(POSTS) >= ASKS
