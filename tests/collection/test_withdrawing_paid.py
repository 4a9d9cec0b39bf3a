"""A twin whose pay has left cannot be withdrawn: that would free money in the cap that is gone."""

import uuid
from decimal import Decimal

import pytest

from collection import services
from collection.models import Twin
from collection.services.campaigns import budget, pay
from tests.collection.test_budget import TWIN
from tests.factories import ArticleFactory, UserFactory
from tests.races.money import written
from tests.refusals import refused
from tests.writing import revise, with_word, withdraw
from validation.selectors.reconciliation import check_ledger
from workers import services as workers
from workers.models import LedgerEntry, Payout, PayoutLine, User


@pytest.fixture
def twin() -> Twin:
    """The only one that its campaign can pay for."""
    campaign = ArticleFactory(campaign__budget_cap=TWIN).campaign
    return written(campaign)


def approve(twin: Twin, by: User) -> None:
    pay.approve_entries(campaign=twin.campaign, by=by)


def export(twin: Twin, by: User) -> Payout:
    return pay.export_payout(campaign=twin.campaign, provider="any", client_key=uuid.uuid4(), by=by)


def pay_out(twin: Twin, by: User) -> Payout:
    approve(twin, by)
    return export(twin, by)


def has_left() -> Decimal:
    lines = PayoutLine.objects.exclude(payout__status="cancelled")
    return sum((line.amount for line in lines), Decimal("0.00"))


def owed(twin: Twin) -> Decimal:
    return LedgerEntry.objects.filter(worker=twin.author).total()


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
    approve(newer, dana)
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
    approve(twin, dana)
    withdraw(twin)
    with refused("nothing_to_pay"):
        export(twin, dana)
    approve(twin, dana)
    with refused("nothing_to_pay"):
        export(twin, dana)  # together they sum to nothing
    assert has_left() == 0
    assert check_ledger(twin.campaign).reconciled


def test_approving_up_to_the_day_before_a_withdrawal_pays_nothing(twin: Twin, dana: User) -> None:
    written = LedgerEntry.objects.get().created_at
    withdraw(twin)
    pay.approve_entries(campaign=twin.campaign, by=dana, until=written)
    with refused("nothing_to_pay"):
        export(twin, dana)


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
