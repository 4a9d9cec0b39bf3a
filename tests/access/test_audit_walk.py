"""Every address that hands out labels, files about people or pay files adds an event.

Which addresses tell labels is not declared but found: a curator reads every address in two worlds
that differ in one answer.
"""

import re
from itertools import islice

import pytest
from django.apps import apps
from django.core.management.color import no_style
from django.db import connection
from django.test import Client

from tests.access.routes import ADMIN, API, Route, every_route
from tests.access.samples import addresses, samples
from tests.access.test_blind_walk import factories_from_zero
from tests.api.calls import client_of
from tests.blind import World, build, hold, undone
from tests.factories import UserFactory
from workers.models import AuditEvent

pytestmark = pytest.mark.usefixtures("noon")
ASKED = 2
"""Addresses of one route that are read, as they differ in rows of other kinds."""
COUNTS_ONLY = {
    "api/v1/campaigns/<slug>/quality/",
    "campaigns/<slug>/progress/",
    "human-evaluations/<public_id>/",
}
"""Addresses that differ by counts and shares, not by the answer to any question."""
IN_RANDOM_ORDER = {"api/v1/ledger/check/", "campaigns/<slug>/pay/check/"}
"""Addresses whose rows are in the order of random ids: their words are compared, sorted."""
NOISE = re.compile(
    r"\bset-\d+|\b\d+ (?:s|min)\b|\b[0-9A-F]{12}\b|\b[0-9a-f]{8}\b|\bkey=[\w-]{32}\S*"
)
"""Names of sets, which are numbered on, times of waiting, and codes and keys of studies."""
Found = dict[str, tuple[str, set[str]]]


def marked(route: Route) -> str | None:
    return getattr(getattr(route.answers, "view_class", route.answers), "audits", None)


def read_all(monkeypatch: pytest.MonkeyPatch, answer: int) -> Found:
    """Return what a curator reads at each address, and the kinds of the events that it added."""
    factories_from_zero()
    sequences_from_one()
    with undone():
        world = build(answer=answer, gold=True)
        hold(world, monkeypatch, gold=True)
        known = samples(world)
        curator = UserFactory(curator=True, username="dana")
        api, browser = client_of(curator), Client(raise_request_exception=False)
        api.raise_request_exception = False
        browser.force_login(curator)
        found: Found = {}
        for route in every_route():
            if route.path.startswith(ADMIN) or "get" not in route.methods:
                continue
            client = api if route.path.startswith(API) else browser
            for address, _ in islice(addresses(route, known), ASKED):
                with undone():
                    kinds = read(world, client, address)
                text, before = found.get(route.path, ("", set()))
                found[route.path] = (text + heard(world, route), before | kinds)
        return found


def heard(world: World, route: Route) -> str:
    """Return the last answer without what is random in every world."""
    text = NOISE.sub("", world.masked()[-1])
    in_order = re.split(r"[\W_]+", text)
    return " ".join(sorted(in_order)) if route.path in IN_RANDOM_ORDER else text


def sequences_from_one() -> None:
    """Let the keys of rows be the same in every world."""
    statements = connection.ops.sequence_reset_sql(no_style(), apps.get_models())
    with connection.cursor() as cursor:
        cursor.execute("".join(statements))


def read(world: World, client: Client, address: str) -> set[str]:
    """Read an address; return the kinds of the events that this added."""
    last = AuditEvent.objects.values_list("pk", flat=True).first() or 0
    world.hear(client.get(address))
    return set(AuditEvent.objects.filter(pk__gt=last).values_list("kind", flat=True))


@pytest.mark.long
@pytest.mark.timeout(1800)
def test_what_tells_an_answer_adds_an_event(monkeypatch: pytest.MonkeyPatch) -> None:
    these, those = (read_all(monkeypatch, answer) for answer in (1, 2))
    differing = {path for path in these if these[path][0] != those[path][0]}
    assert len(differing) > 10
    silent = {path for path in differing if not these[path][1]}
    assert sorted(silent - COUNTS_ONLY) == []
    # Of what is marked, all that answered added an event of its kind.
    for route in every_route():
        text, kinds = these.get(route.path, ("", set()))
        if marked(route) and text.startswith("200"):
            assert marked(route) in kinds, route.path
