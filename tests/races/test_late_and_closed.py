"""A late answer while its panel is closed: the pay that the close frees is not paid twice."""

import threading
import uuid
from decimal import Decimal
from functools import partial
from typing import Any

import pytest

from collection.models import Campaign
from collection.selectors.budget import committed
from collection.services.campaigns import pay
from panels.models import PanelSeat
from panels.services import change_panel_status, seats
from tests.factories import UserFactory
from tests.panels import people
from tests.races.threads import at_once

REWARD = Decimal("0.05")


def closed_while_an_answer_is_stored(monkeypatch: pytest.MonkeyPatch) -> tuple[Campaign, list[Any]]:
    """Close after a late answer has found its panel open, and promise what that frees."""
    panel = people.of_a_set(reward=REWARD)
    seat, campaign = people.claim(UserFactory(), panel), panel.campaign
    PanelSeat.objects.filter(pk=seat.pk).update(leased_until="2026-01-01T00:00Z")
    Campaign.objects.filter(pk=campaign.pk).update(budget_cap=committed(campaign))
    campaign.refresh_from_db()
    inside, spent = threading.Event(), threading.Event()
    refuse_unless_asking = seats.refuse_unless_asking

    def slowly(of: Any) -> None:
        refuse_unless_asking(of)
        inside.set()
        spent.wait(2)

    def promise() -> Any:
        inside.wait(5)
        change_panel_status(panel=panel, status="closed")
        freed = campaign.budget_cap - committed(campaign)
        try:
            return pay.write_extra(
                campaign=campaign,
                worker=UserFactory(),
                kind="bonus",
                amount=freed,
                reason="Good.",
                client_key=uuid.uuid4(),
                by=UserFactory(curator=True),
            )
        finally:
            spent.set()

    monkeypatch.setattr(seats, "refuse_unless_asking", slowly)
    return campaign, at_once(partial(people.vote, seat), promise)


def test_a_close_waits_for_a_late_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    campaign, results = closed_while_an_answer_is_stored(monkeypatch)
    assert not any(isinstance(one, Exception) for one in results), results
    assert committed(campaign) <= campaign.budget_cap


def test_control_without_the_lock_more_is_committed_than_the_cap(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(seats, "_lock", lambda of: None)
    campaign, _ = closed_while_an_answer_is_stored(monkeypatch)
    assert committed(campaign) == campaign.budget_cap + REWARD
