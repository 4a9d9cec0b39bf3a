"""tokens/ and me/: how programs sign in."""

from datetime import datetime, timedelta
from typing import Any

import pytest
from django.utils import timezone
from rest_framework.test import APIClient

from tests.api.calls import API, assert_error, client_of, ok
from tests.factories import ApiTokenFactory, UserFactory
from workers.models import ApiToken, User

PASSWORD = "a long pass phrase"


@pytest.fixture
def ada(db: None) -> User:
    return UserFactory(username="ada", password=PASSWORD)


def sign_in(password: str = PASSWORD, **more: object) -> object:
    body = {"username": "ada", "password": password, **more}
    return APIClient().post(f"{API}tokens/", body)


def test_a_password_buys_a_token_that_works(ada: User) -> None:
    made = ok(sign_in(name="script"), 201)
    assert made["token"].startswith(made["token_key"])
    client = APIClient()
    client.credentials(HTTP_AUTHORIZATION=f"Token {made['token']}")
    assert ok(client.get(f"{API}me/")) == {
        "id": ada.public_id,
        "username": "ada",
        "role": "worker",
    }


def test_a_token_has_the_scopes_and_days_that_were_asked_for(ada: User, settings: Any) -> None:
    made = ok(sign_in(), 201)
    assert made["scopes"] == ["read", "work"]
    assert ApiToken.objects.get().expiry - timezone.now() > timedelta(days=settings.TOKEN_DAYS - 1)
    made = ok(sign_in(scopes=["read"], days=7), 201)
    expires = datetime.fromisoformat(made["expires_at"]) - timezone.now()
    assert timedelta(days=6) < expires < timedelta(days=7)
    for wrong in ({"scopes": ["pay"]}, {"days": 366}, {"scopes": []}, {"scopes": ["all"]}):
        assert_error(sign_in(**wrong), 400, "invalid")


def test_a_token_that_has_expired_is_refused(ada: User) -> None:
    client = client_of(ada)
    ApiToken.objects.update(expiry=timezone.now())
    assert_error(client.get(f"{API}me/"), 401, "authentication_failed")


def test_all_tokens_end_at_once(ada: User) -> None:
    client, other = client_of(ada), ApiTokenFactory()
    ok(client.post(f"{API}tokens/end/"), 204)
    assert_error(client.get(f"{API}me/"), 401, "authentication_failed")
    assert ApiToken.objects.get() == other


def test_a_tokens_text_and_digest_are_never_shown_again(ada: User) -> None:
    token = ApiTokenFactory(user=ada)
    response = client_of(ada).get(f"{API}tokens/")
    assert {row["token_key"] for row in ok(response)["results"]} >= {token.token_key}
    assert token.text.encode() not in response.content
    assert token.digest.encode() not in response.content


@pytest.mark.parametrize("password", ["wrong", f"{PASSWORD} ", " "])
def test_a_wrong_password_buys_nothing(ada: User, password: str) -> None:
    assert_error(sign_in(password), 401, "authentication_failed")
    assert not ApiToken.objects.exists()


def test_an_account_that_is_switched_off_gets_no_token(ada: User) -> None:
    User.objects.update(is_active=False)
    assert_error(sign_in(), 401, "authentication_failed")


def test_guessing_at_one_account_is_slowed_down(db: None) -> None:
    body = {"username": "guessed", "password": "wrong"}
    answers = [APIClient().post(f"{API}tokens/", body) for _ in range(11)]
    assert_error(answers[9], 401, "authentication_failed")
    assert_error(answers[10], 429, "throttled")
    assert int(answers[10]["Retry-After"]) > 0


def test_a_stale_token_does_not_stand_in_the_way_of_a_new_one(ada: User) -> None:
    client = APIClient()
    client.credentials(HTTP_AUTHORIZATION="Token wino_gone")
    made = ok(client.post(f"{API}tokens/", {"username": "ada", "password": PASSWORD}), 201)
    assert made["token"].startswith("wino_")


def test_a_token_ends_when_its_owner_says_so(ada: User) -> None:
    client = client_of(ada)
    key = ok(client.get(f"{API}tokens/"))["results"][0]["token_key"]
    ok(client.delete(f"{API}tokens/{key}/"), 204)
    assert_error(client.get(f"{API}me/"), 401, "authentication_failed")


def test_nobody_ends_anothers_token(as_carol: APIClient, ada: User) -> None:
    token = ApiTokenFactory(user=ada)
    assert_error(as_carol.delete(f"{API}tokens/{token.token_key}/"), 404, "not_found")


@pytest.mark.parametrize("header", ["Token", "Token a b", "Token \xff\xfe", "Token x\x00y"])
def test_a_broken_header_is_refused(db: None, header: str) -> None:
    response = APIClient().get(f"{API}me/", HTTP_AUTHORIZATION=header)
    assert_error(response, 401, "authentication_failed")


def test_pages_of_tokens_hold_no_digest(ada: User) -> None:
    tokens = [ApiTokenFactory(user=ada) for _ in range(3)]
    client = client_of(ada)
    page = ok(client.get(f"{API}tokens/?page_size=2"))
    rest = ok(client.get(page["next"]))
    assert len(page["results"] + rest["results"]) == 4
    assert not any(token.digest in page["next"] for token in tokens)


def test_a_session_needs_the_csrf_token_and_an_api_token_does_not(ada: User) -> None:
    session = APIClient(enforce_csrf_checks=True)
    session.force_login(ada)
    ok(session.get(f"{API}me/"))
    assert_error(session.delete(f"{API}tokens/none/"), 403, "permission_denied")
    program = APIClient(enforce_csrf_checks=True)
    program.credentials(HTTP_AUTHORIZATION=f"Token {ApiTokenFactory(user=ada).text}")
    assert_error(program.delete(f"{API}tokens/none/"), 404, "not_found")
