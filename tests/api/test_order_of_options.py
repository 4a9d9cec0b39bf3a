"""What the order of options and choices tells who reads everything that the interface sends."""

import uuid
from collections.abc import Callable
from random import Random
from typing import Any

import pytest

from collection.models import Campaign
from collection.services.joining.exercise import ItemText, set_exercise
from tests.api.calls import API, client_of, ok
from tests.factories import (
    OPTIONS,
    SENTENCES,
    CampaignFactory,
    SeatFactory,
    TwinFactory,
    UserFactory,
)
from workers.models import User

N, HABIT = 100, 80
BOUND = N / 2 + 5 * (N / 4) ** 0.5  # five standard deviations of fair coins

Shown = tuple[int, list[str], str]  # the seat's id, its options as shown, the author's answer


def seat_of_first_sentence(campaign: Campaign, worker: User, *, answer: int) -> Any:
    """A seat of a sentence that "trophy" answers, stored as the first option or as the second."""
    option1, option2 = OPTIONS if answer == 1 else OPTIONS[::-1]
    twin = TwinFactory(campaign=campaign, option1=option1, option2=option2, sentences=SENTENCES[:1])
    twin.questions.update(answer=answer)
    return SeatFactory(question=twin.questions.get(), worker=worker)


@pytest.fixture
def held() -> list[Shown]:
    """What Bob is shown of a campaign whose writers put the first answer first in 80 %."""
    campaign, bob = CampaignFactory(slug="kitchen"), UserFactory()
    client, shown = client_of(bob), []
    for number in range(N):
        seat = seat_of_first_sentence(campaign, bob, answer=1 if number < HABIT else 2)
        read = ok(client.get(f"{API}seats/{seat.public_id}/"))
        shown.append((uuid.UUID(read["id"]).int, read["options"], OPTIONS[0]))
    return shown


def right(held: list[Shown], is_swapped: Callable[[int], int]) -> int:
    """How often "what is stored first" is the answer, where a rule tells the stored order."""
    return sum(options[is_swapped(id)] == answer for id, options, answer in held)


@pytest.mark.long
def test_no_bit_of_a_seats_id_tells_the_answer_by_the_writers_habit(held: list[Shown]) -> None:
    """Before: 80 of 100 by the last bit."""
    found = {bit: right(held, lambda id, bit=bit: id >> bit & 1) for bit in range(128)}
    assert max(found.values()) <= BOUND, found
    assert min(found.values()) >= N - BOUND, found


def test_no_visible_id_tells_the_right_choice_of_an_exercise() -> None:
    """Before: 50 of 50 items, whose curator put the right choice first."""
    campaign, bob = CampaignFactory(slug="kitchen"), UserFactory()
    items = [ItemText(f"Which, {n}?", ("right", "wrong"), 1, "So it is.") for n in range(50)]
    set_exercise(campaign=campaign, items=items, skill="validate")
    client = client_of(bob)
    me = ok(client.get(f"{API}me/"))["id"]
    shown = ok(client.get(f"{API}campaigns/kitchen/exercise/?skill=validate"))["items"]
    orders = [Random(f"{me}/{item['id']}").sample([1, 2], 2) for item in shown]
    guessed = [item["choices"][order.index(1)] for item, order in zip(shown, orders, strict=True)]
    assert guessed.count("right") <= 25 + 5 * (50 / 4) ** 0.5
