"""The whole site behind the proxy: voting while others send slowly, and what its answers say."""

from contextlib import ExitStack

import pytest

from tests.factories import CampaignFactory, TwinFactory, UserFactory
from tests.served.people import ask, token_of, vote
from tests.served.proxy import Proxy
from tests.served.sockets import connected

pytestmark = pytest.mark.django_db(transaction=True)
SLOW = 20  # the server has sixteen threads


def test_slow_bodies_of_people_who_are_signed_in_hold_no_thread(site: Proxy) -> None:
    campaign = CampaignFactory()
    TwinFactory(campaign=campaign, seats=3)
    head = (
        f"POST /api/v1/campaigns/{campaign.slug}/seats/ HTTP/1.1\r\nHost: localhost\r\n"
        f"Authorization: {token_of(UserFactory())}\r\nContent-Type: application/json\r\n"
        "Content-Length: 1000\r\n\r\n{"
    )
    with ExitStack() as stack:
        for _ in range(SLOW):
            stack.enter_context(connected(site.https, tls=True)).sendall(head.encode())
        assert vote(site.https, campaign.slug, tls=True) == 201


def test_a_signed_in_answer_is_kept_by_nobody_and_the_site_asks_for_https(site: Proxy) -> None:
    answer = ask(site.https, "GET", "/sign-in/", tls=True)
    assert answer.headers["Strict-Transport-Security"] == "max-age=31536000"
    kept = ask(site.https, "GET", "/", tls=True, Cookie="sessionid=x")
    assert kept.headers["Cache-Control"] == "private, no-store"


def test_a_browser_that_looks_for_an_icon_is_led_to_the_hashed_one(site: Proxy) -> None:
    leads = ask(site.https, "GET", "/favicon.ico", tls=True).headers["Location"]
    icon = ask(site.https, "GET", leads, tls=True)
    assert (icon.status, icon.headers["Content-Type"]) == (200, "image/svg+xml; charset=utf-8")
    assert icon.headers["Cache-Control"] == "public, max-age=31536000, immutable"
