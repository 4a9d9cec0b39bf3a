"""How far the starter campaign is, on the pages that one sees first."""

from collections.abc import Callable

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from tests.factories import StarterLoadFactory
from tests.frontend.pages import source, words
from winoplatform.runs.models import RunStatus
from workers.models import User

Browse = Callable[[User], Client]
POLLS = 'hx-get="/starter/"'
RUNNING = {
    "status": RunStatus.RUNNING, "done": 257, "total": 1392, "activity": "53 of 1,188 votes given"
}  # fmt: skip


@pytest.fixture
def pages(db: None, bob: User, dana: User, browse: Browse) -> list[tuple[Client, str]]:
    """The first page of nobody, a worker and a curator."""
    return [(Client(), "/sign-in/"), (browse(bob), "/"), (browse(dana), "/")]


def test_every_first_page_shows_how_far_it_is_and_asks_again(
    pages: list[tuple[Client, str]],
) -> None:
    StarterLoadFactory(**RUNNING, started_at=timezone.now(), leased_until=timezone.now())
    StarterLoadFactory._meta.model.objects.update(leased_until=None)
    for client, path in pages:
        page = client.get(path)
        assert "The starter campaign is being loaded." in words(page)
        assert "18% · 53 of 1,188 votes given" in words(page)
        assert '<progress max="1" value="0.1846" aria-label="The starter' in source(page)
        assert POLLS in source(page)
        assert POLLS in source(client.get(reverse("starter")))


def test_once_it_is_there_the_last_answer_says_so_and_nobody_asks_again(
    pages: list[tuple[Client, str]],
) -> None:
    StarterLoadFactory(finished=True)
    for client, path in pages:
        assert 'id="starter"' not in source(client.get(path))
        answer = client.get(reverse("starter"))
        assert "The starter campaign is loaded." in words(answer)
        assert POLLS not in source(answer)


def test_where_none_was_asked_for_nothing_is_said(pages: list[tuple[Client, str]]) -> None:
    for client, path in pages:
        assert 'id="starter"' not in source(client.get(path))
        assert words(client.get(reverse("starter"))) == ""


@pytest.mark.parametrize("status", [RunStatus.FAILED, RunStatus.CANCELLED])
def test_one_that_ended_early_is_said_and_a_curator_lets_it_continue(
    status: RunStatus, pages: list[tuple[Client, str]]
) -> None:
    load = StarterLoadFactory(status=status, failure="The disk is full.", ended_at=timezone.now())
    for client, path in pages[:2]:
        text = words(client.get(path))
        assert "The starter campaign is incomplete" in text
        assert "A curator can resume it." in text
        assert "The disk is full." not in text
    dana, path = pages[2]
    page = dana.get(path)
    assert ("The disk is full." in words(page)) == (status == RunStatus.FAILED)
    assert POLLS not in source(page)
    dana.post(reverse("resume-run", args=["starterload", load.public_id]))
    load.refresh_from_db()
    assert load.status == RunStatus.QUEUED


def test_a_load_that_waits_says_for_what(pages: list[tuple[Client, str]]) -> None:
    StarterLoadFactory()
    for client, path in pages:
        assert "waiting for a worker" in words(client.get(path))
