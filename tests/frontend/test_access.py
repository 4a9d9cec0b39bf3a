"""Every page, for everybody: who may open it is decided in `roles.py`, page by page."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from django.db import transaction
from django.test import Client
from django.urls import reverse

from collection.models import Campaign
from frontend.urls import urlpatterns
from tests.factories import TwinFactory, UserFactory
from tests.frontend.page_addresses import addresses_of
from tests.frontend.roles import GETS, PAGES, POSTS, SIGN_IN
from workers.models import User


@pytest.fixture
def addresses(alice: User, campaign: Campaign) -> dict[str, list[Any]]:
    return addresses_of(alice, campaign)


def test_every_page_is_decided_once() -> None:
    assert sorted(PAGES) == sorted(str(pattern.name) for pattern in urlpatterns)


def verdict(response: Any) -> int | str:
    to_sign_in = response.status_code == 302 and "/sign-in/?next=" in response["Location"]
    return SIGN_IN if to_sign_in else response.status_code


PEOPLE = ["nobody", "alice", "carol", "dana"]


@contextmanager
def undone() -> Iterator[None]:
    """Let what happens meanwhile not have happened: the rows of all pages are made once."""
    with transaction.atomic():
        yield
        transaction.set_rollback(True)


@pytest.mark.parametrize("who", PEOPLE)
def test_who_may_open_each_page(
    who: str,
    addresses: dict[str, list[Any]],
    alice: User,
    carol: User,
    dana: User,
    browse: Callable[[User], Client],
) -> None:
    people, place = {"alice": alice, "carol": carol, "dana": dana}, PEOPLE.index(who)
    found = {}
    for name in GETS:
        path = reverse(name, args=addresses.get(name, []))
        with undone():
            client = browse(people[who]) if who in people else Client()
            # Alice may end what she holds when the campaign pauses; others get no article then.
            if name == "author" and who in ("carol", "dana"):
                Campaign.objects.update(status=Campaign.Status.PAUSED)
            found[name] = (verdict(client.get(path)), verdict(client.post(path)))
    assert found == {name: (GETS[name][place], POSTS[name][place]) for name in GETS}


def test_a_draft_campaign_is_not_there_for_workers(as_carol: Client, campaign: Campaign) -> None:
    Campaign.objects.update(status=Campaign.Status.DRAFT)
    for page in ("author", "validate"):
        assert as_carol.get(reverse(page, args=["kitchen"])).status_code == 404


def test_another_writers_twin_shows_nothing_of_itself(as_carol: Client) -> None:
    twin = TwinFactory()
    response = as_carol.get(reverse("receipt", args=[twin.public_id]))
    assert response.status_code == 404
    assert "trophy" not in response.content.decode()


def test_a_form_sent_after_the_session_ended_leads_back_to_its_page(campaign: Campaign) -> None:
    response = Client().post(
        reverse("validate", args=["kitchen"]), headers={"referer": "http://testserver/x/y/"}
    )
    assert response["Location"] == "/sign-in/?next=/x/y/"
    elsewhere = Client().post(
        reverse("validate", args=["kitchen"]), headers={"referer": "http://evil.example/x/"}
    )
    assert elsewhere["Location"] == "/sign-in/?next=/"


def test_a_part_asked_for_after_the_session_ended_leaves_the_page_and_what_is_typed(
    db: None,
) -> None:
    headers = {"HX-Request": "true", "HX-Current-URL": "http://testserver/campaigns/x/validate/"}
    response = Client().get("/", headers=headers)
    assert response.status_code == 401
    assert response["HX-Reswap"] == "none"
    assert "signed-out" in response["HX-Trigger"]


def test_a_worker_made_curator_sees_at_once_what_curators_see(
    campaign: Campaign, browse: Callable[[User], Client]
) -> None:
    user = UserFactory()
    client = browse(user)
    assert client.get(reverse("campaign", args=["kitchen"])).status_code == 403
    User.objects.filter(pk=user.pk).update(role=User.Role.CURATOR)
    assert client.get(reverse("campaign", args=["kitchen"])).status_code == 200
