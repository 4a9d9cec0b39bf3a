"""What a validator types and sends: kept where a part is missing, counted as the browser counts."""

from typing import Any

import pytest
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse

from collection.models import Campaign
from tests.factories import TwinFactory
from tests.frontend.pages import HTMX, source, words
from validation import services
from validation.models import Seat, Vote
from workers.models import User

VOTE = {"option": "1", "clarity": "clear"}


@pytest.fixture
def seat(campaign: Campaign, alice: User, bob: User) -> Seat:
    """A question whose sentence Bob has uncovered."""
    TwinFactory(campaign=campaign, author=alice, seats=3)
    seat = services.claim_seat(worker=bob, campaign=campaign)
    return services.answer_local(worker=bob, seat_id=seat.public_id, shown_option=None)


def vote(client: Client, seat: Seat, data: dict[str, Any] | None = None) -> HttpResponse:
    address = reverse("cast-vote", args=["kitchen", seat.public_id])
    return client.post(address, VOTE if data is None else data, headers=HTMX)


@pytest.mark.parametrize("headers", [{}, HTMX])
def test_a_missing_part_of_a_vote_costs_nothing_that_was_typed(
    headers: dict[str, str], as_bob: Client, seat: Seat
) -> None:
    typed = {"clarity": "clear", "comment": "A <b>", "report": "offensive"}
    address = reverse("cast-vote", args=["kitchen", seat.public_id])
    answer = as_bob.post(address, typed, headers=headers)
    assert answer.status_code == 400
    assert "A &lt;b&gt;</textarea>" in source(answer)
    assert 'value="offensive" form="vote" checked' in source(answer)
    vote(as_bob, seat)
    changed = reverse("amend-vote", args=["kitchen", seat.public_id])
    answer = as_bob.post(changed, typed | {"comment": "Otherwise."}, headers=headers)
    assert "Otherwise.</textarea>" in source(answer)


def test_a_line_break_counts_as_one_character(as_bob: Client, seat: Seat) -> None:
    comment = "a" * 400 + "\r\n" * 99 + "b"
    vote(as_bob, seat, VOTE | {"comment": comment + "b"})
    assert not Vote.objects.exists()
    vote(as_bob, seat, VOTE | {"comment": comment})
    assert len(Vote.objects.get().comment) == 500


def test_what_is_no_vote_gets_a_receipt_alone_where_the_next_question_is_shown(
    as_bob: Client, seat: Seat
) -> None:
    answer = vote(as_bob, seat, {"shown": "1"})
    assert answer.status_code == 400
    assert "was not saved. First choose the option" in words(answer)
    assert 'id="lease"' not in source(answer)


def test_without_scripts_a_changed_vote_is_said_to_be_changed(as_bob: Client, seat: Seat) -> None:
    vote(as_bob, seat)
    address = reverse("amend-vote", args=["kitchen", seat.public_id])
    answer = as_bob.post(address, VOTE | {"clarity": "both"}, follow=True)
    assert "Your vote is changed." in words(answer)
    assert "Undo" not in words(answer)


@pytest.mark.parametrize("name", ["train", "submit-exercise", "accept-guidelines"])
def test_a_curator_cannot_do_the_validators_exercise(
    name: str, as_dana: Client, campaign: Campaign
) -> None:
    answer = as_dana.post(reverse(name, args=["kitchen"]), {"skill": "validate"})
    assert answer.status_code == 403
