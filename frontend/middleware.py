"""Middleware: the reader's time zone, and a limit on bodies of anonymous requests."""

import zoneinfo
from collections.abc import Callable
from functools import cache
from typing import cast

from django.http import HttpRequest, HttpResponse
from django.utils import timezone

from frontend.http import PageRequest, refused
from winoplatform.bodies import read_anonymous
from winoplatform.errors import DomainError

COOKIE = "tz"


@cache
def _known_zones() -> frozenset[str]:
    return frozenset(zoneinfo.available_timezones())


class ReaderTimeZone:
    """Activate the zone that the page's script wrote into the cookie ``tz``.

    Clients can send any cookie: unknown names are ignored, and the installation's zone applies.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        name = request.COOKIES.get(COOKIE, "")
        if name not in _known_zones():
            return self.get_response(request)
        with timezone.override(zoneinfo.ZoneInfo(name)):
            return self.get_response(request)


class AnonymousBodies:
    """Refuse bodies of anonymous visitors that are too large, before a form is parsed.

    Under ``/api/`` nothing reads a body before the token is known (its views are exempt from the
    CSRF check), and ``winoplatform.api.permissions.Anyone`` limits it where no token is required.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        is_page = request.method == "POST" and not request.path.startswith("/api/")
        if is_page and not request.user.is_authenticated:
            try:
                read_anonymous(request)
            except DomainError as error:
                return refused(cast(PageRequest, request), error)
        return self.get_response(request)
