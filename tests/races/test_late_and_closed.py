"""A late answer while its evaluation is closed: the pay that the close frees is not paid twice."""

import threading
import uuid
from decimal import Decimal
from functools import partial
from typing import Any

import pytest

from collection.models import Campaign
from collection.selectors.budget import committed
from collection.services.campaigns import pay
from evaluation.models import HumanSeat
from evaluation.services import change_human_status, human_votes
from knowledge import services as knowledge
from knowledge.models import SentenceSeat
from knowledge.services import answers
from tests.evaluation import people
from tests.evaluation.people import of_a_set
from tests.factories import UserFactory
from tests.knowledge import annotating
from tests.races.threads import at_once

REWARD = Decimal("0.05")


def late(kind: Any, seat: Any) -> None:
    kind.objects.filter(pk=seat.pk).update(leased_until="2026-01-01T00:00Z")


def closed_while_an_answer_is_stored(
    monkeypatch: pytest.MonkeyPatch,
    campaign: Campaign,
    module: Any,
    ask: str,
    answer: Any,
    close: Any,
) -> list[Any]:
    """Close after the answer has found its evaluation open, and promise what that frees."""
    Campaign.objects.filter(pk=campaign.pk).update(budget_cap=committed(campaign))
    campaign.refresh_from_db()
    inside, spent = threading.Event(), threading.Event()
    is_asking = getattr(module, ask)

    def slowly(of: Any) -> None:
        is_asking(of)
        inside.set()
        spent.wait(2)

    def promise() -> Any:
        inside.wait(5)
        close()
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

    monkeypatch.setattr(module, ask, slowly)
    return at_once(answer, promise)


def people_answer(monkeypatch: pytest.MonkeyPatch) -> tuple[Campaign, list[Any]]:
    evaluation = of_a_set(reward=REWARD)
    seat = people.claim(UserFactory(), evaluation)
    late(HumanSeat, seat)
    results = closed_while_an_answer_is_stored(
        monkeypatch,
        evaluation.campaign,
        human_votes,
        "refuse_unless_asking",
        partial(people.vote, seat),
        partial(change_human_status, evaluation=evaluation, status="closed"),
    )
    return evaluation.campaign, results


def annotators_answer(monkeypatch: pytest.MonkeyPatch) -> tuple[Campaign, list[Any]]:
    validation = annotating.validation(reward=REWARD)
    worker = UserFactory()
    annotating.enrol(worker, validation)
    seat = annotating.claim(worker, validation)
    late(SentenceSeat, seat)
    results = closed_while_an_answer_is_stored(
        monkeypatch,
        validation.campaign,
        answers,
        "refuse_unless_open",
        partial(annotating.answer, seat),
        partial(knowledge.change_validation_status, validation=validation, status="closed"),
    )
    return validation.campaign, results


KINDS = pytest.mark.parametrize(
    ("answered", "module"), [(people_answer, human_votes), (annotators_answer, answers)]
)


@KINDS
def test_a_close_waits_for_a_late_answer(
    answered: Any, module: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    campaign, results = answered(monkeypatch)
    assert not any(isinstance(one, Exception) for one in results), results
    assert committed(campaign) <= campaign.budget_cap


@KINDS
def test_control_without_the_lock_more_is_committed_than_the_cap(
    answered: Any, module: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "_lock", lambda of: None)
    campaign, _ = answered(monkeypatch)
    assert committed(campaign) == campaign.budget_cap + REWARD
