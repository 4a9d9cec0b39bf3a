"""Signing in and out, sessions, tokens, and proofs that are asked for again."""

from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.conf import settings
from django.core import mail
from django.core.cache import cache
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from tests.factories import ApiTokenFactory, CampaignFactory, PayoutFactory, UserFactory
from tests.frontend.pages import words
from tests.frontend.proofs import prove
from tests.frontend.roles import POSTS
from workers.models import ApiToken, AuditEvent, Invitation, User


@pytest.fixture
def person(db: None) -> None:
    UserFactory(username="erin", password="long-enough-7")


def test_a_password_opens_the_page_one_wanted(person: None) -> None:
    fields = {"login": "erin", "password": "long-enough-7", "next": "/my-work/"}
    assert Client().post("/sign-in/", fields)["Location"] == "/my-work/"


def test_a_wrong_password_is_said_without_saying_which_part_is_wrong(person: None) -> None:
    wrong = Client().post("/sign-in/", {"login": "erin", "password": "x"})
    nobody = Client().post("/sign-in/", {"login": "nobody", "password": "x"})
    said = "Please enter a correct username and password."
    assert said in words(wrong)
    assert said in words(nobody)


def test_signing_in_leads_to_no_other_host(person: None) -> None:
    fields = {"login": "erin", "password": "long-enough-7", "next": "https://evil.example/"}
    assert Client().post("/sign-in/", fields)["Location"] == "/"


def test_signing_out_needs_a_post_and_ends_the_session(person: None) -> None:
    client = Client()
    client.post("/sign-in/", {"login": "erin", "password": "long-enough-7"})
    assert client.get("/sign-out/").status_code == 405
    client.post("/sign-out/")
    assert client.get("/").status_code == 302


def test_a_form_without_its_token_is_refused_in_our_own_words(person: None) -> None:
    response = Client(enforce_csrf_checks=True).post("/sign-in/", {"login": "erin"})
    assert response.status_code == 403
    assert "Please submit again" in words(response)


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


def test_a_token_is_shown_once_and_works(as_alice: Client) -> None:
    made = as_alice.post(reverse("account"), {"name": "notebook", "scopes": "read", "days": "30"})
    text = made.context["text"]
    assert text in words(made)
    assert "no-store" in made["Cache-Control"]
    assert text not in words(as_alice.get(reverse("account")))
    answer = Client().get("/api/v1/campaigns/", headers={"Authorization": f"Token {text}"})
    assert answer.status_code == 200


def test_a_token_needs_a_name(as_alice: Client) -> None:
    response = as_alice.post(reverse("account"), {"name": ""})
    assert response.status_code == 400
    assert "This field is required." in words(response)
    assert not ApiToken.objects.exists()


def test_a_revoked_token_is_refused(as_alice: Client, alice: User) -> None:
    token = ApiTokenFactory(user=alice)
    response = as_alice.post(reverse("revoke-token", args=[token.token_key]), follow=True)
    assert "The token was ended" in words(response)
    answer = Client().get("/api/v1/campaigns/", headers={"Authorization": f"Token {token.text}"})
    assert answer.status_code == 401


def test_all_tokens_are_ended_at_once(as_alice: Client, alice: User) -> None:
    token, other = ApiTokenFactory(user=alice), ApiTokenFactory()
    ApiTokenFactory(user=alice)
    response = as_alice.post(reverse("revoke-all-tokens"), follow=True)
    assert "All tokens were ended" in words(response)
    assert [*ApiToken.objects.values_list("pk", flat=True)] == [other.pk]
    answer = Client().get("/api/v1/campaigns/", headers={"Authorization": f"Token {token.text}"})
    assert answer.status_code == 401


def test_the_list_says_what_a_token_may_do_and_when_it_was_used(
    as_alice: Client, alice: User
) -> None:
    token = ApiTokenFactory(user=alice, scopes=["read"], last_used_at=None)
    assert "never" in words(as_alice.get(reverse("account")))
    Client().get("/api/v1/campaigns/", headers={"Authorization": f"Token {token.text}"})
    used = ApiToken.objects.get(pk=token.pk).last_used_at
    assert used is not None
    Client().get("/api/v1/campaigns/", headers={"Authorization": f"Token {token.text}"})
    assert ApiToken.objects.get(pk=token.pk).last_used_at == used
    assert "never" not in words(as_alice.get(reverse("account")))


def test_a_worker_is_offered_no_scope_of_curators(as_alice: Client) -> None:
    form = as_alice.get(reverse("account")).context["form"]
    assert [value for value, _ in form.fields["scopes"].choices] == ["read", "work"]
    made = {"name": "x", "scopes": ["curate"], "days": "30"}
    assert as_alice.post(reverse("account"), made).status_code == 400


def test_another_users_token_is_not_listed(as_alice: Client) -> None:
    ApiTokenFactory(user=UserFactory(), name="secret-tool")
    assert "secret-tool" not in words(as_alice.get(reverse("account")))


ASKS = {
    *("account", "password-links", "approve-pay", "new-payout"),
    *("approve-extra", "approve-payout", "payout-paid"),
}
"""Invitations of curators ask too: those of workers do not."""
TOKEN = {"name": "mirror", "scopes": ["read", "curate"], "days": "7"}


@pytest.fixture
def erin_signed_in() -> User:
    return UserFactory(username="erin", password=PASSWORD, curator=True)


@pytest.fixture
def stale(erin_signed_in: User) -> Client:
    """Erin's session, whose proof was given some time ago."""
    client = Client()
    client.force_login(erin_signed_in)
    prove(client, erin_signed_in, ago=settings.ACCOUNT_REAUTHENTICATION_TIMEOUT)
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


@pytest.mark.long
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


def test_the_step_up_ends_after_ten_minutes(stale: Client, erin_signed_in: User) -> None:
    prove(stale, erin_signed_in, ago=settings.ACCOUNT_REAUTHENTICATION_TIMEOUT - 5)
    assert stale.post("/password-links/", {"username": "x"}).status_code == 400
    prove(stale, erin_signed_in, ago=settings.ACCOUNT_REAUTHENTICATION_TIMEOUT)
    assert is_asked(stale.post("/password-links/", {"username": "x"}))


def test_signing_in_is_enough_for_some_minutes(erin_signed_in: User) -> None:
    client = Client()
    client.post("/sign-in/", {"login": "erin", "password": PASSWORD})
    assert client.post("/account/", TOKEN).status_code == 200


def test_the_proof_of_another_account_in_the_same_browser_is_none(stale: Client) -> None:
    prove(stale, UserFactory())
    assert is_asked(stale.post("/account/", TOKEN))


@pytest.mark.long
@pytest.mark.parametrize("role", ["worker", "curator"])
def test_curators_are_invited_with_the_password_and_workers_without(
    stale: Client, role: str
) -> None:
    to = {"campaign": CampaignFactory().slug}
    form = {"public_id": "5f3c8a52-3a5f-4e0a-9a6a-0a2f6d0d7b21", "role": role, "days": 7, **to}
    assert is_asked(stale.post("/invitations/", form)) == (role == "curator")
    assert Invitation.objects.exists() == (role == "worker")
    rows = {"text": f"username,email,role\nada,ada@example.org,{role}\n", **to}
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
