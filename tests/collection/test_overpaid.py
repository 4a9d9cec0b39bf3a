"""Deductions: what has left stays in the budget, and no deduction comes after its pay."""

import uuid
from decimal import Decimal
from typing import Any

import pytest
from django.utils import timezone

from collection import services
from collection.models import Campaign, SessionCredit
from collection.services.campaigns import budget, pay
from tests.factories import (
    ArticleFactory,
    CampaignFactory,
    CrowdSessionFactory,
    LedgerEntryFactory,
    ParticipantFactory,
    StudyFactory,
    UserFactory,
)
from tests.refusals import refusal
from validation.selectors.reconciliation import check_ledger
from winoplatform.errors import DomainError
from workers import services as workers
from workers.models import LedgerEntry, Payout, User

CAP = Decimal("4.53")


@pytest.fixture
def campaign() -> Campaign:
    return CampaignFactory(budget_cap=CAP)


def dana() -> User:
    return User.objects.filter(role="curator").first() or UserFactory(curator=True)


def extra(campaign: Campaign, worker: User, amount: str) -> LedgerEntry:
    return pay.write_extra(
        campaign=campaign,
        kind="bonus" if Decimal(amount) > 0 else "adjustment",
        worker=worker,
        amount=Decimal(amount),
        reason="So.",
        client_key=uuid.uuid4(),
        by=dana(),
    )


def approve(campaign: Campaign, **more: Any) -> None:
    pay.approve_entries(campaign=campaign, by=dana(), **more)


def export(campaign: Campaign, provider: str = "any") -> Payout:
    return pay.export_payout(
        campaign=campaign, provider=provider, client_key=uuid.uuid4(), by=dana()
    )


def sums(campaign: Campaign) -> tuple[Decimal, Decimal, Decimal]:
    state = budget.state(campaign)
    return state.owed, state.overpaid, state.committed


@pytest.mark.parametrize("is_approved", [False, True])
def test_a_deduction_from_pay_that_has_left_frees_no_budget(
    is_approved: bool, campaign: Campaign
) -> None:
    bob, eve = UserFactory(), UserFactory()
    extra(campaign, bob, "4.00")
    approve(campaign), export(campaign)
    extra(campaign, bob, "-5.00")
    if is_approved:
        approve(campaign)
    assert sums(campaign) == (Decimal("-1.00"), Decimal("5.00"), Decimal("4.00"))
    assert refusal(extra, campaign, eve, "0.54").code == "budget_exhausted"
    extra(campaign, eve, "0.53")
    approve(campaign), export(campaign)
    assert workers.paid_out(campaign.public_id) == CAP


def test_a_deduction_from_unpaid_pay_frees_it(campaign: Campaign, bob: User) -> None:
    extra(campaign, bob, "4.00")
    approve(campaign)
    extra(campaign, bob, "-3.00")
    assert sums(campaign) == (Decimal("1.00"), Decimal("0.00"), Decimal("1.00"))
    extra(campaign, UserFactory(), "3.53")
    approve(campaign)
    assert export(campaign).lines.count() == 2
    assert workers.paid_out(campaign.public_id) == CAP


def test_a_workers_pay_waits_for_the_approval_of_their_deductions(campaign: Campaign) -> None:
    bob, then = UserFactory(), timezone.now()
    extra(campaign, bob, "4.00")
    approve(campaign)
    extra(campaign, bob, "-3.00")
    approve(campaign, until=then)
    assert refusal(export, campaign).code == "nothing_to_pay"
    approve(campaign)
    assert export(campaign).lines.get().amount == 1


def test_a_reversal_that_is_not_approved_holds_back_its_own_pay_only() -> None:
    bob, campaign = UserFactory(), CampaignFactory()
    first = LedgerEntryFactory(worker=bob, kind="twin", amount=2, budget=campaign.public_id)
    LedgerEntryFactory(worker=bob, kind="twin", amount=3, budget=campaign.public_id)
    approve(campaign)
    workers.take_back(worker=bob, kind="twin", unit=first.unit)
    assert export(campaign).lines.get().amount == 3


def test_later_pay_repays_what_was_overpaid_and_commits_nothing(campaign: Campaign) -> None:
    bob = UserFactory()
    extra(campaign, bob, "4.00")
    approve(campaign), export(campaign)
    extra(campaign, bob, "-2.00")
    extra(campaign, bob, "2.00")
    assert sums(campaign) == (Decimal("4.00"), Decimal("0.00"), Decimal("4.00"))
    approve(campaign)
    assert refusal(export, campaign).code == "nothing_to_pay"


def test_a_cancelled_payout_commits_no_more_than_before(campaign: Campaign, bob: User) -> None:
    extra(campaign, bob, "4.00")
    approve(campaign)
    payout = export(campaign)
    extra(campaign, bob, "-1.00")
    before = budget.committed(campaign)
    workers.cancel_payout(payout_id=payout.public_id, by=dana())
    assert (before, budget.committed(campaign)) == (4, 3)


def test_a_deduction_is_not_taken_from_what_a_platform_pays_itself(campaign: Campaign) -> None:
    study = StudyFactory(campaign=campaign, provider="prolific")
    session = CrowdSessionFactory(
        study=study, participant=ParticipantFactory(provider="prolific"), status="completed"
    )
    bob = session.participant.worker
    twin = LedgerEntryFactory(worker=bob, kind="twin", amount=4, budget=campaign.public_id)
    SessionCredit.objects.create(session=session, unit=twin.unit)
    extra(campaign, bob, "-4.00")
    assert budget.committed(campaign) == 4
    approve(campaign)
    assert export(campaign, "platform").lines.get().amount == 4
    assert budget.committed(campaign) == 4


def test_work_is_not_handed_out_for_money_that_has_left(bob: User) -> None:
    campaign = ArticleFactory(campaign__budget_cap=Decimal("4.53")).campaign
    extra(campaign, bob, "4.00")
    approve(campaign), export(campaign)
    extra(campaign, bob, "-4.00")
    asked = {"worker": UserFactory(), "campaign": campaign}
    with pytest.raises(DomainError, match="All work that this campaign can pay for"):
        services.request_assignment(**asked)


def test_no_payout_exceeds_a_cap_that_was_passed_by_other_means(campaign: Campaign) -> None:
    LedgerEntryFactory(kind="twin", amount=5, budget=campaign.public_id)
    approve(campaign)
    assert refusal(export, campaign).code == "beyond_cap"
    assert not Payout.objects.exists()


def test_the_check_finds_payouts_beyond_the_cap(campaign: Campaign) -> None:
    extra(campaign, UserFactory(), "4.00")
    approve(campaign), export(campaign)
    assert check_ledger(campaign).reconciled
    Campaign.objects.update(budget_cap=3)
    [problem] = check_ledger(campaign).problems
    [example] = problem.examples
    assert (problem.code, example.expected, example.found) == ("beyond_cap", 3, 4)


def test_rounds_of_pay_and_deduction_keep_to_the_cap(campaign: Campaign, bob: User) -> None:
    for _ in range(2):
        extra(campaign, bob, "2.00")
        approve(campaign), export(campaign)
        extra(campaign, bob, "-2.00")
        approve(campaign)
        extra(campaign, bob, "2.00")
    assert refusal(extra, campaign, bob, "2.00").code == "budget_exhausted"
    assert workers.paid_out(campaign.public_id) <= CAP
