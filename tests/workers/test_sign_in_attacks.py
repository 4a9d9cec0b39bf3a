"""An attacker without an account tries to guess passwords, and to keep their owners out."""

import re
import time
from collections.abc import Iterator
from typing import Any

import pytest
from django.core import signing
from django.http import HttpResponse
from django.test import Client

from tests.factories import UserFactory
from winoplatform import broker, throttle
from workers import devices, sign_in_throttle
from workers.models import User

pytestmark = pytest.mark.django_db
PASSWORD = "a long pass phrase"
SHARED, ELSEWHERE = "192.0.2.1", "203.0.113.9"


@pytest.fixture(autouse=True)
def counted_from_nothing(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(
        sign_in_throttle, "ATTEMPTS_PER_ADDRESS", 25
    )  # as with 100, in a quarter of the time
    yield
    for name in broker.client().scan_iter(match=broker.key("throttle:*")):
        broker.client().delete(name)


@pytest.fixture
def curator() -> User:
    return UserFactory(username="curator", curator=True, password=PASSWORD)


def sign_in(client: Client, name: str, password: str, address: str = SHARED) -> Any:
    fields = {"username": name, "password": password}
    return client.post("/sign-in/", fields, REMOTE_ADDR=address)


def can_sign_in(client: Client, name: str = "curator", address: str = SHARED) -> bool:
    is_in = sign_in(client, name, PASSWORD, address).status_code == 302
    client.post("/sign-out/")
    return is_in


def browser_of(name: str) -> Client:
    """A browser in which *name* has signed in before, and out again."""
    browser = Client()
    assert can_sign_in(browser, name)
    return browser


def guesses(client: Client, name: str, address: str, attempts: int = 15) -> int:
    """Send wrong passwords; return how many were looked at."""
    return sum(
        b"too many attempts" not in sign_in(client, name, f"guess {number}", address).content
        for number in range(attempts)
    )


def test_wrong_passwords_from_elsewhere_do_not_keep_the_curator_out(curator: User) -> None:
    browser = browser_of("curator")
    assert guesses(Client(), "curator", ELSEWHERE) == sign_in_throttle.ATTEMPTS_PER_ACCOUNT
    assert can_sign_in(browser)


def test_an_attacker_behind_the_same_address_keeps_nobody_out_who_was_there_before(
    curator: User,
) -> None:
    UserFactory(username="erin", password=PASSWORD)
    browsers = {name: browser_of(name) for name in ("curator", "erin")}
    looked_at = sum(guesses(Client(), f"name{n}", SHARED, 10) for n in range(4))
    assert looked_at == sign_in_throttle.ATTEMPTS_PER_ADDRESS
    assert [name for name, browser in browsers.items() if can_sign_in(browser, name)] == [*browsers]


def test_an_address_that_has_used_up_its_attempts_locks_no_further_account(curator: User) -> None:
    for number in range(sign_in_throttle.ATTEMPTS_PER_ADDRESS):
        sign_in(Client(), f"name{number}", "wrong", ELSEWHERE)
    assert guesses(Client(), "curator", ELSEWHERE, 5) == 0
    assert can_sign_in(Client())


def test_sign_ins_of_the_owner_give_the_attacker_no_more_guesses(curator: User) -> None:
    browser = browser_of("curator")
    looked_at = 0
    for _ in range(3):
        looked_at += guesses(Client(), "curator", ELSEWHERE)
        assert can_sign_in(browser)
    assert looked_at == sign_in_throttle.ATTEMPTS_PER_ACCOUNT


def test_a_subscriber_with_many_ipv6_addresses_counts_as_one(curator: User) -> None:
    addresses = [f"2001:db8:1:2:{n:x}::1" for n in range(30)]
    looked_at = sum(guesses(Client(), f"name{n}", a, 1) for n, a in enumerate(addresses))
    assert looked_at == sign_in_throttle.ATTEMPTS_PER_ADDRESS
    assert guesses(Client(), "another", "2001:db8:1:3::1", 1) == 1
    assert throttle.network_of("::ffff:192.0.2.1") == throttle.network_of("192.0.2.1")


def test_a_stolen_cookie_gives_ten_guesses_and_never_another_account(curator: User) -> None:
    UserFactory(username="erin", password=PASSWORD)
    thief = browser_of("curator")
    assert guesses(thief, "curator", ELSEWHERE) == sign_in_throttle.ATTEMPTS_PER_DEVICE
    looked_at = guesses(thief, "erin", ELSEWHERE)
    assert looked_at == sign_in_throttle.ATTEMPTS_PER_ACCOUNT
    assert not can_sign_in(thief)


def test_a_new_password_makes_the_cookie_void(curator: User) -> None:
    thief = browser_of("curator")
    curator.set_password("another long phrase")
    curator.save()
    guesses(Client(), "curator", ELSEWHERE)
    assert guesses(thief, "curator", ELSEWHERE) == 0


@pytest.mark.parametrize("forged", ["", "x", "x:1:y", "\x00", "é" * 500, "a" * 4000])
def test_a_forged_cookie_is_worth_nothing(curator: User, forged: str, rf: Any) -> None:
    browser = browser_of("curator")
    (name,) = [each for each in browser.cookies if each.startswith("device_")]
    request = rf.post("/sign-in/")
    request.COOKIES[name] = forged
    assert devices.known_device(request, "curator") is None
    request.COOKIES[name] = browser.cookies[name].value
    assert devices.known_device(request, "curator")
    assert devices.known_device(request, "nobody") is None


def test_the_cookie_is_kept_from_scripts_and_other_sites(curator: User, settings: Any) -> None:
    settings.SESSION_COOKIE_SECURE = True
    browser = browser_of("curator")
    (cookie,) = [c for name, c in browser.cookies.items() if name.startswith("device_")]
    assert (cookie["httponly"], cookie["secure"], cookie["samesite"]) == (True, True, "Lax")
    assert "curator" not in cookie.OutputString()


def device_cookies(browser: Client) -> list[str]:
    kept = [each for each in browser.cookies.values() if each.key.startswith("device_")]
    return [each.key for each in kept if each.value]


def test_a_shared_computer_keeps_the_cookies_of_the_newest_ten_accounts(
    rf: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    browser, names, now = Client(), [], time.time()
    browser.cookies["device_forged"] = "é:no number:x"
    for number in range(13):
        monkeypatch.setattr(signing.time, "time", lambda number=number: now - 100 + number)
        user = UserFactory(username=f"shared{number}")
        request, response = rf.get("/"), HttpResponse()
        request.COOKIES = {key: browser.cookies[key].value for key in device_cookies(browser)}
        devices.remember_device(request, response, user)
        browser.cookies.update(response.cookies)
        names.append(next(key for key, each in response.cookies.items() if each.value))
    assert sorted(device_cookies(browser)) == sorted(names[-10:])
    request.COOKIES = {key: browser.cookies[key].value for key in device_cookies(browser)}
    known = [n for n in range(13) if devices.known_device(request, f"shared{n}")]
    assert known == list(range(3, 13))


def test_signing_in_again_takes_no_other_accounts_cookie(rf: Any) -> None:
    user, response = UserFactory(username="again"), HttpResponse()
    request = rf.get("/")
    devices.remember_device(request, response, user)
    own = next(iter(response.cookies.values()))
    request.COOKIES = {f"device_{n}": own.value for n in range(9)} | {own.key: own.value}
    again = HttpResponse()
    devices.remember_device(request, again, user)
    assert list(again.cookies) == [own.key]


def test_a_wrong_password_and_an_unknown_name_leave_no_cookie(curator: User) -> None:
    for name in ("curator", "nobody"):
        client = Client()
        sign_in(client, name, "wrong")
        assert not [each for each in client.cookies if each.startswith("device_")]


def said(answer: HttpResponse) -> str:
    """The errors of the form, without the seconds to wait, which pass between two requests."""
    return re.sub(r"Wait \d+ seconds", "Wait", str(answer.context["form"].errors))


def test_the_answers_do_not_tell_which_accounts_exist(curator: User) -> None:
    known, unknown = Client(), Client()
    for _ in range(sign_in_throttle.ATTEMPTS_PER_ACCOUNT + 2):
        one = sign_in(known, "curator", "wrong", ELSEWHERE)
        other = sign_in(unknown, "nobody0", "wrong", ELSEWHERE)
        assert said(one) == said(other)
    assert "too many attempts" in said(one)


@pytest.mark.parametrize("door", ["/admin/login/", "/api/v1/tokens/"])
def test_every_door_knows_the_browser(door: str) -> None:
    UserFactory(username="root", admin=True, password=PASSWORD)
    kind = {"content_type": "application/json"} if door.startswith("/api/") else {}
    browser, fields = Client(), {"username": "root", "password": PASSWORD}
    assert browser.post(door, fields, **kind).status_code in (201, 302)
    browser.post("/sign-out/")
    guesses(Client(), "root", ELSEWHERE, 12)
    assert browser.post(door, fields, **kind).status_code in (201, 302)


def test_a_counter_that_ended_meanwhile_is_not_kept_forever() -> None:
    before = set(broker.client().scan_iter(match=broker.key("throttle:*")))
    sign_in_throttle.forget(username="erin", address="198.51.100.77")
    names = set(broker.client().scan_iter(match=broker.key("throttle:*"))) - before
    assert len(names) == 2
    assert all(broker.client().ttl(name) > 0 for name in names)
