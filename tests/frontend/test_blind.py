"""The validator's pages tell nothing of answer, author, other votes or gold."""

import itertools
import re
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from tests.blind import (
    FIRST,
    SECOND,
    SLUG,
    World,
    assert_alike,
    build,
    hold,
    hold_next,
    pause,
    tell,
)
from tests.factories import TwinFactory, UserFactory
from tests.frontend.pages import HTMX
from validation.models import QualityNotice, Seat
from validation.services import as_shown

pytestmark = pytest.mark.usefixtures("noon")


def client_of(user: Any) -> Client:
    client = Client()
    client.force_login(user)
    return client


def walk(world: World) -> None:
    """Everything that the validation pages can say, with htmx and without."""
    bob = client_of(world.bob)

    def get(name: str, *args: object, **options: Any) -> None:
        world.hear(bob.get(reverse(name, args=args), **options))

    def post(name: str, *args: object, data: dict[str, str] | None = None, **more: Any) -> None:
        world.hear(bob.post(reverse(name, args=args), data or {}, **more))

    vote = {"option": "1", "clarity": "clear", "comment": "mine", "report": "offensive"}
    for options in ({}, {"headers": HTMX}):
        get("home", **options)
        get("validate", SLUG, **options)
        post("validate", SLUG, **options)
        post("beat", SLUG, FIRST, **options)
        post("cast-vote", SLUG, FIRST, data=vote, **options)  # too early
        post("answer-local", SLUG, FIRST, **options)  # no answer
    post("answer-local", SLUG, FIRST, data={"option": "2"}, headers=HTMX)
    get("validate", SLUG)
    post("cast-vote", SLUG, FIRST, data={"option": "1"}, headers=HTMX)  # half an answer
    hold_next(world)
    post("validate-ahead", SLUG, headers=HTMX)
    post("cast-vote", SLUG, FIRST, data=vote | {"shown": "1"}, headers=HTMX)
    post("cast-vote", SLUG, FIRST, data=vote | {"option": "2"})  # otherwise than before
    for options in ({}, {"headers": HTMX}):
        get("validate-undo", SLUG, **options)
        post("amend-vote", SLUG, FIRST, data={"option": "2"}, **options)
    post("amend-vote", SLUG, FIRST, data=vote | {"clarity": "both"}, headers=HTMX)
    post("return-seat", SLUG, FIRST, headers=HTMX)  # validated
    post("answer-local", SLUG, SECOND, data={"option": "0"}, headers=HTMX)
    post("amend-vote", SLUG, FIRST, data=vote, headers=HTMX)  # too late
    post("return-seat", SLUG, SECOND, data={"report": "offensive"}, headers=HTMX)
    post("beat", SLUG, SECOND, headers=HTMX)
    post("validate", SLUG, headers=HTMX)  # nothing left
    for name in ("my-work", "my-pay", "my-appeals", "my-pay-file"):
        get(name)
    pause(world)
    get("validate", SLUG)
    post("validate", SLUG, headers=HTMX)


@pytest.mark.parametrize("gold", [False, True])
def test_nothing_planted_is_found(gold: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    world = tell(walk, monkeypatch, gold=gold)
    assert len(world.told) > 30
    assert not any(text.startswith("500") for text in world.told)
    assert "Step 2 of 2" in "".join(world.told)
    assert "Change your last answer" in "".join(world.told)
    assert world.found() == []


@pytest.mark.long
def test_other_secrets_make_no_other_pages(monkeypatch: pytest.MonkeyPatch) -> None:
    assert_alike(walk, monkeypatch)


@pytest.mark.long
def test_the_search_finds_the_secrets_on_a_curators_pages(monkeypatch: pytest.MonkeyPatch) -> None:
    world = build()
    hold(world, monkeypatch)
    dana = client_of(UserFactory(curator=True))
    for name, args in {
        "campaign": [SLUG],
        "review-question": [SLUG, world.question.public_id],
        "data": [SLUG],
        "data-question": [SLUG, world.question.public_id],
        "people": [],
        "golds": [SLUG],
    }.items():
        world.hear(dana.get(reverse(name, args=args)))
    found = set(world.found())
    assert {"author's pseudonym", "comments", "pseudonym 0", "anchor", "the word gold"} <= found


@pytest.mark.long
@pytest.mark.parametrize("gold", [False, True])
def test_what_waits_tells_not_whether_the_question_in_hand_is_gold(
    gold: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Before: the number went down with an ordinary question, and stayed with a gold one."""
    world = build(gold=gold)
    TwinFactory.create_batch(3, campaign=world.campaign, seats=1)
    bob = client_of(world.bob)
    before = what_waits(bob)
    hold(world, monkeypatch, gold=gold)
    assert what_waits(bob) == before != ""


def what_waits(client: Client) -> str:
    found = re.search(r"[^<>]*\bquestions for you", client.get(reverse("home")).content.decode())
    return found[0] if found else ""


def test_a_quality_warning_names_no_question(monkeypatch: pytest.MonkeyPatch) -> None:
    world = build(gold=True)
    hold(world, monkeypatch, gold=True)
    QualityNotice.objects.create(
        worker=world.bob, campaign=world.campaign, kind="warning", n_right=1, n_answers=9
    )
    bob = client_of(world.bob)
    world.hear(bob.get(reverse("validate", args=[SLUG])))
    world.hear(bob.post(reverse("see-notice", args=[SLUG]), headers=HTMX))
    assert "Some of your recent answers" in world.told[0]
    assert world.found() == []


def test_the_order_of_the_options_is_a_fair_coin_that_knows_no_answer(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Of 1,200 seats each count lies within five standard deviations of the half."""
    world = build()
    question = world.question
    seats = [
        Seat(
            question=question,
            number=30_000 + n,
            campaign=world.campaign,
            twin=question.twin,
            author=question.twin.author,
            place=1,
        )
        for n in range(1_200)
    ]
    Seat.objects.bulk_create(seats)
    stored = Seat.objects.filter(number__range=(30_000, 31_199)).order_by("pk")
    for answer in (1, 2):
        right_first = sum(as_shown(seat, answer) == 1 for seat in stored)
        assert abs(right_first - 600) < 5 * (1_200 / 4) ** 0.5
    # Two seats of one question after each other say nothing of each other, either.
    orders = [as_shown(seat, 1) for seat in stored]
    same = sum(first == second for first, second in itertools.pairwise(orders))
    assert abs(same - 599.5) < 5 * (1_199 / 4) ** 0.5


@pytest.mark.long
def test_no_verdict_is_told_to_who_gave_the_last_vote(monkeypatch: pytest.MonkeyPatch) -> None:
    """The vote that decides is answered like any other."""
    texts = []
    for votes in (1, 2):
        with_votes = build_and_vote(votes, monkeypatch)
        texts.append(with_votes.masked())
    assert texts[0] == texts[1]


def build_and_vote(votes: int, monkeypatch: pytest.MonkeyPatch) -> World:
    def vote(world: World) -> None:
        # No other question follows: its options would have another order.
        Seat.objects.filter(answered_at=None, worker=None).delete()
        bob = client_of(world.bob)
        for name, data in {
            "answer-local": {"option": "0"},
            "cast-vote": {"option": "1", "clarity": "clear"},
        }.items():
            world.hear(bob.post(reverse(name, args=[SLUG, FIRST]), data, headers=HTMX))

    return tell(vote, monkeypatch, votes=votes)
