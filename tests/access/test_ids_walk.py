"""Ids of others in bodies and queries are answered as ids that nothing has, and make nothing."""

import re
from dataclasses import dataclass
from typing import Any

import pytest

from collection.models import Campaign
from tests.access.id_fields import IdField, body_with, id_fields
from tests.access.outsiders import (
    OWN,
    Role,
    absent_id,
    captured_queries,
    member,
    others_world,
    outsider,
)
from tests.access.routes import Route
from tests.access.samples import NoSample, Samples, addresses
from tests.api.calls import client_of
from tests.blind import RANDOM, World, undone
from tests.factories import (
    FilterRunFactory,
    KnowledgeSetFactory,
    SnapshotFactory,
    StudyFactory,
    TwinFactory,
    VoteFactory,
)
from tests.factories.runs import EncodingFactory
from workers.models import User

pytestmark = [pytest.mark.long, pytest.mark.usefixtures("noon")]
MADE_BY_CLIENTS = ("id",)
"""Keys of ids that a client makes up for a new row: one that is taken is refused to everybody."""
UUID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")


@dataclass(frozen=True)
class Outcome:
    """What one request was answered, without what is random, and what it cost."""

    status: int
    text: str
    queries: int
    made: int


def own_rows(user: User) -> Samples:
    """Return the ids of rows of the outsider's campaign, so that addresses lead to something."""
    campaign = Campaign.objects.get(slug=OWN)
    snapshot = SnapshotFactory(campaign=campaign, created_by=user, finished=True)
    encoding = EncodingFactory(snapshot=snapshot, created_by=user, finished=True)
    run = FilterRunFactory(encoding=encoding, created_by=user, finished=True)
    twin = TwinFactory(campaign=campaign)
    vote = VoteFactory(question=twin.questions.get(number=1))
    return {
        "campaigns": [OWN],
        "snapshots": [str(snapshot.public_id)],
        "encodings": [str(encoding.public_id)],
        "filter-runs": [str(run.public_id)],
        "knowledge-sets": [KnowledgeSetFactory(campaign=campaign, created_by=user).name],
        "questions": [vote.question.public_id],
        "votes": [str(vote.public_id)],
        "workers": [vote.worker.public_id],
        "studies": [str(StudyFactory(campaign=campaign).public_id)],
        "export": ["questions"],
        "articles": [],
    }


def values_of(field: IdField, known: Samples) -> list[str]:
    """Return the ids of others that a field may take; where it does not say of what, one of all."""
    everything = sorted({values[0] for values in known.values() if values})
    values = known.get(field.resource) or everything
    if field.is_uuid:
        values = [value for value in values if UUID.fullmatch(value)]
        values = values or [value for value in everything if UUID.fullmatch(value)]
    return values


def places(field: IdField, own: Samples) -> list[str]:
    """Return the addresses of a field's operation that lead to rows of the outsider's."""
    path = field.operation.path.replace("{", "<").replace("}", ">")
    try:
        return [address for address, _ in addresses(Route(path, "", None), own)]
    except NoSample:
        return []


def ask(client: Any, field: IdField, address: str, value: str) -> Outcome:
    with undone(), captured_queries() as queries:
        if field.in_query:
            answer = client.get(address, {field.keys[0]: value})
        else:
            answer = getattr(client, field.operation.method)(address, body_with(field, value))
        parts = answer.streaming_content if answer.streaming else [answer.content]
        text = b"".join(parts).decode(errors="replace").replace(value, "<asked>")
    made = sum(query["sql"].startswith("INSERT") for query in queries)
    for pattern, name in (*RANDOM, (re.compile(r"#[\w-]{43}"), "<code>")):
        text = pattern.sub(name, text)
    return Outcome(answer.status_code, text, len(queries), made)


def told_apart(user: User, own: Samples, known: Samples) -> dict[str, str]:
    """Return the fields that answer other than to an id that nothing has, with both answers."""
    client = client_of(user)
    client.raise_request_exception = False
    found = {}
    for field in id_fields():
        if field.keys == MADE_BY_CLIENTS:
            continue
        for address in places(field, own):
            for value in values_of(field, known):
                there = ask(client, field, address, value)
                if there != (nothing := ask(client, field, address, absent_id(value))):
                    found[f"{field}"] = f"{value}: {there}, not {nothing}"
    return found


@pytest.fixture
def world() -> tuple[World, Samples]:
    return others_world()


def test_an_id_of_others_is_as_one_that_nothing_has(world: tuple[World, Samples]) -> None:
    _, known = world
    user = outsider()
    told = told_apart(user, own_rows(user), known)
    assert told == {}, "\n".join(f"{field}: {answers[:400]}" for field, answers in told.items())


@pytest.mark.long
def test_a_member_is_told_apart(world: tuple[World, Samples]) -> None:
    """Without this control, the walk could send what no operation looks at."""
    made, known = world
    own = own_rows(outsider())
    told = told_apart(member(made, Role.OWNER), own, known)
    assert len(told) > 30
