"""Many sign-ins at once are answered in time or refused politely, and voting goes on."""

from collections import Counter
from concurrent.futures import ThreadPoolExecutor

import pytest

from tests.factories import CampaignFactory, TwinFactory, UserFactory
from tests.journeys.servers import Server
from tests.served.people import Answer, ask, vote
from workers.hashers import PBKDF2, Argon2
from workers.models import User

MANY = 40
PASSWORD = "a-long-enough-password"
pytestmark = pytest.mark.django_db(transaction=True)


def with_hash(hashed: str) -> User:
    user = UserFactory()
    User.objects.filter(pk=user.pk).update(password=hashed)
    return user


def signed_in(web: Server, name: str, password: str = PASSWORD) -> Answer:
    body = {"username": name, "password": password, "name": "served"}
    return ask(web.port, "POST", "/api/v1/tokens/", body=body)


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


def test_an_earlier_hash_is_replaced_when_its_owner_signs_in(web: Server) -> None:
    user = with_hash(PBKDF2().encode(PASSWORD, "a-salt-of-16-chr", 1_000))
    assert signed_in(web, user.username).status == 201
    stored = User.objects.get(pk=user.pk).password
    assert stored.startswith("argon2$argon2id$v=19$m=19456,t=2,p=1$")
    assert signed_in(web, user.username).status == 201
    assert signed_in(web, user.username, "wrong").status == 401
