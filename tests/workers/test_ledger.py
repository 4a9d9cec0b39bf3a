"""The ledger: one entry per worker, kind and unit, written once and never changed."""

import uuid
from collections.abc import Callable
from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest
from django.apps import apps
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.db.models import OuterRef
from django.utils import timezone

from collection.models import Campaign
from collection.selectors.budget import committed
from tests.factories import (
    AssignmentFactory,
    CampaignFactory,
    FormalisingTaskFactory,
    LedgerEntryFactory,
    PanelSeatFactory,
    SeatFactory,
    TwinFactory,
    UserFactory,
)
from winoplatform.errors import DomainError
from workers import services
from workers.models import LedgerEntry, PromisedPay, User
from workers.models.promised_pay import is_held, promising


def accrue(worker: User, **changes: Any) -> LedgerEntry:
    fields = {
        "kind": LedgerEntry.Kind.VOTE,
        "unit": "vote-1",
        "amount": Decimal("0.03"),
        "currency": "USD",
        "budget": uuid.UUID(int=1),
    }
    return services.accrue(worker=worker, **(fields | changes))


def test_work_is_written_down_once_however_often_it_is_reported(bob: User) -> None:
    assert accrue(bob) == accrue(bob)
    assert LedgerEntry.objects.total() == Decimal("0.03")


@pytest.mark.parametrize("other", [{"unit": "vote-2"}, {"kind": LedgerEntry.Kind.TWIN}])
def test_another_unit_or_kind_is_another_entry(other: dict[str, str], bob: User) -> None:
    assert accrue(bob) != accrue(bob, **other)


def test_two_workers_are_paid_for_the_same_unit() -> None:
    assert accrue(UserFactory()) != accrue(UserFactory())


@pytest.mark.parametrize("other", [{"amount": Decimal("0.04")}, {"currency": "EUR"}])
def test_the_same_unit_at_another_price_is_refused(other: dict[str, Any], bob: User) -> None:
    accrue(bob)
    with pytest.raises(DomainError) as caught:
        accrue(bob, **other)
    assert (caught.value.code, caught.value.status) == ("pay_differs", 409)
    assert LedgerEntry.objects.get().amount == Decimal("0.03")


@pytest.mark.parametrize("amount", [Decimal("0.005"), Decimal("NaN")])
def test_a_fraction_of_a_cent_is_refused(amount: Decimal) -> None:
    with pytest.raises(ValidationError):
        accrue(UserFactory(), amount=amount)


CHANGES: list[Callable[[LedgerEntry], Any]] = [
    lambda entry: LedgerEntry.objects.filter(pk=entry.pk).update(amount=1),
    lambda entry: entry.save(),
    lambda entry: entry.delete(),
    lambda entry: LedgerEntry.objects.all().delete(),
]


@pytest.mark.parametrize("change", CHANGES, ids=["update", "save", "delete", "delete all"])
def test_an_entry_is_never_changed_or_deleted(change: Callable[[LedgerEntry], Any]) -> None:
    entry = accrue(UserFactory())
    with pytest.raises(IntegrityError, match="append-only"), transaction.atomic():
        change(entry)
    assert LedgerEntry.objects.get().amount == Decimal("0.03")


def test_a_mistake_is_mended_by_a_negative_adjustment(bob: User) -> None:
    accrue(bob)
    accrue(bob, kind=LedgerEntry.Kind.ADJUSTMENT, amount=Decimal("-0.03"))
    assert bob.ledger.total() == Decimal("0.00")


def test_a_worker_who_earned_nothing_is_owed_nothing() -> None:
    assert UserFactory().ledger.total() == Decimal("0.00")


@pytest.mark.long
def test_a_thousand_votes_are_exactly_thirty_dollars(bob: User) -> None:
    LedgerEntryFactory.create_batch(1000, worker=bob)
    assert str(bob.ledger.total()) == "30.00"


def test_workers_see_their_own_pay_and_members_that_of_their_campaigns() -> None:
    entry = LedgerEntryFactory(budget=CampaignFactory().public_id)
    LedgerEntryFactory()
    assert list(LedgerEntry.objects.visible_to(entry.worker)) == [entry]
    assert not LedgerEntry.objects.visible_to(UserFactory()).exists()
    assert list(LedgerEntry.objects.visible_to(UserFactory(curator=True))) == [entry]


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
