"""What must stay blind to a validator: a world with planted secrets, and two ways to look for them.

*Searching*: everything that a validator can get is searched for strings that were planted where the
answer, the author, other votes and gold questions are kept. *Comparing*: the same walk in a world
whose secrets are others has to show the same, byte for byte, but for what is random anyway.
"""

import io
import re
import uuid
import zipfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

import pytest
from django.db import transaction

from collection.models import Campaign, Question, Twin
from tests.factories import (
    OPTIONS,
    SENTENCES,
    CampaignFactory,
    PauseFactory,
    QuestionFactory,
    SeatFactory,
    TwinFactory,
    UserFactory,
    VerdictFactory,
    VoteFactory,
)
from validation import services
from validation.models import GoldQuestion, Seat, VerdictEvent, Vote
from validation.services import golds
from workers.models import User

SLUG = "kitchen"
FIRST, SECOND = (uuid.UUID(f"5eeded00-0000-4000-8000-{n:012d}") for n in (1, 3))
RANDOM = (
    (re.compile(r"5eeded00-0000-4000-8000-0{11}[13]"), "<seat>"),
    (re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}"), "<uuid>"),
    (re.compile(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d[.\d]*(Z|[+]\d\d:\d\d)?"), "<time>"),
    (re.compile(r"\d\d:\d\d UTC"), "<clock>"),
    (re.compile(r'data-seconds(-left)?="\d+"'), "<seconds>"),
    (re.compile(r"(csrfmiddlewaretoken\" value|csrftoken|sessionid)(=\"?)[\w]+"), r"\1\2<token>"),
    (re.compile(r"/appeal/pause/\d+/"), "/appeal/pause/<number>/"),
    (re.compile(r"(?i)expires(=|: )[^;\n]*"), "<expires>"),
    (re.compile(r"(X-CSRFTOKEN\"\] = \"|\"csrf\": \")\w+"), r"\1<token>"),
    (re.compile(r"messages=[^;]*;"), "<messages>"),  # signed with the time
    (re.compile(r"\b[0-9a-f]{32}\b"), "<request>"),
    (re.compile(r"(nonce[-=]\"?)[\w-]{22}"), r"\1<nonce>"),
    (re.compile(r"wino_[0-9a-f]+"), "<token key>"),
    (re.compile(r"\"(wait|run)_seconds\":[-.\de]+"), r"<\1 seconds>"),
    # Public ids of people and questions are sixteen hexadecimal digits.
    (re.compile(r"\b[0-9a-f]{16}\b"), "<id>"),
    (re.compile(r"\bw-[0-9a-f]{12}\b"), "<pseudonym>"),
)


@dataclass
class World:
    """Bob holds a seat in Kitchen; everything else here he must not learn."""

    campaign: Campaign
    bob: User
    question: Question
    secrets: dict[str, str]
    told: list[str] = field(default_factory=list)
    mirrored: bool = False

    def show(self, seat: Seat, public_id: uuid.UUID) -> None:
        """Give a seat the id, and the order of its options, that it has in every world."""
        Seat.objects.filter(pk=seat.pk).update(public_id=public_id, swapped=self.mirrored)

    def hear(self, response: Any) -> Any:
        """Note all of an answer: body, headers, cookies."""
        headers = "\n".join(f"{name}: {value}" for name, value in sorted(response.items()))
        body = b"".join(response.streaming_content) if response.streaming else response.content
        text = f"{response.status_code}\n{headers}\n{response.cookies}\n{_text_of(response, body)}"
        self.told.append(text)
        return response

    def found(self) -> list[str]:
        """The names of the secrets that were told."""
        everything = "\n".join(self.told)
        return [name for name, secret in self.secrets.items() if secret in everything]

    def masked(self) -> list[str]:
        """What was told, without what is random in every world."""
        return [_masked(text) for text in self.told]


def _text_of(response: Any, body: bytes) -> str:
    """Return a body as text; of an archive, all of its files."""
    if response.get("Content-Type") != "application/zip":
        return body.decode()
    with zipfile.ZipFile(io.BytesIO(body)) as archive:
        return "\n".join(archive.read(name).decode() for name in archive.namelist())


def _masked(text: str) -> str:
    for pattern, name in RANDOM:
        text = pattern.sub(name, text)
    return re.sub(r"Content-Length: \d+", "Content-Length", text)


def build(*, answer: int = 1, votes: int = 2, gold: bool = False, mirrored: bool = False) -> World:
    """Make a world; the validator's question has an *answer*, other *votes*, and may be *gold*.

    In a *mirrored* one every twin is stored with its options, and so its answers, the other way
    round; ``hold`` shows them in the same order all the same.
    """
    campaign = CampaignFactory(slug=SLUG, name="Kitchen", gold_share=Decimal("0.5"))
    bob = UserFactory(username="bob")
    twin = _planted_twin(campaign, answer=answer, mirrored=mirrored)
    other = _planted_twin(campaign, answer=1, mirrored=mirrored, suffix="other")
    question = twin.questions.get(number=1)
    voters = [UserFactory(username=f"voter-secret-{n}") for n in range(votes)]
    for worker in voters:
        VoteFactory(question=question, worker=worker, comment="comment-secret", report="offensive")
    gold_row = None
    if gold:
        gold_row = GoldQuestion.objects.create(
            campaign=campaign, question=question, origin=GoldQuestion.Origin.CHOSEN
        )
        VerdictFactory(question=question)
    _decided_elsewhere(question, other)
    # A question that serves as gold has all its votes.
    waiting = [other.questions.get(number=1)] if gold else [question, other.questions.get(number=1)]
    for place, each in enumerate(waiting):
        for number in range(32_001, 32_004):
            SeatFactory(question=each, number=number, place=place)
    return World(campaign, bob, question, _secrets(twin, question, gold_row), mirrored=mirrored)


def _planted_twin(campaign: Campaign, *, answer: int, mirrored: bool, suffix: str = "this") -> Twin:
    author = UserFactory(username=f"author-secret-{suffix}")
    first, second = OPTIONS[::-1] if mirrored else OPTIONS
    answer = 3 - answer if mirrored else answer
    twin = TwinFactory(
        campaign=campaign, author=author, anchor=f"anchorsecret{suffix}",
        option1=first, option2=second,
    )  # fmt: skip
    twin.questions.all().delete()
    sibling = SENTENCES[1].replace("small", f"siblingsecret{suffix}")
    QuestionFactory(twin=twin, number=1, sentence=SENTENCES[0], answer=answer)
    QuestionFactory(twin=twin, number=2, sentence=sibling, answer=3 - answer)
    return twin


def _decided_elsewhere(question: Question, other: Twin) -> None:
    curator = UserFactory(curator=True, username="curator-secret")
    VerdictEvent.objects.create(
        question=other.questions.get(number=2),
        action=VerdictEvent.Action.VOTE_AMENDED,
        by=curator,
        reason="note-secret",
        before={},
        after={},
    )


def _secrets(twin: Twin, question: Question, gold: GoldQuestion | None) -> dict[str, str]:
    author = twin.author
    assert author is not None
    votes = Vote.objects.filter(question=question).select_related("worker", "seat")
    secrets = {
        "author's name": author.username,
        "author's pseudonym": author.public_id,
        "question": question.public_id,
        "twin": str(twin.public_id),
        "sibling": twin.questions.get(number=2).public_id,
        "sibling's sentence": "siblingsecret",
        "anchor": "anchorsecret",
        "client key": str(twin.client_key),
        "voters": "voter-secret",
        "comments": "comment-secret",
        "curator": "curator-secret",
        "a curator's note": "note-secret",
        "the word gold": "gold",
        "the words control question": "control question",
    }
    for number, vote in enumerate(votes):
        secrets[f"vote {number}"] = str(vote.public_id)
        secrets[f"pseudonym {number}"] = vote.worker.public_id
        secrets[f"seat {number}"] = str(vote.seat.public_id)
    if gold is not None:
        secrets["gold id"] = str(gold.public_id)
    return secrets


def hold(world: World, monkeypatch: pytest.MonkeyPatch, *, gold: bool = False) -> Seat:
    """Let Bob take the planted question, in a seat that looks the same in every world."""
    monkeypatch.setattr(golds._dice, "random", lambda: 0.0 if gold else 0.99)
    seat = services.claim_seat(worker=world.bob, campaign=world.campaign)
    monkeypatch.setattr(golds._dice, "random", lambda: 0.99)
    assert (seat.question_id, seat.gold_id is not None) == (world.question.pk, gold)
    world.show(seat, FIRST)
    return Seat.objects.get(pk=seat.pk)


def hold_next(world: World) -> None:
    """Let Bob hold a second question, in a seat that looks the same in every world."""
    seat = services.claim_seat(worker=world.bob, campaign=world.campaign, ahead=True)
    world.show(seat, SECOND)


def pause(world: World) -> None:
    PauseFactory(worker=world.bob, by=None, reason="Have a rest.")


@contextmanager
def undone() -> Iterator[None]:
    """Let worlds follow each other in one test: each goes when it has been looked at."""
    with transaction.atomic():
        yield
        transaction.set_rollback(True)


Walk = Callable[[World], None]


def release(world: World) -> None:
    """Publish the planted question, which is known to be gold from then on, and its twin."""
    twin = world.question.twin
    golds.note_published(list(twin.questions.values_list("sentence", flat=True)))


def tell(
    walk: Walk,
    monkeypatch: pytest.MonkeyPatch,
    *,
    gold: bool = False,
    released: bool = False,
    **secrets: Any,
) -> World:
    """Build a world, walk through it as Bob, and return it with all that he was told.

    *Released* is the question that Bob holds.
    """
    with undone():
        world = build(gold=gold, **secrets)
        hold(world, monkeypatch, gold=gold)
        if released:
            release(world)
        walk(world)
    return world


def assert_alike(walk: Walk, monkeypatch: pytest.MonkeyPatch) -> None:
    """Assert that Bob is told the same on his walk whatever the secrets are."""
    known = tell(walk, monkeypatch).masked()
    others: list[dict[str, Any]] = [
        {"answer": 2}, {"gold": True}, {"votes": 1},
        {"gold": True, "released": True, "mirrored": True},
    ]  # fmt: skip
    for secrets in others:
        told = tell(walk, monkeypatch, **secrets).masked()
        for before, after in zip(known, told, strict=True):
            assert before == after, secrets
