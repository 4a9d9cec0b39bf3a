"""Sign-in with an institution by OpenID Connect, against a provider that runs here."""

from collections.abc import Iterator
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
import requests
from allauth.account.models import EmailAddress
from allauth.socialaccount.models import SocialAccount
from django.core.cache import cache
from django.test import Client

from tests.factories import UserFactory
from tests.frontend.institutions import OLD_CALLS, provider
from tests.frontend.pages import words
from tests.frontend.proofs import prove
from workers.models import AuditEvent, User

pytestmark = pytest.mark.filterwarnings(OLD_CALLS)


@pytest.fixture(autouse=True)
def institution(settings: Any) -> Iterator[None]:
    cache.clear()
    with provider(settings):
        yield


@pytest.fixture
def dana() -> User:
    dana = UserFactory(
        username="dana", email="dana@example.org", password="a long pass phrase", curator=True
    )
    EmailAddress.objects.create(user=dana, email=dana.email, verified=True, primary=True)
    return dana


def led_to(client: Client, query: str = "") -> str:
    """Begin to sign in; return the address at the institution."""
    return str(client.post(f"/institution/institution/{query}").context["address"])


def back_from(address: str, sub: str) -> str:
    """Be *sub* at the institution; return the address to which it leads back."""
    answer = requests.post(address, data={"sub": sub}, allow_redirects=False, timeout=10)
    came = urlsplit(answer.headers["Location"])
    return f"{came.path}?{came.query}"


def is_in(client: Client) -> bool:
    return "_auth_user_id" in client.session


def connected(user: User, sub: str) -> Any:
    """Connect *user*'s account with *sub*, as on the account page."""
    client = Client()
    client.force_login(user)
    prove(client, user)
    return client.get(back_from(led_to(client, "?process=connect"), sub))


@pytest.mark.long
def test_a_connected_account_is_signed_in_to_where_one_wanted(dana: User) -> None:
    assert connected(dana, "erin-at-home")["Location"] == "/account/institution/"
    client = Client()
    done = client.get(back_from(led_to(client, "?next=/people/"), "erin-at-home"))
    assert done["Location"] == "/people/"
    assert client.get("/account/").context["request"].user == dana
    event = AuditEvent.objects.filter(kind="sign_in").latest("pk")
    assert event.facts == {"proof": "socialaccount"}
    assert AuditEvent.objects.filter(kind="institution").get().facts == {"state": "connected"}


@pytest.mark.long
@pytest.mark.parametrize("sub", ["thief", "claimant", "nobody"])
def test_an_address_takes_no_account_over_and_makes_none(dana: User, sub: str) -> None:
    client = Client()
    said = client.get(back_from(led_to(client), sub))
    assert "No account is connected" in words(said)
    assert not is_in(client)
    assert not SocialAccount.objects.exists()
    assert User.objects.count() == 1


def test_an_answer_to_another_browser_opens_nothing(dana: User) -> None:
    """The thief begins, and lets the victim's browser end the sign-in; or the other way round."""
    connected(dana, "erin-at-home")
    thief, victim = Client(), Client()
    path = back_from(led_to(thief), "erin-at-home")
    victim.get("/sign-in/")
    assert "You did not sign in" in words(victim.get(path))
    assert not is_in(victim)


def test_a_changed_state_opens_nothing_and_an_answer_works_once(dana: User) -> None:
    connected(dana, "erin-at-home")
    client = Client()
    path = back_from(led_to(client), "erin-at-home")
    state = parse_qs(urlsplit(path).query)["state"][0]
    client.get(path.replace(state, "x" * len(state)))
    assert not is_in(client)
    client.get(path)
    assert is_in(client)
    client.post("/sign-out/")
    client.get(path)
    assert not is_in(client)


def test_a_session_connects_an_account_only_with_a_proof(dana: User) -> None:
    client = Client()
    client.force_login(dana)
    address = led_to(client, "?process=connect")
    asked = client.get(back_from(address, "thief"))
    assert asked["Location"].startswith("/account/confirm/")
    assert not SocialAccount.objects.exists()


def test_a_thief_leaves_no_identity_for_the_next_proof_of_the_owner(dana: User) -> None:
    client = Client()
    client.force_login(dana)
    client.get(back_from(led_to(client, "?process=connect"), "thief"))
    asked = client.get("/account/second-factor/app/")
    proved = client.post(asked["Location"], {"password": "a long pass phrase"})
    assert proved["Location"] == "/account/second-factor/app/"
    assert not SocialAccount.objects.exists()


def test_an_identity_opens_one_account_only(dana: User) -> None:
    connected(dana, "erin-at-home")
    connected(UserFactory(), "erin-at-home")
    assert SocialAccount.objects.get().user == dana


def test_no_sign_in_leads_to_another_site(dana: User) -> None:
    connected(dana, "erin-at-home")
    client = Client()
    address = led_to(client, "?next=https://evil.example/")
    assert client.get(back_from(address, "erin-at-home"))["Location"] == "/"


def test_who_declines_is_told_so() -> None:
    client = Client()
    denied = requests.post(
        led_to(client), data={"action": "deny"}, allow_redirects=False, timeout=10
    ).headers["Location"]
    said = client.get(denied.removeprefix("http://testserver"), follow=True)
    assert "You did not sign in" in words(said)
