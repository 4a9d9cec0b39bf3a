"""Which scope a token needs: decided for every operation, and enforced for each."""

import uuid
from types import SimpleNamespace
from typing import Any

import pytest
from django.urls import URLPattern
from rest_framework.test import APIClient

from tests.api.calls import API, Client, assert_error, client_of, ok
from tests.api.decided import DECIDED, OPERATIONS
from tests.api.test_operations import patterns, plain
from tests.factories import ApiTokenFactory, TwinFactory, UserFactory
from winoplatform.api.authentication import scope_of
from workers.models import User

NEEDED = {operation: scope for operation, (_, scope) in DECIDED.items()}
SCOPES = ("read", "work", "curate", "pay")


def needed_by(pattern: URLPattern) -> dict[str, str | None]:
    """Return the scope that each operation of an address needs, for a curator's token."""
    callback: Any = pattern.callback
    found = {}
    for method in ("GET", "POST", "PUT", "PATCH", "DELETE"):
        if hasattr(callback.view_class, method.lower()):
            view = callback.view_class(**callback.view_initkwargs)
            view.request = SimpleNamespace(method=method)
            found[f"{method} {plain(pattern)}"] = scope_of(view, method)
    return found


def test_every_operation_has_the_scope_that_is_decided() -> None:
    found = {name: scope for each in patterns() for name, scope in needed_by(each).items()}
    assert sum(len(methods.split()) for methods, *_ in OPERATIONS) == len(NEEDED)
    assert found == NEEDED


def test_an_operation_that_is_not_decided_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(NEEDED, "GET me/", "pay")
    with pytest.raises(AssertionError):
        test_every_operation_has_the_scope_that_is_decided()


def with_scopes(user: User, *scopes: str) -> Client:
    client = Client()
    token = ApiTokenFactory(user=user, scopes=scopes)
    client.credentials(HTTP_AUTHORIZATION=f"Token {token.text}")
    client.raise_request_exception = False
    return client


def address(operation: str) -> str:
    path = operation.partition(" ")[2]
    for name, value in {"slug": "x", "split": "test", "ending": "csv", "table": "votes"}.items():
        path = path.replace(f"<{name}>", value)
    path = path.replace("<id>", str(uuid.UUID(int=9)))
    return API + path.replace("<name>", "x.txt" if "files/" in path else "x").replace(
        "<kind>", "release"
    ).replace("<token_key>", "none").replace("<reasons>", "winowhy")


@pytest.mark.parametrize("scope", SCOPES)
def test_a_token_with_one_scope_can_do_nothing_else(scope: str, db: None) -> None:
    client = with_scopes(UserFactory(curator=True), scope)
    refused = set()
    for operation in sorted(NEEDED, key=lambda each: each == "POST tokens/end/"):
        response = client.generic(operation.partition(" ")[0], address(operation))
        if response.status_code == 403 and b"scope_missing" in response.content:
            refused.add(operation)
    assert refused == {name for name, needs in NEEDED.items() if needs not in (scope, None)}


def test_a_worker_reads_what_is_theirs_with_the_scope_read(db: None) -> None:
    ok(with_scopes(UserFactory(), "read").get(f"{API}twins/"))
    refused = with_scopes(UserFactory(curator=True), "read").get(f"{API}twins/")
    assert assert_error(refused, 403, "scope_missing") == {"scope": "curate"}


def test_a_session_needs_no_scope(db: None) -> None:
    TwinFactory()
    client = APIClient()
    client.force_login(UserFactory(curator=True))
    assert len(ok(client.get(f"{API}questions/"))["results"]) == 2
    assert client_of(None).get(f"{API}questions/").status_code == 401
