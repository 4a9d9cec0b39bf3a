"""Shows times in the reader's own zone."""

import zoneinfo
from collections.abc import Callable
from functools import cache

from django.http import HttpRequest, HttpResponse
from django.utils import timezone

COOKIE = "tz"


@cache
def _known_zones() -> frozenset[str]:
    return frozenset(zoneinfo.available_timezones())


class ReaderTimeZone:
    """Activate the zone that the page's script wrote into the cookie ``tz``.

    A cookie is whatever a client sends: names that are no zone are ignored, and the installation's
    own zone stays.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        name = request.COOKIES.get(COOKIE, "")
        if name not in _known_zones():
            return self.get_response(request)
        with timezone.override(zoneinfo.ZoneInfo(name)):
            return self.get_response(request)
