"""Days in forms, in the reader's time zone: each is whole, none is too early or too late."""

from collections.abc import Callable
from datetime import UTC, date, datetime

import pytest
from django.http import HttpRequest, HttpResponse
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from collection.models import Campaign
from frontend.days import day_begins, day_ends
from frontend.middleware import ReaderTimeZone
from tests.factories import VoteFactory
from workers.models import User

ZONES = ("UTC", "Asia/Tokyo", "America/New_York", "Pacific/Kiritimati")
EDGES = ("0001-01-01", "0001-01-02", "9999-12-30", "9999-12-31")


def test_a_day_begins_and_ends_at_the_readers_midnight() -> None:
    with timezone.override("Asia/Tokyo"):
        assert day_begins(date(2026, 3, 1)) == datetime(2026, 2, 28, 15, tzinfo=UTC)
        assert day_ends(date(2026, 3, 1)) == datetime(2026, 3, 1, 15, tzinfo=UTC)
    with timezone.override("Europe/Berlin"):  # the clocks change: 23 hours
        assert day_begins(date(2026, 3, 29)) == datetime(2026, 3, 28, 23, tzinfo=UTC)
        assert day_ends(date(2026, 3, 29)) == datetime(2026, 3, 29, 22, tzinfo=UTC)


@pytest.mark.parametrize("zone", ZONES)
def test_the_calendars_ends_have_moments_or_none(zone: str) -> None:
    with timezone.override(zone):
        assert day_begins(None) is None
        assert day_ends(None) is None
        assert day_ends(date.max) is None
        for edge in EDGES:
            assert day_begins(date.fromisoformat(edge)).astimezone(UTC).year in (1, 9999)
        assert day_begins(date.min) < day_ends(date.min)


@pytest.mark.long
@pytest.mark.parametrize("zone", ZONES)
def test_no_page_breaks_on_a_day_at_the_calendars_ends(
    campaign: Campaign, dana: User, browse: Callable[[User], Client], zone: str
) -> None:
    vote = VoteFactory(question__twin__campaign=campaign)
    as_dana, as_validator = browse(dana), browse(vote.worker)
    for client in (as_dana, as_validator):
        client.cookies["tz"] = zone
    excluded = reverse("exclude-work", args=["kitchen", vote.worker.public_id])
    for edge in EDGES:
        days = {"since": edge, "until": edge}
        assert as_dana.get("/campaigns/kitchen/quality/", days | {"domain": ""}).status_code == 200
        assert as_dana.post("/campaigns/kitchen/pay/approve/", days).status_code == 302
        assert as_validator.get("/my-pay/", days).status_code == 200
        said = {"since": f"{edge}T00:00", "reason": "Hasty."}
        assert as_dana.post(excluded, said).status_code in (200, 302, 400)


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
