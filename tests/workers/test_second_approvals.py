"""Large pay leaves only after a second curator's approval; limits per entry, curator and day."""

import uuid
from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest
from django.core.exceptions import ValidationError
from django.utils import timezone

from collection import services as collection
from collection.exports.payouts import file_named, files_of
from collection.models import Campaign
from collection.services.campaigns import pay
from tests.factories import CampaignFactory, LedgerEntryFactory, UserFactory
from winoplatform.errors import DomainError
from workers import services
from workers.models import LedgerEntry, Payout, SecondApproval, User


@pytest.fixture
def campaign() -> Campaign:
    return CampaignFactory(second_approval_above=Decimal("50.00"))


@pytest.fixture
def erin() -> User:
    return UserFactory(curator=True)


def extra(campaign: Campaign, by: User, amount: str, **more: Any) -> LedgerEntry:
    asked = {
        "campaign": campaign,
        "kind": "bonus" if Decimal(amount) > 0 else "adjustment",
        "worker": UserFactory(),
        "amount": Decimal(amount),
        "reason": "So.",
        "client_key": uuid.uuid4(),
        "by": by,
    }
    return pay.write_extra(**(asked | more))


def export(campaign: Campaign, by: User) -> Payout:
    pay.approve_entries(campaign=campaign, by=by)
    return pay.export_payout(campaign=campaign, provider="any", client_key=uuid.uuid4(), by=by)


def second(entry: LedgerEntry, by: User) -> LedgerEntry:
    return services.approve_extra(budget=entry.budget, kind=entry.kind, unit=entry.unit, by=by)


def refused(call: Any, *asked: Any, **named: Any) -> str:
    with pytest.raises(DomainError) as caught:
        call(*asked, **named)
    return caught.value.code


def test_a_large_bonus_is_in_no_payout_until_another_curator_approves_it(
    campaign: Campaign, dana: User, erin: User
) -> None:
    small, large = extra(campaign, dana, "50.00"), extra(campaign, dana, "50.01")
    assert (small.needs_second_approval, large.needs_second_approval) == (False, True)
    assert export(campaign, dana).lines.get().worker == small.worker
    assert refused(export, campaign, dana) == "nothing_to_pay"
    assert refused(second, large, dana) == "own_pay"
    assert refused(second, small, erin) == "no_second_approval"
    assert second(large, erin) == second(large, erin)
    assert SecondApproval.objects.get().by == erin
    assert export(campaign, erin).lines.get().worker == large.worker


def test_an_upward_adjustment_needs_it_and_a_deduction_does_not(
    campaign: Campaign, dana: User
) -> None:
    up = extra(campaign, dana, "50.01", kind="adjustment")
    assert (up.needs_second_approval, extra(campaign, dana, "-90").needs_second_approval) == (
        True,
        False,
    )


def test_several_small_ones_need_it_as_one_large_one_does(
    campaign: Campaign, dana: User, erin: User
) -> None:
    extra(campaign, dana, "30.00")
    assert extra(campaign, dana, "20.01").needs_second_approval
    assert not extra(campaign, dana, "20.00").needs_second_approval
    assert not extra(campaign, erin, "50.00").needs_second_approval
    elsewhere = CampaignFactory(second_approval_above=Decimal("50.00"))
    assert not extra(elsewhere, dana, "50.00").needs_second_approval


def test_it_is_off_by_default(dana: User) -> None:
    campaign = CampaignFactory()
    assert not extra(campaign, dana, "500.00").needs_second_approval
    assert not export(campaign, dana).awaits_second_approval


def test_an_entry_that_is_void_is_not_approved(campaign: Campaign, dana: User, erin: User) -> None:
    large = extra(campaign, dana, "60.00")
    void = {"worker": large.worker, "kind": large.kind, "unit": large.unit, "reason": "No."}
    pay.void_entry(campaign=campaign, by=erin, **void)
    assert refused(second, large, erin) == "entry_settled"
    assert not LedgerEntry.objects.all().awaiting_second_approval().exists()
    assert not LedgerEntry.objects.get(pk=large.pk).awaits_second_approval


def test_a_large_payout_has_no_files_until_another_curator_approves_it(
    campaign: Campaign, dana: User, erin: User
) -> None:
    for _ in range(2):
        LedgerEntryFactory(kind="twin", amount=30, budget=campaign.public_id)
    payout = export(campaign, dana)
    name, one = files_of(payout)[0].name, {"payout_id": payout.public_id}
    assert refused(file_named, payout, name, payout.created_by) == "second_approval_missing"
    assert refused(pay.mark_paid, **one, by=erin) == "second_approval_missing"
    assert refused(services.approve_payout, **one, by=dana) == "own_pay"
    for _ in range(2):
        payout = services.approve_payout(**one, by=erin)
    assert list(file_named(payout, name, payout.created_by)[1])
    assert pay.mark_paid(**one, by=dana).status == "paid"


def test_several_small_payouts_need_it_as_one_large_one_does(
    campaign: Campaign, dana: User, erin: User
) -> None:
    """Also cancelled ones, since their files could be downloaded."""
    LedgerEntryFactory(kind="twin", amount=30, budget=campaign.public_id)
    first = export(campaign, dana)
    assert not first.awaits_second_approval
    services.cancel_payout(payout_id=first.public_id, by=dana)
    again = export(campaign, dana)
    assert again.awaits_second_approval
    services.cancel_payout(payout_id=again.public_id, by=dana)
    assert not export(campaign, erin).awaits_second_approval


