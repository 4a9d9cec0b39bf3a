"""The limits of bonuses and adjustments: per entry, and per curator and day."""

import uuid
from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest
from django.core.exceptions import ValidationError
from django.utils import timezone

from tests.factories import LedgerEntryFactory, UserFactory
from winoplatform.errors import DomainError
from workers import services
from workers.models import LedgerEntry, Payout, User

BUDGET = uuid.UUID(int=7)


def extra(by: User, amount: str, **more: Any) -> LedgerEntry:
    asked = {
        "kind": "bonus" if Decimal(amount) > 0 else "adjustment",
        "worker": UserFactory(),
        "amount": Decimal(amount),
        "currency": "USD",
        "budget": BUDGET,
        "reason": "Good work.",
        "client_key": uuid.uuid4(),
        "by": by,
    }
    return services.write_extra(**(asked | more))


@pytest.mark.parametrize("amount", ["500.01", "-500.01", "9999999999.99"])
def test_an_entry_beyond_the_limit_is_refused(amount: str, dana: User) -> None:
    with pytest.raises(ValidationError, match="must not exceed 500"):
        extra(dana, amount)
    extra(dana, "500.00"), extra(dana, "-500.00")


def test_a_curator_adds_a_limited_sum_within_a_day_in_all_campaigns(
    dana: User, settings: Any
) -> None:
    settings.PAY_DAY_MAX = 500
    extra(dana, "300.00")
    extra(dana, "100.00", budget=uuid.uuid4())
    extra(dana, "-400.00")
    with pytest.raises(DomainError, match=r"500.01 USD of pay within 24 hours; the limit is 500"):
        extra(dana, "100.01")
    extra(dana, "100.00")
    extra(dana, "400.00", currency="EUR")
    extra(UserFactory(curator=True), "100.00")


def test_a_repeated_request_at_the_limit_returns_the_entry(dana: User, settings: Any) -> None:
    settings.PAY_DAY_MAX = 500
    same = {"client_key": uuid.uuid4(), "worker": UserFactory()}
    assert extra(dana, "500.00", **same) == extra(dana, "500.00", **same)


def test_what_was_written_a_day_ago_counts_no_more(dana: User, settings: Any) -> None:
    settings.PAY_DAY_MAX = 500
    LedgerEntryFactory(
        kind="bonus", unit="bonus:1", amount=500, by=dana,
        created_at=timezone.now() - timedelta(days=1, seconds=1),
    )  # fmt: skip
    assert extra(dana, "500.00").amount == 500


def test_what_was_voided_counts_as_written(dana: User, settings: Any) -> None:
    settings.PAY_DAY_MAX = 500
    entry = extra(dana, "500.00")
    services.void_entry(
        worker=entry.worker, kind=entry.kind, unit=entry.unit, reason="No.", by=dana
    )
    with pytest.raises(DomainError, match="within 24 hours"):
        extra(dana, "0.01")


def test_four_of_the_largest_entries_of_former_times_are_paid_out(dana: User) -> None:
    """Their sum has a column that fits: 10^12 of them would be needed to exceed it."""
    bob = UserFactory()
    for number in range(4):
        LedgerEntryFactory(
            worker=bob, kind="adjustment", unit=f"void:{number}", amount="9999999999.99",
            budget=BUDGET,
        )  # fmt: skip
    services.approve_entries(budget=BUDGET, by=dana)
    payout = services.export_payout(
        budget=BUDGET, currency="USD", provider="any", entries=LedgerEntry.objects.all(),
        client_key=uuid.uuid4(), by=dana,
    )  # fmt: skip
    assert Payout.objects.with_sums().get(pk=payout.pk).sum == Decimal("39999999999.96")
