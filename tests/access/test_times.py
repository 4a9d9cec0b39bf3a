"""How long an answer takes does not tell a row of others from one that does not exist.

Three ids are asked for in turn, in a random order in each round: one of a campaign of others, and
two that nothing has. If the answers take the same, the three times of a round can be exchanged: so
the difference of the medians is compared with those after random exchanges within the rounds. This
test is exact, whatever the distribution and the drift of the times: of each kind of address, at
most one run in 1,000 is a false alarm, as long as the true difference is at most `TOLERATED`. That
much shows the index of a table, which ends a query 0.015 to 0.025 ms sooner without an entry.
"""

import random
import time
import uuid
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from django.http import Http404, HttpResponse
from django.urls import reverse
from rest_framework.request import Request

from collection.api.views import campaigns as views
from collection.models import Campaign, Membership
from corpora.models import Snapshot
from frontend import errors
from tests.access.outsiders import Visitor, absent_id, others_world, outsider
from workers.api.callers import caller

pytestmark = [pytest.mark.long, pytest.mark.usefixtures("noon")]
ROUNDS = 500
TOLERATED = 0.05  # milliseconds
EXCHANGES, ALPHA = 9_999, 0.001
Ask = Callable[[Visitor, str], Any]


@dataclass(frozen=True)
class Compared:
    """Medians in milliseconds, and the difference that one of 1,000 exchanges exceeds."""

    foreign: float
    absent: tuple[float, float]
    difference: float
    by_chance: float

    @property
    def differs(self) -> bool:
        return abs(self.difference) > self.by_chance + TOLERATED


def compared(times: "np.ndarray[Any, Any]", *, seed: int = 0) -> Compared:
    """Compare times with those of absent ids.

    Parameters
    ----------
    times : array of shape (n_rounds, 3)
        Of the foreign id and of two absent ones.
    """
    rng = np.random.default_rng(seed)
    medians = np.median(times, axis=0)
    exchanged = [
        _difference(times, rng.integers(3, size=(333, len(times)))) for _ in range(EXCHANGES // 333)
    ]
    by_chance = float(np.quantile(np.abs(np.concatenate(exchanged)), 1 - ALPHA))
    found = float(_difference(times, np.zeros((1, len(times)), dtype=int))[0])
    absent = (float(medians[1]), float(medians[2]))
    return Compared(float(medians[0]), absent, found, by_chance)


def _difference(times: "np.ndarray[Any, Any]", which: "np.ndarray[Any, Any]") -> Any:
    """Median of one time of each round, less that of the others; by rows of *which*."""
    rounds = np.arange(len(times))
    ours = times[rounds, which]  # (n_exchanges, n_rounds)
    others = [times[rounds, (which + shift) % 3] for shift in (1, 2)]
    return np.median(ours, axis=1) - np.median(np.concatenate(others, axis=1), axis=1)


def measured(ask: Ask, visitor: Visitor, foreign: str) -> "np.ndarray[Any, Any]":
    """Return milliseconds by round, of the foreign id and of two absent ones."""
    names = [foreign, absent_like(foreign), absent_like(foreign)]
    order, statuses = random.Random(1), set()
    times = np.zeros((ROUNDS, 3))
    for name in names:
        ask(visitor, name)  # plans and templates are made once
    for turn in range(ROUNDS):
        for place in order.sample(range(3), 3):
            began = time.perf_counter()
            answer = ask(visitor, names[place])
            times[turn, place] = 1000 * (time.perf_counter() - began)
            statuses.add(answer.status_code)
    assert len(statuses) == 1
    assert statuses <= {200, 400, 404}
    return times


def absent_like(name: str) -> str:
    """Return an id, or a name of the same length, that nothing has."""
    other = absent_id(name)
    return other if len(other) == len(name) else uuid.uuid4().hex[: len(name)]


def page(view: str) -> Ask:
    return lambda visitor, name: visitor.browser.get(reverse(view, args=[name]))


def api(address: str) -> Ask:
    return lambda visitor, name: visitor.api.get(address.format(name))


def preview(visitor: Visitor, name: str) -> Any:
    return visitor.api.post("/api/v1/release-previews/", {"snapshot": name})


ASKED: dict[str, tuple[str, Ask]] = {
    "page by slug": ("campaigns", page("campaign")),
    "page by id": ("filter-runs", page("filter-run")),
    "API by slug": ("campaigns", api("/api/v1/campaigns/{}/")),
    "API by id": ("filter-runs", api("/api/v1/filter-runs/{}/")),
    "filter": ("campaigns", api("/api/v1/ledger/?campaign={}")),
    "id in a body": ("snapshots", preview),
}


@pytest.fixture
def visitor_and_ids(monkeypatch: pytest.MonkeyPatch) -> tuple[Visitor, dict[str, str]]:
    """Return who asks, and the ids; the page of a refusal, which is the same for all, is left out.

    It would take two thirds of the time, and add its noise.
    """
    monkeypatch.setattr(errors, "render", lambda *_, status, **__: HttpResponse(status=status))
    made, known = others_world()
    snapshot = Snapshot.objects.latest("pk")
    names = {"campaigns": made.campaign.slug, "snapshots": str(snapshot.public_id)}
    return Visitor(outsider()), names | {"filter-runs": known["filter-runs"][0]}


@pytest.mark.parametrize("kind", ASKED)
def test_the_time_does_not_tell_that_a_row_exists(
    kind: str, visitor_and_ids: tuple[Visitor, dict[str, str]]
) -> None:
    visitor, names = visitor_and_ids
    of, ask = ASKED[kind]
    found = compared(measured(ask, visitor, names[of]))
    print(f"{kind}: {found}")
    assert not found.differs, found


def test_a_row_that_is_read_and_then_refused_is_told_by_its_time(
    visitor_and_ids: tuple[Visitor, dict[str, str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without this control, the comparison could miss what it looks for."""

    def read_first(request: Request, slug: str) -> Campaign:
        campaign = Campaign.objects.filter(slug=slug).first()
        mine = Membership.objects.filter(user=caller(request))
        if campaign is None or not mine.filter(campaign=campaign).exists():
            raise Http404
        return campaign

    monkeypatch.setattr(views, "visible_campaign", read_first)
    visitor, names = visitor_and_ids
    found = compared(measured(ASKED["API by slug"][1], visitor, names["campaigns"]))
    print(f"control: {found}")
    assert found.differs, found
