"""Each operation: who may use it, which scope its token needs, and what the API says of it."""

import re
import uuid
from types import SimpleNamespace
from typing import Any

import pytest
from django.urls import URLPattern, get_resolver
from rest_framework.test import APIClient

from tests.api.calls import API, Client, assert_error, client_of, ok
from tests.api.decided import ADMIN, CURATOR, DECIDED, OPERATIONS, PUBLIC, VALIDATE
from tests.api.description import LIST, description, listed
from tests.factories import ApiTokenFactory, CampaignFactory, TwinFactory, UserFactory
from winoplatform.api.authentication import scope_of
from workers.models import User

GIVES_WORK = {
    "assignments_another", "assignments_renew", "campaigns_assignments_create",
    "campaigns_exercise_attempts_create", "campaigns_seats_create", "twins_revise",
}  # fmt: skip


def operations() -> dict[str, dict]:
    return {
        f"{method.upper()} {path}": operation
        for path, methods in description()["paths"].items()
        for method, operation in methods.items()
    }


def test_the_list_of_operations_is_that_of_the_code() -> None:
    assert listed() == LIST.read_text(), (
        "The API has changed: run make operations and read the diff."
    )


def test_every_route_is_described() -> None:
    assert len(operations()) == len(routes())


def test_every_operation_says_what_it_does_and_how_it_refuses() -> None:
    for name, operation in operations().items():
        assert operation.get("description"), f"{name} has no description"
        for code, answer in operation["responses"].items():
            if code.startswith("4"):
                schema = answer["content"]["application/json"]["schema"]
                assert schema == {"$ref": "#/components/schemas/Error"}, (name, code)
        if "security" in operation:
            assert "401" in operation["responses"], f"{name} does not tell of strangers"


def test_who_may_come_without_a_token_is_decided_here() -> None:
    opened = {
        operation["operationId"]
        for operation in operations().values()
        if "security" not in operation
    }
    # A password, and a platform's signature, say who is there.
    assert opened == {"tokens_create", "studies_events_create"}


def test_operation_ids_are_unique_and_plain() -> None:
    ids = [operation["operationId"] for operation in operations().values()]
    assert len(set(ids)) == len(ids)
    assert all(name.replace("_", "").isalpha() and name.islower() for name in ids)


def test_a_client_asking_for_work_can_read_that_they_may_be_refused() -> None:
    forbidden = {
        each["operationId"] for each in operations().values() if "403" in each["responses"]
    }
    assert forbidden >= GIVES_WORK


METHODS = ("get", "post", "put", "patch", "delete")


def routes() -> list[str]:
    """Return "METHOD path" of everything that answers under the interface's address."""
    return [route for pattern in patterns() for route in _methods(pattern)]


def patterns() -> list[URLPattern]:
    [api] = [r for r in get_resolver().url_patterns if str(r.pattern) == API.lstrip("/")]
    return [p for app in api.url_patterns for p in getattr(app, "url_patterns", [app])]


def plain(pattern: URLPattern) -> str:
    """Return an address with its parameters' names alone: ``<uuid:id>/`` is ``<id>/``."""
    return re.sub(r"<\w+:(\w+)>", r"<\1>", str(pattern.pattern))


def _methods(pattern: URLPattern) -> list[str]:
    path = plain(pattern)
    view = pattern.callback.view_class
    return [f"{method.upper()} {path}" for method in METHODS if hasattr(view, method)]


def test_every_route_is_decided() -> None:
    assert sorted(routes()) == sorted(DECIDED)


@pytest.mark.parametrize("route", DECIDED)
def test_a_route_answers_its_roles_only(route: str, db: None) -> None:
    method, path = route.split()
    CampaignFactory(slug="winter")
    given = {"slug": "winter", "token_key": "none", "split": "test", "name": "x"}
    given |= {"kind": "release", "ending": "csv", "table": "votes", "reasons": "winowhy"}
    for name, value in given.items():
        path = path.replace(f"<{name}>", value)
    path = path.replace("<id>", str(uuid.uuid4())).replace("files/x", "files/x.txt")

    def answer(user: object) -> int:
        return client_of(user).generic(method, f"{API}{path}").status_code

    allowed, _ = DECIDED[route]
    anonymous, worker, curator = (
        answer(user) for user in (None, UserFactory(), UserFactory(curator=True))
    )
    assert (anonymous == 401) == (allowed != PUBLIC)
    assert (worker == 403) == (allowed in (CURATOR, ADMIN))
    assert worker != 401
    assert (curator == 403) == (allowed in (VALIDATE, ADMIN))
    assert curator in (200, 204, 400, 403, 404, 409)


def test_an_admin_may_do_what_a_curator_may(db: None) -> None:
    admin = client_of(UserFactory(admin=True))
    assert admin.get(f"{API}questions/").status_code == 200
    assert admin.get(f"{API}audit-log/").status_code == 200


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


@pytest.mark.parametrize(
    "scope", ["read", *(pytest.param(scope, marks=pytest.mark.long) for scope in SCOPES[1:])]
)
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
