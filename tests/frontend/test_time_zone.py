import pytest
from django.http import HttpRequest, HttpResponse
from django.utils import timezone

from frontend.middleware import ReaderTimeZone


def zone_for(cookie: str) -> str:
    seen: list[str] = []

    def answer(request: HttpRequest) -> HttpResponse:
        seen.append(timezone.get_current_timezone_name())
        return HttpResponse()

    request = HttpRequest()
    request.COOKIES["tz"] = cookie
    ReaderTimeZone(answer)(request)
    return seen[0]


def test_the_zone_of_the_cookie_is_active_for_the_request_alone() -> None:
    assert zone_for("Asia/Kolkata") == "Asia/Kolkata"
    assert timezone.get_current_timezone_name() == "UTC"


@pytest.mark.parametrize("cookie", ["", "Mars/Olympus", "../../etc/passwd", "Europe", "a" * 9000])
def test_a_cookie_that_names_no_zone_is_ignored(cookie: str) -> None:
    assert zone_for(cookie) == "UTC"
