"""Who may have what each address answers is decided, for every address there is."""

import re
from types import ModuleType
from typing import Any

import pytest
from django.http import HttpRequest, HttpResponse
from django.test import Client
from django.urls import path
from rest_framework.views import APIView

from tests.access.routes import ADMIN, ELSEWHERE, every_route
from tests.factories import UserFactory
from winoplatform.urls import urlpatterns


def undecided(urlconf: Any = None) -> list[str]:
    return [route.path for route in every_route(urlconf) if not route.is_decided]


def test_every_address_is_decided() -> None:
    assert undecided() == []
    assert len(every_route()) > 250


def test_every_decision_is_about_an_address() -> None:
    assert set(ELSEWHERE) <= {route.path for route in every_route()}


class Leak(APIView):
    def get(self, request: Any) -> None: ...


def leak(request: HttpRequest) -> HttpResponse:
    return HttpResponse()


@pytest.mark.parametrize(
    "new",
    [
        path("api/v1/leak/", Leak.as_view()),
        path("leak/", leak, name="leak"),
        path("api/leak/", leak),
        path("my-work/more/", leak),  # without a name
    ],
)
def test_an_address_without_a_decision_is_found(new: Any) -> None:
    urlconf = ModuleType("urls_with_a_leak")
    urlconf.urlpatterns = [new, *urlpatterns]  # type: ignore[attr-defined]
    assert undecided(urlconf) == [str(new.pattern)]


OPEN_TO_ALL = {"admin/login/", "admin/logout/"}


@pytest.mark.parametrize("who", ["nobody", "worker", "curator"])
def test_the_admin_site_is_for_admins_alone(who: str) -> None:
    client = Client()
    if who != "nobody":
        client.force_login(UserFactory(curator=who == "curator"))
    paths = [route.path for route in every_route() if route.path.startswith(ADMIN)]
    for address in set(paths) - OPEN_TO_ALL:
        response = client.get("/" + re.sub(r"<\w+>", "workers", address))
        assert response.status_code == 302, address
        assert response["Location"].startswith("/admin/login/"), address
