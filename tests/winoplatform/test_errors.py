"""Under /api/ also what Django itself refuses has the one error shape."""

import json

import pytest
from django.http import HttpRequest
from django.test import Client

from tests.api.calls import API, assert_error, client_of
from tests.factories import UserFactory
from winoplatform.api import errors
from winoplatform.api.system import Nothing


def test_an_address_beside_the_interface_is_not_found(db: None) -> None:
    assert_error(Client().get("/api/nope"), 404, "not_found")
    assert Client().get("/nope")["Content-Type"].startswith("text/html")


def test_another_host_is_refused_with_the_right_address(db: None) -> None:
    response = Client().get(f"{API}me/", headers={"Host": "evil.example"})
    assert_error(response, 400, "unknown_host")
    assert "http://127.0.0.1:8000" in response.json()["error"]["message"]


def test_a_fault_of_our_own_is_told_without_its_details(
    db: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(self: Nothing, request: HttpRequest, *args: object, **options: object) -> None:
        raise RuntimeError("a secret")

    monkeypatch.setattr(Nothing, "http_method_not_allowed", fail)
    response = Client(raise_request_exception=False).get(f"{API}nope/")
    assert_error(response, 500, "server_error")
    assert b"secret" not in response.content


@pytest.mark.parametrize("session", [False, True])
def test_a_body_that_is_too_large_is_refused_with_the_limit(db: None, session: bool) -> None:
    dana = UserFactory(curator=True)
    client = client_of(None if session else dana)
    if session:
        client.force_login(dana)
    response = client.post(f"{API}campaigns/", {"name": "x" * 6_000_000})
    assert_error(response, 413, "too_large")
    assert "5,242,880 bytes" in response.json()["error"]["message"]


def test_what_django_could_not_read_is_a_bad_request() -> None:
    body = json.loads(errors.outside(400).content)
    assert body["error"]["code"] == "bad_request"
