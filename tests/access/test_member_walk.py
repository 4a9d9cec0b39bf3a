"""What is not a member's is as if it did not exist, whatever address, method and role.

Every address that the resolver knows is called with the ids of a campaign: as a curator who is no
member, and as members of each role.
"""

import re
from typing import Any

import pytest
from django.urls import reverse

from collection.models import Campaign
from tests.access.outsiders import (
    OF_NO_CAMPAIGN,
    OWN,
    PAY,
    USER_NAME,
    Role,
    Visitor,
    absent,
    member,
    others_world,
    outsider,
    requests,
    sentences,
)
from tests.access.routes import API
from tests.access.samples import Samples
from tests.blind import World
from tests.factories import ConsentFactory, GuidelineFactory

pytestmark = pytest.mark.usefixtures("noon")
OWN_WORK = (f"{API}tokens/", "tokens/", "releases/<name>/leaderboard/")
OF_PAY = re.compile("pay|bonus|adjust|approv|void|extra|second")


def long(*roles: str) -> list[Any]:
    return [pytest.param(role, marks=pytest.mark.long) for role in roles]


@pytest.fixture
def world() -> tuple[World, Samples]:
    return others_world()


@pytest.mark.long
def test_a_curator_learns_nothing_of_campaigns_of_others(world: tuple[World, Samples]) -> None:
    made, known = world
    visitor = Visitor(outsider())
    names = Campaign.objects.exclude(slug=OWN).values_list("name", flat=True)
    secrets = {*names, *sentences(), made.bob.public_id}
    leaks, differ, longer = [], [], []
    for call in requests(known):
        answer = visitor.ask(call)
        leaks += [f"{call}: {secret[:40]}" for secret in secrets if secret in answer.without(call)]
        if call.values and not call.route.path.startswith(OF_NO_CAMPAIGN):
            other = visitor.ask(call, absent(call))
            if answer.status != other.status:
                differ.append(f"{call}: {answer.status}, not {other.status}")
            if answer.queries != other.queries:
                longer.append(f"{call}: {answer.queries} queries, not {other.queries}")
    assert (leaks, differ, longer) == ([], [], [])


@pytest.mark.long
def test_an_owner_is_told_all_but_user_names(world: tuple[World, Samples]) -> None:
    """Without this control, the walk could look for what no address has.

    User names are seen of those who have accepted that they are.
    """
    made, known = world
    visitor = Visitor(member(made, Role.OWNER))
    calls = [call for call in requests(known) if call.method == "get"]
    texts = {str(call): visitor.ask(call).without(call) for call in calls}
    secrets = {made.campaign.name, *sentences(), made.bob.public_id, PAY}
    assert {
        secret for secret in secrets if not any(secret in text for text in texts.values())
    } == set()
    assert [address for address, text in texts.items() if USER_NAME in text] == []
    version = {"campaign": made.campaign, "version": 99, "shows_user_names": True}
    ConsentFactory(worker=made.bob, guideline=GuidelineFactory(**version))
    person = visitor.browser.get(reverse("person", args=[made.bob.public_id]))
    assert f"{USER_NAME}{made.bob.pk}" in person.content.decode()


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
