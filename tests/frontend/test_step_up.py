"""The password is asked again before a session makes what outlives it, or pays."""

import pytest
from django.test import Client
from django.urls import reverse

from tests.factories import CampaignFactory, PayoutFactory, UserFactory
from tests.frontend.pages import words
from tests.frontend.roles import POSTS
from winoplatform import step_up
from workers.models import ApiToken, AuditEvent, Invitation, PasswordLink, User

pytestmark = pytest.mark.django_db
PASSWORD = "a long pass phrase"
ASKS = {
    "account",
    "password-links",
    "approve-pay",
    "new-payout",
    "approve-extra",
    "approve-payout",
    "payout-paid",
}
"""Invitations of curators ask too: those of workers do not."""


@pytest.fixture
def erin() -> User:
    return UserFactory(username="erin", password=PASSWORD, curator=True)


@pytest.fixture
def stale(erin: User) -> Client:
    """Erin's session, whose password was asked some time ago."""
    client = Client()
    client.force_login(erin)
    return client


def confirmed(client: Client, page: str, form: dict[str, object], password: str) -> object:
    asked = client.post(page, form)
    assert asked.status_code == 403
    assert "Your password, please" in words(asked)
    kept: dict[str, list[object]] = {}
    for name, value in asked.context["fields"]:
        kept.setdefault(name, []).append(value)
    return client.post(page, kept | {"password_again": password})


def test_the_page_that_asks_keeps_the_form_and_goes_on_with_it(stale: Client) -> None:
    form = {"name": "mirror", "scopes": ["read", "curate"], "days": "7"}
    made = confirmed(stale, "/account/", form, PASSWORD)
    token = ApiToken.objects.get()
    assert made.status_code == 200  # type: ignore[attr-defined]
    assert (token.name, token.scopes) == ("mirror", ["read", "curate"])
    assert stale.post("/account/", form | {"name": "second"}).status_code == 200


def test_a_wrong_password_does_nothing_and_is_counted(stale: Client) -> None:
    form = {"name": "mirror", "scopes": ["read"], "days": "7"}
    answer = confirmed(stale, "/account/", form, "a guess")
    assert "The password is wrong." in words(answer)
    assert not ApiToken.objects.exists()
    for _ in range(10):
        answer = stale.post("/account/", form | {"password_again": "a guess"})
    assert "too many" in words(answer)
    right = stale.post("/account/", form | {"password_again": PASSWORD})
    assert right.status_code == 403
    assert AuditEvent.objects.filter(kind="confirm_failed").count() == 10


def test_the_step_up_ends_after_ten_minutes(stale: Client) -> None:
    stale.post("/password-links/", {"username": "x", "password_again": PASSWORD})
    assert stale.post("/password-links/", {"username": "x"}).status_code == 400
    session = stale.session
    session[step_up.KEY] -= step_up.SECONDS
    session.save()
    assert stale.post("/password-links/", {"username": "x"}).status_code == 403


def test_signing_in_is_enough_for_some_minutes(erin: User) -> None:
    client = Client()
    client.post("/sign-in/", {"username": "erin", "password": PASSWORD})
    made = client.post("/account/", {"name": "n", "scopes": ["read"], "days": "7"})
    assert made.status_code == 200


@pytest.mark.parametrize("role", ["worker", "curator"])
def test_curators_are_invited_with_the_password_and_workers_without(
    stale: Client, role: str
) -> None:
    form = {"public_id": "5f3c8a52-3a5f-4e0a-9a6a-0a2f6d0d7b21", "role": role}
    asked = stale.post("/invitations/", form)
    assert (asked.status_code == 403) == (role == "curator")
    assert Invitation.objects.exists() == (role == "worker")
    rows = f"username,email,role\nada,ada@example.org,{role}\n"
    asked = stale.post("/invitations/list/", {"text": rows})
    assert (asked.status_code == 403) == (role == "curator")
    if role == "curator":
        confirmed(stale, "/invitations/list/", {"text": rows}, PASSWORD)
    assert Invitation.objects.filter(username="ada").exists()


@pytest.mark.parametrize("page", sorted(ASKS - {"account"}))
def test_each_of_these_forms_asks(stale: Client, page: str) -> None:
    campaign = CampaignFactory(slug="winter")
    payout = PayoutFactory(budget=campaign.public_id)
    args = [payout.public_id] if "payout" in page and page != "new-payout" else ["winter"]
    answer = stale.post(reverse(page, args=[] if page == "password-links" else args))
    assert "Your password, please" in words(answer)
    assert not PasswordLink.objects.exists()
    assert set(POSTS) >= ASKS
