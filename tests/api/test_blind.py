"""The interface tells a validator nothing of answer, author, other votes or gold."""

from typing import Any

import pytest

from tests.api.calls import API, client_of
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
from tests.factories import UserFactory

pytestmark = pytest.mark.usefixtures("noon")
SEAT, NEXT = f"{API}seats/{FIRST}/", f"{API}seats/{SECOND}/"


def walk(world: World) -> None:
    """Every answer that a validator can get, refusals among them."""
    bob = client_of(world.bob)
    vote = {"option": 1, "ambiguous": False, "comment": "mine", "report": "offensive"}

    def get(*paths: str) -> None:
        for path in paths:
            world.hear(bob.get(path if path.startswith("/") else API + path))

    def post(path: str, body: dict[str, Any] | None = None) -> None:
        world.hear(bob.post(path, body or {}))

    claim = f"{API}campaigns/{SLUG}/seats/"
    post(claim)
    get(SEAT)
    post(SEAT + "beat/")
    post(SEAT + "vote/", vote)  # too early
    post(SEAT + "local/", {"option": 7})
    post(SEAT + "local/", {"option": 2})
    post(SEAT + "local/", {"option": 1})  # otherwise than before
    get(SEAT)
    hold_next(world)
    post(claim, {"ahead": True})
    post(SEAT + "vote/", {"option": 3})
    for body in (vote, vote, vote | {"option": 2}):
        post(SEAT + "vote/", body)
    post(SEAT + "amend/", vote | {"ambiguous": True})
    get(SEAT)
    post(SEAT + "return/")
    post(NEXT + "local/", {"option": None})
    post(SEAT + "amend/", vote)  # too late
    post(NEXT + "return/")
    post(NEXT + "beat/")
    get("votes/", "ledger/", "ledger/summary/", "me/", "me/notices/", "me/hourly-rates/")
    get(
        "appeals/",
        "twins/",
        "campaigns/",
        f"campaigns/{SLUG}/",
        f"campaigns/{SLUG}/eligibility/?skill=validate",
    )
    get(f"seats/{world.question.public_id}/", f"questions/{world.question.public_id}/case/")
    get(
        f"questions/{world.question.public_id}/audit-log/", f"campaigns/{SLUG}/golds/", "questions/"
    )
    get(f"campaigns/{SLUG}/review/", f"campaigns/{SLUG}/quality/", f"campaigns/{SLUG}/votes.csv")
    post(claim)  # nothing left
    pause(world)
    post(claim)


NOT_SAID = {"the word gold"}  # a vote has the key, which is null for its worker


@pytest.mark.parametrize("gold", [False, True])
def test_nothing_planted_is_found(gold: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    world = tell(walk, monkeypatch, gold=gold)
    assert len(world.told) > 30
    assert not any(text.startswith("5") for text in world.told)
    assert set(world.found()) <= NOT_SAID
    left = "\n".join(world.told).replace('"gold":null', "")
    assert "gold" not in left


def test_other_secrets_make_no_other_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    assert_alike(walk, monkeypatch)


def test_the_search_finds_the_secrets_in_what_curators_get(monkeypatch: pytest.MonkeyPatch) -> None:
    world = build()
    hold(world, monkeypatch)
    dana = client_of(UserFactory(curator=True))
    for path in (
        "votes/",
        "questions/",
        f"questions/{world.question.public_id}/case/",
        "twins/",
        "workers/",
    ):
        world.hear(dana.get(API + path))
    found = set(world.found())
    assert {"author's pseudonym", "question", "twin", "vote 0", "pseudonym 0"} <= found
