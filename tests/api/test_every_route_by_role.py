"""Every route of the interface × every role: each pair is decided here."""

import re
import uuid

import pytest
from django.urls import URLPattern, get_resolver

from tests.api.calls import API, client_of
from tests.api.decided import ADMIN, CURATOR, DECIDED, PUBLIC, VALIDATE
from tests.factories import CampaignFactory, UserFactory

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
