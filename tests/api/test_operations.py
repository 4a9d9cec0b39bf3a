"""Each operation: who may use it, which scope its token needs, and what the API says of it."""

import re
import uuid

import pytest
from django.urls import URLPattern, get_resolver

from tests.api.calls import API, client_of
from tests.api.decided import ADMIN, CURATOR, DECIDED, PUBLIC, VALIDATE
from tests.api.description import LIST, description, listed
from tests.factories import CampaignFactory, UserFactory

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
