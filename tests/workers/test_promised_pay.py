"""Each kind of work that is promised pay is held and in the budget, by its table alone."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.apps import apps
from django.db.models import OuterRef
from django.utils import timezone

from collection.models import Campaign
from collection.selectors.budget import committed
from tests.factories import (
    AssignmentFactory,
    CampaignFactory,
    FormalisingTaskFactory,
    PanelSeatFactory,
    SeatFactory,
    TwinFactory,
    UserFactory,
)
from workers.models import PromisedPay, User
from workers.models.promised_pay import is_held, promising

HOLDING: dict[str, Callable[[User, Campaign], PromisedPay]] = {
    "article": lambda worker, here: AssignmentFactory(worker=worker, campaign=here),
    "question": lambda worker, here: SeatFactory(
        worker=worker, question=TwinFactory(campaign=here).questions.get(number=1)
    ),
    "evaluation": lambda worker, here: PanelSeatFactory(worker=worker, item__panel__campaign=here),
    "formalising": lambda worker, here: FormalisingTaskFactory(
        worker=worker, knowledge_set__campaign=here
    ),
}


def test_each_table_that_leases_work_for_a_reward_promises_pay() -> None:
    leased = {
        model
        for model in apps.get_models()
        if {"leased_until", "reward"} <= {field.name for field in model._meta.fields}
    }
    assert set(promising()) == leased
    assert len(leased) == 4


@pytest.mark.parametrize("kind", HOLDING)
def test_what_one_holds_is_held_until_its_lease_ends(kind: str) -> None:
    alice, campaign = UserFactory(), CampaignFactory()
    held = HOLDING[kind](alice, campaign)

    def where(worker: User, **later: int) -> list[Any]:
        now = timezone.now() + timedelta(**later)
        return list(Campaign.objects.filter(is_held(worker, OuterRef("pk"), now)))

    assert where(alice) == [campaign]
    assert where(UserFactory()) == []
    assert where(alice, days=2) == []
    type(held)._default_manager.all().delete()
    assert where(alice) == []


@pytest.mark.parametrize("kind", HOLDING)
def test_what_one_holds_is_committed_by_its_campaign_alone(kind: str) -> None:
    campaign, other = CampaignFactory.create_batch(2)
    HOLDING[kind](UserFactory(), campaign)
    assert committed(campaign) > 0
    assert committed(other) == 0
