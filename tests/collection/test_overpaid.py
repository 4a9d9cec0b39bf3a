"""Pay that has left stays in the budget: after deductions, and after twins withdrawn."""

import uuid
from decimal import Decimal
from typing import Any

import pytest
from django.utils import timezone

from collection import services
from collection.models import Campaign, SessionCredit, Twin
from collection.services.campaigns import budget, pay
from tests.collection.test_budget import TWIN
from tests.factories import (
    ArticleFactory,
    CampaignFactory,
    CrowdSessionFactory,
    LedgerEntryFactory,
    ParticipantFactory,
    StudyFactory,
    UserFactory,
)
from tests.races.money import written
from tests.refusals import refusal, refused
from tests.writing import revise, with_word, withdraw
from validation.selectors.reconciliation import check_ledger
from winoplatform.errors import DomainError
from workers import services as workers
from workers.models import LedgerEntry, Payout, PayoutLine, User

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


@pytest.mark.long
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


@pytest.fixture
def twin() -> Twin:
    """The only one that its campaign can pay for."""
    campaign = ArticleFactory(campaign__budget_cap=TWIN).campaign
    return written(campaign)


def approve_twin(twin: Twin, by: User) -> None:
    pay.approve_entries(campaign=twin.campaign, by=by)


def export_twin(twin: Twin, by: User) -> Payout:
    return pay.export_payout(campaign=twin.campaign, provider="any", client_key=uuid.uuid4(), by=by)


def pay_out(twin: Twin, by: User) -> Payout:
    approve_twin(twin, by)
    return export_twin(twin, by)


def has_left() -> Decimal:
    lines = PayoutLine.objects.exclude(payout__status="cancelled")
    return sum((line.amount for line in lines), Decimal("0.00"))


def owed(twin: Twin) -> Decimal:
    return LedgerEntry.objects.filter(worker=twin.author).total()


@pytest.mark.long
@pytest.mark.parametrize("is_paid", [False, True])
def test_a_twin_that_was_paid_out_is_not_withdrawn(is_paid: bool, twin: Twin, dana: User) -> None:
    """Before: its 0.40 came free in the cap, and the next writer was promised them again."""
    payout = pay_out(twin, dana)
    if is_paid:
        workers.mark_paid(payout_id=payout.public_id, by=dana)
    with refused("pay_has_left"):
        withdraw(twin)
    twin.refresh_from_db()
    assert twin.withdrawn_at is None
    assert budget.committed(twin.campaign) == TWIN
    with refused("budget_exhausted"):
        services.request_assignment(worker=UserFactory(), campaign=twin.campaign)


def test_nor_is_any_text_that_takes_its_place(twin: Twin, dana: User) -> None:
    pay_out(twin, dana)
    newer = revise(twin, **with_word("old"))
    with refused("pay_has_left"):
        withdraw(newer)
    approve_twin(newer, dana)
    newest = revise(newer, **with_word("red"))
    with refused("pay_has_left"):
        withdraw(newest)
    assert has_left() == owed(twin) == Decimal("0.40")
    assert check_ledger(twin.campaign).reconciled


def test_after_a_payout_that_was_cancelled_it_can_be_withdrawn(twin: Twin, dana: User) -> None:
    payout = pay_out(twin, dana)
    workers.cancel_payout(payout_id=payout.public_id, by=dana)
    withdraw(twin)
    assert budget.committed(twin.campaign) == 0


def test_an_approved_twin_that_is_withdrawn_does_not_leave_with_the_next_payout(
    twin: Twin, dana: User
) -> None:
    """Before: the payout took its 0.40, and the take-back that waited freed the cap."""
    approve_twin(twin, dana)
    withdraw(twin)
    with refused("nothing_to_pay"):
        export_twin(twin, dana)
    approve_twin(twin, dana)
    with refused("nothing_to_pay"):
        export_twin(twin, dana)  # together they sum to nothing
    assert has_left() == 0
    assert check_ledger(twin.campaign).reconciled


def test_approving_up_to_the_day_before_a_withdrawal_pays_nothing(twin: Twin, dana: User) -> None:
    written = LedgerEntry.objects.get().created_at
    withdraw(twin)
    pay.approve_entries(campaign=twin.campaign, by=dana, until=written)
    with refused("nothing_to_pay"):
        export_twin(twin, dana)


def test_who_withdrew_in_time_and_came_back_may_withdraw_again(twin: Twin, dana: User) -> None:
    withdraw(twin)
    pay.write_extra(
        campaign=twin.campaign,
        kind="bonus",
        worker=twin.author,
        amount=Decimal("0.10"),
        reason="Good.",
        client_key=uuid.uuid4(),
        by=dana,
    )
    pay_out(twin, dana)
    assert has_left() == Decimal("0.10")
    twin.campaign.budget_cap = None
    services.update_campaign(campaign=twin.campaign, budget_cap=None)
    newer = revise(twin, **with_word("old"))
    assert withdraw(newer).withdrawn_at is not None
    assert owed(twin) == has_left()
