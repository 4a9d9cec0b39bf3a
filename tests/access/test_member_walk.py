"""What is not a member's is as if it did not exist, whatever address, method and role.

Every address that the resolver knows is call with the ids of a campaign: as a curator who is no
member, and as members of each role.
"""

import re
import uuid
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest
from django.test import Client

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

pytestmark = pytest.mark.usefixtures("noon")
SCHEMA = "api/schema/"
PAY = "83.57"
OWN = "own-campaign"
Role = Membership.Role
OWN_WORK = (f"{API}tokens/", "tokens/", "releases/<name>/leaderboard/")
OF_PAY = re.compile("pay|bonus|adjust|approv|void|extra|second")


@dataclass(frozen=True)
class Answer:
    status: int
    text: str

    def without(self, call: "Call") -> str:
        """Return the text without what was call for, which a refusal may repeat."""
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
        with undone():
            answer = getattr(client, call.method)(address or call.address)
            parts = answer.streaming_content if answer.streaming else [answer.content]
            return Answer(answer.status_code, b"".join(parts).decode(errors="replace"))


def long(*roles: str) -> list[Any]:
    return [pytest.param(role, marks=pytest.mark.long) for role in roles]


def requests(known: Samples) -> Iterator[Call]:
    for route in every_route():
        if route.path.startswith((ADMIN, SCHEMA)):
            continue
        for address, values in addresses(route, known):
            for method in route.methods:
                yield Call(route, method, address, values)


@pytest.fixture
def world() -> tuple[World, Samples]:
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


def absent(call: Call) -> str:
    """Return the address with ids and names of the same form that nothing has."""
    address = call.address
    for value in call.values:
        other = str(uuid.uuid4()) if re.fullmatch(r"[0-9a-f-]{36}", value) else f"no-{value}"[:40]
        if re.fullmatch(r"[0-9a-f]{16}", value):
            other = "0" * 15 + "1"
        if value.startswith("w-"):
            other = "w-000000000000"
        address = address.replace(value, other)
    return address


OF_NO_CAMPAIGN = (
    *("new-password/", "confirm-address/", "help/", "paper-tables/", "reasons/", "account/"),
    *(f"{API}reason-tables/", f"{API}paper-tables/"),
    *("arrive/", f"{API}studies/<id>/events/"),  # for who has a study's link
)
"""Addresses whose parameters name nothing of a campaign or a person that a curator may not know."""


def test_a_curator_learns_nothing_of_campaigns_of_others(world: tuple[World, Samples]) -> None:
    made, known = world
    visitor = Visitor(outsider())
    names = Campaign.objects.exclude(slug=OWN).values_list("name", flat=True)
    secrets = {*names, *sentences(), made.bob.public_id}
    leaks, differ = [], []
    for call in requests(known):
        answer = visitor.ask(call)
        leaks += [f"{call}: {secret[:40]}" for secret in secrets if secret in answer.without(call)]
        if call.values and not call.route.path.startswith(OF_NO_CAMPAIGN):
            other = visitor.ask(call, absent(call))
            if answer.status != other.status:
                differ.append(f"{call}: {answer.status}, not {other.status}")
    assert (leaks, differ) == ([], [])


def test_a_member_is_told_what_an_outsider_is_not(world: tuple[World, Samples]) -> None:
    """Without this control, the walk could look for what nobody is leaks."""
    made, known = world
    visitor = Visitor(member(made, Role.OWNER))
    texts = [visitor.ask(call).without(call) for call in requests(known) if call.method == "get"]
    secrets = {made.campaign.name, *sentences(), made.bob.public_id, PAY}
    assert {secret for secret in secrets if not any(secret in text for text in texts)} == set()


@pytest.mark.parametrize("role", [Role.PAYER, *long(Role.REVIEWER, Role.VIEWER)])
def test_a_role_reads_no_more_than_it_may(role: str, world: tuple[World, Samples]) -> None:
    made, known = world
    visitor = Visitor(member(made, role))
    secrets = sentences() if role == Role.PAYER else {PAY}
    leaks = []
    for call in requests(known):
        text = visitor.ask(call).text if call.method == "get" else ""
        leaks += [f"{call}: {secret[:40]}" for secret in secrets if secret in text]
    assert leaks == []


UNSAFE = ("post", "put", "patch", "delete")


@pytest.mark.parametrize("role", long(Role.VIEWER, Role.PAYER))
def test_a_role_changes_no_more_than_it_may(role: str, world: tuple[World, Samples]) -> None:
    """A viewer's changes are refused as if nothing was there; a payer's are those of pay alone."""
    made, known = world
    visitor = Visitor(member(made, role))
    changed = [
        str(call)
        for call in requests(known)
        if call.method in UNSAFE and call.values
        if not call.route.path.startswith((*OF_NO_CAMPAIGN, *OWN_WORK))
        if visitor.ask(call).status not in (403, visitor.ask(call, absent(call)).status)
        if not (role == Role.PAYER and OF_PAY.search(call.route.path))
    ]
    assert changed == []