def test_a_payout_of_the_day_before_does_not_count(campaign: Campaign, dana: User) -> None:
    LedgerEntryFactory(kind="twin", amount=30, budget=campaign.public_id)
    first = export(campaign, dana)
    long_ago = timezone.now() - timedelta(days=1, seconds=1)
    Payout.objects.filter(pk=first.pk).update(created_at=long_ago)
    LedgerEntryFactory(kind="twin", amount=30, budget=campaign.public_id)
    assert not export(campaign, dana).awaits_second_approval


def test_a_cancelled_payout_is_not_approved(campaign: Campaign, dana: User, erin: User) -> None:
    LedgerEntryFactory(kind="twin", amount=60, budget=campaign.public_id)
    payout = export(campaign, dana)
    services.cancel_payout(payout_id=payout.public_id, by=erin)
    one = {"payout_id": payout.public_id, "by": erin}
    assert refused(services.approve_payout, **one) == "payout_cancelled"
    assert refused(pay.mark_paid, **one) == "payout_cancelled"


def test_a_cancelled_payout_that_nobody_approved_has_no_files(
    campaign: Campaign, dana: User
) -> None:
    LedgerEntryFactory(kind="twin", amount=60, budget=campaign.public_id)
    payout = services.cancel_payout(payout_id=export(campaign, dana).public_id, by=dana)
    name = files_of(payout)[0].name
    assert refused(file_named, payout, name, payout.created_by) == "second_approval_missing"


def invited(by: User) -> User:
    _, code = services.invite(role="curator", by=by)
    name = f"curator-{uuid.uuid4().hex[:8]}"
    return services.accept_invitation(code=code, username=name, password="long enough words")


def test_an_account_that_a_curator_has_invited_is_no_second_curator(
    campaign: Campaign, dana: User, erin: User
) -> None:
    first, other = invited(dana), invited(dana)
    second_hand = invited(first)
    for writer, by in ((dana, first), (first, dana), (first, other), (second_hand, other)):
        assert refused(second, extra(campaign, writer, "60.00"), by) == "own_pay"
    assert second(extra(campaign, second_hand, "60.00"), erin).second_approval.by == erin


def test_accounts_that_an_admin_has_invited_are_independent(campaign: Campaign) -> None:
    admin = UserFactory(role="admin")
    one, other = invited(admin), invited(admin)
    assert second(extra(campaign, one, "60.00"), other).second_approval.by == other
    assert second(extra(campaign, other, "60.00"), admin).second_approval.by == admin


@pytest.mark.parametrize("above", [None, Decimal("50.01")])
def test_only_an_admin_lets_one_curator_pay_more(
    above: Decimal | None, campaign: Campaign, dana: User
) -> None:
    changes = {"campaign": campaign, "second_approval_above": above}
    assert refused(collection.update_campaign, **changes, by=dana) == "second_approval_kept"
    lower = {"campaign": campaign, "second_approval_above": Decimal("10.00")}
    assert collection.update_campaign(**lower, by=dana).second_approval_above == 10
    admin = UserFactory(role="admin")
    assert collection.update_campaign(**changes, by=admin).second_approval_above == above


def test_what_needed_it_when_it_was_written_still_needs_it(campaign: Campaign, dana: User) -> None:
    large = extra(campaign, dana, "60.00")
    Campaign.objects.update(second_approval_above=None)
    assert refused(export, campaign, dana) == "nothing_to_pay"
    assert large.awaits_second_approval


BUDGET = uuid.UUID(int=7)


def ledger_extra(by: User, amount: str, **more: Any) -> LedgerEntry:
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
        ledger_extra(dana, amount)
    ledger_extra(dana, "500.00"), ledger_extra(dana, "-500.00")


def test_a_curator_adds_a_limited_sum_within_a_day_in_all_campaigns(
    dana: User, settings: Any
) -> None:
    settings.PAY_DAY_MAX = 500
    ledger_extra(dana, "300.00")
    ledger_extra(dana, "100.00", budget=uuid.uuid4())
    ledger_extra(dana, "-400.00")
    with pytest.raises(DomainError, match=r"500.01 USD of pay within 24 hours; the limit is 500"):
        ledger_extra(dana, "100.01")
    ledger_extra(dana, "100.00")
    ledger_extra(dana, "400.00", currency="EUR")
    ledger_extra(UserFactory(curator=True), "100.00")


def test_a_repeated_request_at_the_limit_returns_the_entry(dana: User, settings: Any) -> None:
    settings.PAY_DAY_MAX = 500
    same = {"client_key": uuid.uuid4(), "worker": UserFactory()}
    assert ledger_extra(dana, "500.00", **same) == ledger_extra(dana, "500.00", **same)


def test_what_was_written_a_day_ago_counts_no_more(dana: User, settings: Any) -> None:
    settings.PAY_DAY_MAX = 500
    LedgerEntryFactory(
        kind="bonus", unit="bonus:1", amount=500, by=dana,
        created_at=timezone.now() - timedelta(days=1, seconds=1),
    )  # fmt: skip
    assert ledger_extra(dana, "500.00").amount == 500


def test_what_was_voided_counts_as_written(dana: User, settings: Any) -> None:
    settings.PAY_DAY_MAX = 500
    entry = ledger_extra(dana, "500.00")
    services.void_entry(
        worker=entry.worker, kind=entry.kind, unit=entry.unit, reason="No.", by=dana
    )
    with pytest.raises(DomainError, match="within 24 hours"):
        ledger_extra(dana, "0.01")


def test_four_of_the_largest_entries_of_former_times_are_paid_out(dana: User, bob: User) -> None:
    """Their sum has a column that fits: 10^12 of them would be needed to exceed it."""
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
