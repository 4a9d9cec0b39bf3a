"""Budgets under concurrency: a cap is never exceeded."""

import threading
import uuid
from decimal import Decimal
from functools import partial
from typing import Any

import pytest

from collection import services
from collection.models import Article, Campaign
from collection.services.campaigns import budget, pay
from collection.services.writing import assignments
from tests.factories import (
    ArticleFactory,
    UserFactory,
)
from tests.races.money import TWIN, capped
from tests.races.threads import at_once
from winoplatform.errors import DomainError

ROUNDS = 5


def given(results: list[Any]) -> int:
    refusals = [result.code for result in results if isinstance(result, DomainError)]
    assert set(refusals) <= {"budget_exhausted"}, results
    return len(results) - len(refusals)


def test_many_writers_at_the_last_places_get_as_many_articles_as_the_cap_pays_for() -> None:
    for _ in range(ROUNDS):
        campaign = capped(2)
        results = at_once(
            *[
                partial(services.request_assignment, worker=UserFactory(), campaign=campaign)
                for _ in range(8)
            ]
        )
        assert given(results) == 2, results
        assert budget.committed(campaign) == 2 * TWIN


def test_articles_bonuses_and_higher_rates_at_once_stay_within_the_cap() -> None:
    for _ in range(ROUNDS):
        campaign, dana = capped(2), UserFactory(curator=True)
        extra = {"campaign": campaign, "amount": TWIN, "reason": "Good.", "by": dana}
        ask = [
            partial(services.request_assignment, worker=UserFactory(), campaign=campaign)
            for _ in range(3)
        ]
        owe = [
            partial(
                pay.write_extra,
                kind="bonus",
                worker=UserFactory(),
                client_key=uuid.uuid4(),
                **extra,
            )
            for _ in range(3)
        ]
        dearer = partial(services.update_campaign, campaign=campaign, reward_vote=Decimal("0.10"))
        at_once(*ask, *owe, dearer)
        campaign.refresh_from_db()
        assert budget.committed(campaign) <= 2 * TWIN


def test_control_without_the_campaigns_lock_the_cap_is_exceeded(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    campaign = capped(2)
    meet, count = threading.Barrier(5), budget.committed

    def counted_together(campaign: Campaign) -> Decimal:
        sum_ = count(campaign)
        meet.wait(10)  # the others count meanwhile
        return sum_

    monkeypatch.setattr(budget, "_locked", lambda campaign: Campaign.objects.get(pk=campaign.pk))
    monkeypatch.setattr(budget, "committed", counted_together)
    ask = [
        partial(services.request_assignment, worker=UserFactory(), campaign=campaign)
        for _ in range(5)
    ]
    assert given(at_once(*ask)) == 5
    assert count(campaign) == 5 * TWIN


def capping(campaign: Campaign, cap: Decimal | None) -> partial[Campaign]:
    return partial(services.update_campaign, campaign=campaign, budget_cap=cap)


def test_a_first_cap_and_the_work_promised_at_that_moment_tie() -> None:
    """Each request has read the campaign without a cap, as a page does a moment before."""
    for _ in range(ROUNDS):
        campaign = ArticleFactory().campaign
        ask = [
            partial(services.request_assignment, worker=UserFactory(), campaign=campaign)
            for _ in range(5)
        ]
        *results, capped_now = at_once(*ask, capping(campaign, 2 * TWIN))
        campaign.refresh_from_db()
        if isinstance(capped_now, Campaign):
            assert budget.committed(campaign) <= 2 * TWIN, results
            assert given(results) <= 2
        else:
            assert capped_now.code == "budget_exhausted"  # more was promised already
            assert campaign.budget_cap is None


def test_a_first_cap_waits_for_what_is_being_promised(monkeypatch: pytest.MonkeyPatch) -> None:
    assert first_cap_amid_promises(monkeypatch) == ("budget_exhausted", 3 * TWIN)


def test_control_without_the_share_lock_a_first_cap_misses_what_is_being_promised(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(budget, "_stays_uncapped", lambda campaign: True)
    assert first_cap_amid_promises(monkeypatch) == ("", 3 * TWIN)


def first_cap_amid_promises(monkeypatch: pytest.MonkeyPatch) -> tuple[str, Decimal]:
    """Set a cap of two twins while three are being promised.

    Return how it was refused, or nothing, and what is committed afterwards.
    """
    campaign, choose = ArticleFactory().campaign, assignments._choose_article
    reserved, looked = threading.Barrier(4), threading.Event()

    def choose_slowly(*asked: Any) -> Article:
        reserved.wait(10)
        looked.wait(0.5)  # a curator who does not wait has looked by then
        return choose(*asked)

    def cap() -> str:
        reserved.wait(10)
        try:
            capping(campaign, 2 * TWIN)()
        except DomainError as refusal:
            return refusal.code
        finally:
            looked.set()
        return ""

    monkeypatch.setattr(assignments, "_choose_article", choose_slowly)
    ask = [
        partial(services.request_assignment, worker=UserFactory(), campaign=campaign)
        for _ in range(3)
    ]
    *promised, code = at_once(*ask, cap)
    assert given(promised) == 3
    return code, budget.committed(campaign)


def test_rates_that_rise_after_a_request_has_read_them_are_reckoned_with() -> None:
    """The request believes in 0.58 a twin; by the rates of now it is 1.00."""
    campaign = capped(1)
    Campaign.objects.filter(pk=campaign.pk).update(reward_vote=Decimal("0.10"))
    with pytest.raises(DomainError, match="All work that this campaign can pay for"):
        services.request_assignment(worker=UserFactory(), campaign=campaign)
    assert budget.committed(campaign) == 0


def test_bonuses_without_a_cap_and_limited_articles_wait_for_nobody_in_a_circle() -> None:
    """A lock that was shared and is then wanted alone would stop two of them for good."""
    campaign = ArticleFactory(campaign__article_uses_max=9).campaign
    extra = {"campaign": campaign, "amount": TWIN, "reason": "Good."}
    extra |= {"kind": "bonus", "by": UserFactory(curator=True)}
    for _ in range(ROUNDS):
        ask = [
            partial(services.request_assignment, worker=UserFactory(), campaign=campaign)
            for _ in range(3)
        ]
        owe = [
            partial(pay.write_extra, worker=UserFactory(), client_key=uuid.uuid4(), **extra)
            for _ in range(3)
        ]
        results = at_once(*ask, *owe, capping(campaign, None))
        assert not [r for r in results if isinstance(r, Exception) and not hasattr(r, "code")]
