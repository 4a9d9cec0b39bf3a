"""The whole site behind the proxy, while others send slowly, sign in at once, or never read."""

from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack

import pytest

from tests.factories import CampaignFactory, TwinFactory, UserFactory
from tests.journeys.servers import Server
from tests.served.people import Answer, ask, token_of, vote
from tests.served.proxy import Proxy
from tests.served.sockets import connected
from workers.hashers import PBKDF2, Argon2
from workers.models import User

pytestmark = pytest.mark.django_db(transaction=True)
SLOW = 20  # the server has sixteen threads


@pytest.mark.long
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


MANY = 40
PASSWORD = "a-long-enough-password"


def with_hash(hashed: str) -> User:
    user = UserFactory()
    User.objects.filter(pk=user.pk).update(password=hashed)
    return user


def signed_in(web: Server, name: str, password: str = PASSWORD) -> Answer:
    body = {"username": name, "password": password, "name": "served"}
    return ask(web.port, "POST", "/api/v1/tokens/", body=body)


@pytest.mark.long
def test_forty_at_once_leave_threads_to_voters(web: Server) -> None:
    campaign = CampaignFactory()
    TwinFactory(campaign=campaign, seats=3)
    hashed = Argon2().encode(PASSWORD, Argon2().salt())
    names = [with_hash(hashed).username for _ in range(MANY)]
    with ThreadPoolExecutor(MANY) as clients:
        answers = [clients.submit(signed_in, web, name) for name in names]
        assert vote(web.port, campaign.slug) == 201
        statuses = Counter(answer.result().status for answer in answers)
    assert set(statuses) <= {201, 503}
    assert statuses[201] > 0
    for answer in (each.result() for each in answers):
        if answer.status == 503:
            assert answer.json["error"]["code"] == "busy_try_again"
            assert answer.headers["retry-after"] == "1"


@pytest.mark.long
def test_an_earlier_hash_is_replaced_when_its_owner_signs_in(web: Server) -> None:
    user = with_hash(PBKDF2().encode(PASSWORD, "a-salt-of-16-chr", 1_000))
    assert signed_in(web, user.username).status == 201
    stored = User.objects.get(pk=user.pk).password
    assert stored.startswith("argon2$argon2id$v=19$m=19456,t=2,p=1$")
    assert signed_in(web, user.username).status == 201
    assert signed_in(web, user.username, "wrong").status == 401
