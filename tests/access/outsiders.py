"""A campaign of others, who asks about it, and what they may ask: for walks and for times."""

import re
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from django.db import connection
from django.db.models import CharField, Value
from django.db.models.functions import Cast, Concat
from django.test import Client
from django.test.utils import CaptureQueriesContext

from collection.models import Campaign, Membership, Question
from corpora.models import ReferenceSet
from evaluation.models import Evaluation
from tests.access.routes import ADMIN, API, Route, every_route
from tests.access.samples import Samples, addresses, samples
from tests.api.calls import client_of
from tests.blind import World, build, undone
from tests.factories import CampaignFactory, LedgerEntryFactory, UserFactory
from winoplatform.runs.dispatch import run_models
from workers.models import User

SCHEMA = "api/schema/"
PAY = "83.57"
USER_NAME = "planted-user-"
"""With which the user name of each worker begins."""
OWN = "own-campaign"
Role = Membership.Role


@dataclass(frozen=True)
class Answer:
    status: int
    text: str
    queries: int

    def without(self, call: "Call") -> str:
        """Return the text without what was asked for, which a refusal may repeat."""
        text = self.text
        for value in call.values:
            text = text.replace(value, "<call>")
        return text


@dataclass(frozen=True)
class Call:
    """One request: its route, method and address, and the values that the address names."""

    route: Route
    method: str
    address: str
    values: tuple[str, ...]

    def __str__(self) -> str:
        return f"{self.method.upper()} {self.address}"


@contextmanager
def captured_queries() -> Iterator[CaptureQueriesContext]:
    """Note the queries of the block; the connection's own log of them is emptied, as it ends."""
    connection.queries_log.clear()
    with CaptureQueriesContext(connection) as queries:
        yield queries


class Visitor:
    """A user's clients, for pages and for the API."""

    def __init__(self, user: User) -> None:
        self.api, self.browser = client_of(user), Client(raise_request_exception=False)
        self.api.raise_request_exception = False
        self.browser.force_login(user)
        self.session = self.browser.cookies.output().replace("Set-Cookie: ", "")

    def ask(self, call: Call, address: str = "") -> Answer:
        client = self.api if call.route.path.startswith(API) else self.browser
        self.browser.cookies.load(self.session)
        with undone(), captured_queries() as queries:
            answer = getattr(client, call.method)(address or call.address)
            parts = answer.streaming_content if answer.streaming else [answer.content]
            text = b"".join(parts).decode(errors="replace")
            return Answer(answer.status_code, text, len(queries))


def requests(known: Samples) -> Iterator[Call]:
    for route in every_route():
        if route.path.startswith((ADMIN, SCHEMA)):
            continue
        for address, values in addresses(route, known):
            for method in route.methods:
                yield Call(route, method, address, values)


def others_world() -> tuple[World, Samples]:
    """Make a world whose sets nobody shares, and whose campaigns have names to look for."""
    made = build()
    known = samples(made)
    # Reasons, and what answers them, are no campaign's.
    of_reasons = Evaluation.objects.exclude(reasons="").values_list("public_id", flat=True)
    known["evaluations"] = sorted(set(known["evaluations"]) - set(map(str, of_reasons)))
    for campaign in Campaign.objects.all():
        Campaign.objects.filter(pk=campaign.pk).update(name=f"planted campaign {campaign.pk}.")
    other = UserFactory(curator=True)
    for kind in (ReferenceSet, *run_models()):
        kind._default_manager.update(created_by=other)
    ReferenceSet.objects.update(is_public=False)
    workers = User.objects.filter(role=User.Role.WORKER)
    workers.update(username=Concat(Value(USER_NAME), Cast("pk", CharField())))
    LedgerEntryFactory(worker=made.bob, budget=made.campaign.public_id, amount=PAY)
    made.campaign.refresh_from_db()
    return made, known


def outsider() -> User:
    """Return a curator whose only campaign is another one."""
    user = UserFactory(curator=True)
    Membership.objects.filter(user=user).delete()
    own = CampaignFactory(slug=OWN, name="Mine")
    Membership.objects.filter(campaign=own).exclude(user=user).delete()
    return user


def member(made: World, role: str) -> User:
    """Return a curator who has a role in the world's campaigns."""
    user = UserFactory(curator=True)
    Membership.objects.filter(user=user).update(role=role)
    return user


def sentences() -> set[str]:
    """Return words of every planted sentence; pages write a blank in their own way."""
    words = "into the brown"
    assert not Question.objects.exclude(sentence__contains=words).exists()
    return {words}


WORDS = {"csv", "filterrun", "institution", "pause", "questions", "reference-set", "vote"}
"""Values of addresses that name no row, but a kind of rows."""


def absent(call: Call) -> str:
    """Return the address with ids and names of the same form that nothing has."""
    address = call.address
    for value in set(call.values) - WORDS:
        if value.isdigit():
            continue  # the number of a row within what another part names
        address = address.replace(value, absent_id(value))
    return address


def absent_id(value: str) -> str:
    """Return an id or a name of the same form that nothing has."""
    if re.fullmatch(r"[0-9a-f-]{36}", value):
        return str(uuid.uuid4())
    if re.fullmatch(r"[0-9a-f]{16}", value):
        return uuid.uuid4().hex[:16]
    if value.startswith("w-"):
        return f"w-{uuid.uuid4().hex[:12]}"
    return f"no-{value}"[:40]


OF_NO_CAMPAIGN = (
    *("new-password/", "confirm-address/", "help/", "paper-tables/", "reasons/", "account/"),
    *(f"{API}reason-tables/", f"{API}paper-tables/"),
    *("arrive/", f"{API}studies/<id>/events/"),  # for who has a study's link
)
"""Addresses whose parameters name nothing of a campaign or a person that a curator may not know."""
