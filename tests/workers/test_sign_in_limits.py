"""An attacker without an account tries to guess passwords, and to keep their owners out."""

import re
from collections.abc import Iterator
from typing import Any

import pytest
from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from allauth.mfa.totp.internal.auth import TOTP
from django.core.cache import cache
from django.test import Client

from tests.factories import UserFactory
from winoplatform.embedded import ServiceError
from winoplatform.processes import broker
from workers.addresses import address_of

PASSWORD = "a long pass phrase"
SHARED, ELSEWHERE = "192.0.2.1", "203.0.113.9"
DOORS = ["/sign-in/", "/api/v1/tokens/"]
OF_THE_ACCOUNT, OF_THE_ADDRESS = 6, 9


@pytest.fixture(autouse=True)
def counted_from_nothing(settings: Any) -> Iterator[None]:
    settings.ACCOUNT_RATE_LIMITS = {  # as with 10 and 100, in less time
        **settings.ACCOUNT_RATE_LIMITS,
        "login_failed": f"{OF_THE_ACCOUNT}/5m/key",
    }
    settings.SIGN_IN_ATTEMPTS_OF_ADDRESS = OF_THE_ADDRESS
    count_from_nothing()
    UserFactory(username="curator", curator=True, password=PASSWORD)
    yield
    count_from_nothing()


def count_from_nothing() -> None:
    cache.clear()
    for key in broker.client().scan_iter(match=broker.key("throttle:*")):
        broker.client().delete(key)


def attempt(name: str, password: str, address: str = SHARED, door: str = DOORS[0]) -> Any:
    if door == DOORS[0]:
        return Client().post(door, {"login": name, "password": password}, REMOTE_ADDR=address)
    body = {"username": name, "password": password}
    return Client().post(door, body, content_type="application/json", REMOTE_ADDR=address)


def is_let_in(name: str = "curator", address: str = SHARED, door: str = DOORS[0]) -> bool:
    return attempt(name, PASSWORD, address, door).status_code in (201, 302)


def guesses(name: str, address: str, attempts: int = 15, door: str = DOORS[0]) -> int:
    """Send wrong passwords; return how many were looked at."""
    answers = (attempt(name, f"guess {n}", address, door) for n in range(attempts))
    return sum(b"too many attempts" not in answer.content for answer in answers)


@pytest.mark.long
@pytest.mark.parametrize("door", DOORS)
def test_guesses_from_elsewhere_are_limited_and_do_not_keep_the_owner_out(door: str) -> None:
    assert guesses("curator", ELSEWHERE, door=door) == OF_THE_ACCOUNT
    assert not is_let_in(address=ELSEWHERE, door=door)
    assert is_let_in(address=SHARED, door=door)


def test_both_doors_share_one_limit_whatever_the_case_of_the_name() -> None:
    half = OF_THE_ACCOUNT // 2
    assert guesses("curator", ELSEWHERE, half, DOORS[0]) == half
    assert guesses("Curator", ELSEWHERE, OF_THE_ACCOUNT, DOORS[1]) == OF_THE_ACCOUNT - half


def test_one_address_cannot_try_account_after_account_nor_lock_the_next() -> None:
    looked_at = sum(guesses(f"name{n}", ELSEWHERE, 1) for n in range(OF_THE_ADDRESS + 5))
    assert looked_at == OF_THE_ADDRESS
    assert guesses("curator", ELSEWHERE, 5) == 0
    assert is_let_in()


def test_sign_ins_of_the_owner_give_a_neighbour_no_more_guesses() -> None:
    looked_at = 0
    for _ in range(2):
        looked_at += guesses("curator", SHARED, 4)
        is_let_in()
    assert looked_at == OF_THE_ACCOUNT


def test_a_second_factor_of_an_own_account_gives_its_address_no_more_guesses() -> None:
    mallory = UserFactory(username="mallory", password=PASSWORD)
    TOTP.activate(mallory, "JBSWY3DPEHPK3PXP")
    looked_at = 0
    for code in RecoveryCodes.activate(mallory).generate_codes()[:4]:
        looked_at += sum(guesses(f"name{code}{n}", ELSEWHERE, 1) for n in range(4))
        client = Client(REMOTE_ADDR=ELSEWHERE)
        client.post(DOORS[0], {"login": "mallory", "password": PASSWORD})
        client.post("/sign-in/second-factor/", {"code": code})
    assert looked_at == OF_THE_ADDRESS


def test_a_subscriber_with_many_ipv6_addresses_counts_as_one() -> None:
    addresses = [f"2001:db8:1:2:{n:x}::1" for n in range(OF_THE_ACCOUNT + 5)]
    assert sum(guesses("curator", address, 1) for address in addresses) == OF_THE_ACCOUNT
    assert guesses("curator", "2001:db8:1:3::1", 1) == 1


def test_guesses_from_many_networks_are_limited_for_the_account(settings: Any) -> None:
    settings.ACCOUNT_RATE_LIMITS = settings.ACCOUNT_RATE_LIMITS | {"sign_in_account": "7/h/key"}
    assert sum(guesses("curator", f"198.51.{n}.1", 1) for n in range(9)) == 7
    assert guesses("another", "198.51.100.1", 1) == 1


def test_the_answers_do_not_tell_which_accounts_exist() -> None:
    for _ in range(OF_THE_ACCOUNT + 2):
        known = attempt("curator", "wrong", SHARED).context["form"].errors
        unknown = attempt("nobody", "wrong", ELSEWHERE).context["form"].errors
        assert str(known) == str(unknown)
    assert re.search("too many attempts", str(known))


def test_people_who_share_an_address_do_not_use_it_up_by_signing_in() -> None:
    assert all(is_let_in() for _ in range(OF_THE_ADDRESS + 1))


def test_without_redis_people_are_let_in(monkeypatch: pytest.MonkeyPatch) -> None:
    def away() -> None:
        raise ServiceError

    with monkeypatch.context() as patch:
        patch.setattr(broker, "client", away)
        assert [is_let_in(door=door) for door in DOORS] == [True, True]


def test_behind_a_proxy_its_own_word_about_the_address_counts(rf: Any, settings: Any) -> None:
    request = rf.post("/", REMOTE_ADDR="10.0.0.1", HTTP_X_FORWARDED_FOR="6.6.6.6, 192.0.2.1")
    assert address_of(request) == "10.0.0.1"
    settings.ALLAUTH_TRUSTED_PROXY_COUNT = 1
    assert address_of(request) == "192.0.2.1"
    assert address_of(None) is None
