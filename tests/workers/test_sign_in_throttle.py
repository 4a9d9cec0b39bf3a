"""One limit to passwords tried stands behind every door."""

import threading
from collections.abc import Iterator
from typing import Any

import pytest
from django.test import Client

from tests.factories import UserFactory
from winoplatform import broker
from winoplatform.embedded import ServiceError
from winoplatform.errors import DomainError
from workers import sign_in_throttle

pytestmark = pytest.mark.django_db
PASSWORD = "a long pass phrase"
DOORS = ["/sign-in/", "/admin/login/", "/api/v1/tokens/"]
TOO_MANY = "There were too many attempts to sign in."


def forget_all() -> None:
    names = list(broker.client().scan_iter(match=broker.key("throttle:*")))
    if names:
        broker.client().delete(*names)


@pytest.fixture(autouse=True)
def counted_from_nothing() -> Iterator[None]:
    forget_all()
    yield
    forget_all()


def knock(door: str, name: str, password: str = "wrong", **headers: str) -> Any:
    fields = {"username": name, "password": password}
    kind = {"content_type": "application/json"} if door.startswith("/api/") else {}
    return Client().post(door, fields, **kind, headers=headers)


@pytest.mark.parametrize("door", DOORS)
def test_behind_every_door_too_many_attempts_are_refused_with_the_wait(door: str) -> None:
    UserFactory(username="guessed", password=PASSWORD)
    for number in range(sign_in_throttle.ATTEMPTS_PER_ACCOUNT):
        assert TOO_MANY not in knock(DOORS[number % 3], "guessed").content.decode()
    refused = knock(door, "Guessed" if "api" in door else "guessed", PASSWORD)
    assert TOO_MANY in refused.content.decode()
    assert "_auth_user_id" not in refused.client.session


def test_a_right_password_lets_one_mistype_again_in_the_same_browser() -> None:
    UserFactory(username="erin", password=PASSWORD)
    browser = Client()
    for _ in range(3):
        for _ in range(sign_in_throttle.ATTEMPTS_PER_DEVICE - 1):
            browser.post(DOORS[0], {"username": "erin", "password": "wrong"})
        right = browser.post(DOORS[0], {"username": "erin", "password": PASSWORD})
        assert right.status_code == 302
        browser.post("/sign-out/")


def test_one_address_cannot_try_account_after_account() -> None:
    for number in range(sign_in_throttle.ATTEMPTS_PER_ADDRESS):
        sign_in_throttle.count(username=f"user{number}", address="192.0.2.1")
    with pytest.raises(DomainError) as caught:
        sign_in_throttle.count(username="the next", address="192.0.2.1")
    assert caught.value.status == 429
    assert 0 < caught.value.details["retry_after"] <= sign_in_throttle.WINDOW_SECONDS
    sign_in_throttle.count(username="the next", address="192.0.2.2")


def test_people_who_share_an_address_do_not_use_it_up_by_signing_in() -> None:
    for number in range(2 * sign_in_throttle.ATTEMPTS_PER_ADDRESS):
        sign_in_throttle.count(username=f"user{number}", address="192.0.2.1")
        sign_in_throttle.forget(username=f"user{number}", address="192.0.2.1")


def test_behind_a_proxy_its_own_word_about_the_address_counts(rf: Any, settings: Any) -> None:
    request = rf.post("/", REMOTE_ADDR="10.0.0.1", HTTP_X_FORWARDED_FOR="6.6.6.6, 192.0.2.1")
    assert sign_in_throttle.address_of(request) == "10.0.0.1"
    settings.HTTPS = True
    assert sign_in_throttle.address_of(request) == "192.0.2.1"
    assert sign_in_throttle.address_of(rf.post("/", REMOTE_ADDR="10.0.0.1")) is None


def test_many_attempts_at_once_do_not_slip_through() -> None:
    passed: list[int] = []

    def attempt() -> None:
        try:
            sign_in_throttle.count(username="guessed", address=None)
        except DomainError:
            return
        passed.append(1)

    threads = [threading.Thread(target=attempt) for _ in range(40)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(passed) == sign_in_throttle.ATTEMPTS_PER_ACCOUNT


def test_without_redis_people_are_let_in(monkeypatch: pytest.MonkeyPatch) -> None:
    def away() -> None:
        raise ServiceError

    UserFactory(username="erin", password=PASSWORD)
    with monkeypatch.context() as patch:
        patch.setattr(broker, "client", away)
        assert knock(DOORS[0], "erin", PASSWORD).status_code == 302
