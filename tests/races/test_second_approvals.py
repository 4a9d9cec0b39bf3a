"""Second approvals and limits under concurrency, each with a control that loses its guard."""

import threading
import time
import uuid
from decimal import Decimal
from functools import partial
from typing import Any

import pytest
from django.db import IntegrityError

from collection.models import Campaign
from collection.services.campaigns import budget, pay
from tests.factories import CampaignFactory, UserFactory
from tests.races.threads import at_once
from winoplatform.errors import DomainError
from workers import services as workers
from workers.models import LedgerEntry, Payout, SecondApproval, Settlement, User
from workers.services import extra_pay, payouts, second_approvals, settlements

ROUNDS = 5
LARGE = Decimal("60.00")


def guarded(**settings: Any) -> Campaign:
    return CampaignFactory(second_approval_above=Decimal("50.00"), **settings)


def giving(campaign: Campaign, by: User, amount: Decimal = LARGE) -> partial[LedgerEntry]:
    return partial(
        pay.write_extra,
        campaign=campaign,
        kind="bonus",
        worker=UserFactory(),
        amount=amount,
        reason="So.",
        client_key=uuid.uuid4(),
        by=by,
    )


def approving(entry: LedgerEntry, by: User | None = None) -> partial[LedgerEntry]:
    return partial(
        workers.approve_extra,
        budget=entry.budget,
        kind=entry.kind,
        unit=entry.unit,
        by=by or UserFactory(curator=True),
    )


def voiding(campaign: Campaign, entry: LedgerEntry) -> partial[LedgerEntry]:
    return partial(
        pay.void_entry,
        campaign=campaign,
        worker=entry.worker,
        kind=entry.kind,
        unit=entry.unit,
        reason="No.",
        by=UserFactory(curator=True),
    )


def exporting(campaign: Campaign, by: User) -> partial[Payout]:
    asked = {"campaign": campaign, "provider": "any", "client_key": uuid.uuid4(), "by": by}
    return partial(pay.export_payout, **asked)


def test_two_curators_who_approve_at_once_approve_once() -> None:
    campaign, dana = guarded(), UserFactory(curator=True)
    for _ in range(ROUNDS):
        entry = giving(campaign, dana)()
        results = at_once(*[approving(entry) for _ in range(4)])
        assert {result.pk for result in results} == {entry.pk}, results
        assert SecondApproval.objects.filter(entry=entry).count() == 1


def meets_at(monkeypatch: pytest.MonkeyPatch, model: Any) -> None:
    """Let two approvals look before either of them is stored, and take no turns."""
    meet, create = threading.Barrier(2), model.objects.create

    def create_after_both_have_looked(**fields: Any) -> Any:
        meet.wait(10)
        return create(**fields)

    monkeypatch.setattr(second_approvals, "one_at_a_time", lambda name: None)
    monkeypatch.setattr(model.objects, "create", create_after_both_have_looked)


def test_control_without_turns_one_of_two_approvals_is_an_error(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    entry = giving(guarded(), UserFactory(curator=True))()
    meets_at(monkeypatch, SecondApproval)
    results = at_once(approving(entry), approving(entry))
    assert sum(isinstance(result, IntegrityError) for result in results) == 1, results


def test_an_entry_that_is_approved_while_it_is_voided_is_paid_to_nobody() -> None:
    campaign, dana = guarded(), UserFactory(curator=True)
    for _ in range(ROUNDS):
        entry = giving(campaign, dana)()
        pay.approve_entries(campaign=campaign, by=dana)
        approved, voided, exported = at_once(
            approving(entry), voiding(campaign, entry), exporting(campaign, dana)
        )
        state = Settlement.objects.get(entry=entry).state
        if isinstance(voided, LedgerEntry):
            assert state == "void"
            assert isinstance(exported, DomainError), exported
        else:
            assert (voided.code, state) == ("entry_settled", "exported")
        if isinstance(approved, DomainError):
            assert (approved.code, state) == ("entry_settled", "void")


def test_control_without_turns_a_void_entry_is_approved(monkeypatch: pytest.MonkeyPatch) -> None:
    campaign, dana = guarded(), UserFactory(curator=True)
    entry = giving(campaign, dana)()
    pay.approve_entries(campaign=campaign, by=dana)
    looked, gone = threading.Event(), threading.Event()
    create = SecondApproval.objects.create

    def create_after_the_void(**fields: Any) -> Any:
        looked.set()
        gone.wait(10)
        return create(**fields)

    def void() -> None:
        looked.wait(10)
        voiding(campaign, entry)()
        gone.set()

    monkeypatch.setattr(second_approvals, "one_at_a_time", lambda name: None)
    monkeypatch.setattr(settlements, "one_at_a_time", lambda name: None)
    monkeypatch.setattr(SecondApproval.objects, "create", create_after_the_void)
    approved, voided = at_once(approving(entry), void)
    assert isinstance(approved, LedgerEntry), approved
    assert voided is None, voided
    assert Settlement.objects.get(entry=entry).state == "void"


def test_entries_at_once_share_the_cap() -> None:
    for _ in range(ROUNDS):
        campaign = CampaignFactory(budget_cap=LARGE)
        results = at_once(*[giving(campaign, UserFactory(curator=True)) for _ in range(4)])
        codes = [found.code for found in results if isinstance(found, DomainError)]
        assert codes == ["budget_exhausted"] * 3, results
        assert budget.committed(campaign) == LARGE


def test_control_without_the_lock_entries_at_once_exceed_the_cap(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    campaign, meet = CampaignFactory(budget_cap=LARGE), threading.Barrier(2)
    committed = budget.committed

    def committed_at_both(campaign: Campaign) -> Decimal:
        amount = committed(campaign)
        meet.wait(10)
        return amount

    monkeypatch.setattr(budget, "_locked", lambda found: Campaign.objects.get(pk=found.pk))
    monkeypatch.setattr(budget, "committed", committed_at_both)
    results = at_once(*[giving(campaign, UserFactory(curator=True)) for _ in range(2)])
    assert all(isinstance(found, LedgerEntry) for found in results), results
    assert committed(campaign) == 2 * LARGE


def test_entries_of_one_curator_at_once_share_the_sum_that_one_approves() -> None:
    half = Decimal("30.00")
    for _ in range(ROUNDS):
        campaign, dana = guarded(), UserFactory(curator=True)
        results = at_once(*[giving(campaign, dana, half) for _ in range(4)])
        assert sum(not found.needs_second_approval for found in results) == 1, results


def test_entries_of_one_curator_at_once_share_the_limit_of_the_day(settings: Any) -> None:
    settings.PAY_DAY_MAX = 100
    for _ in range(ROUNDS):
        dana = UserFactory(curator=True)
        results = at_once(*[giving(CampaignFactory(), dana) for _ in range(4)])
        codes = [found.code for found in results if isinstance(found, DomainError)]
        assert codes == ["day_limit"] * 3, results


def test_control_without_turns_entries_of_one_curator_exceed_the_limits(
    monkeypatch: pytest.MonkeyPatch, settings: Any
) -> None:
    settings.PAY_DAY_MAX = 100
    dana, meet = UserFactory(curator=True), threading.Barrier(2)
    needs = extra_pay.needs_second_approval

    def needs_after_both_have_looked(*asked: Any) -> bool:
        found = needs(*asked)
        meet.wait(10)
        return found

    monkeypatch.setattr(extra_pay, "one_writer_at_a_time", lambda by: None)
    monkeypatch.setattr(extra_pay, "needs_second_approval", needs_after_both_have_looked)
    results = at_once(*[giving(CampaignFactory(), dana) for _ in range(2)])
    assert all(isinstance(found, LedgerEntry) for found in results), results


def deduct_while_paid_out(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """Deduct from pay whose payout is not committed yet, and give as much to another worker."""
    campaign, dana = CampaignFactory(budget_cap=LARGE), UserFactory(curator=True)
    entry = giving(campaign, dana)()
    pay.approve_entries(campaign=campaign, by=dana)
    taken, write_lines = threading.Event(), payouts._write_lines

    def write_late(payout: Payout) -> None:
        taken.set()
        time.sleep(0.5)
        write_lines(payout)

    def deduct_and_give() -> LedgerEntry:
        taken.wait(10)
        deduction = giving(campaign, dana, -LARGE).keywords
        pay.write_extra(**deduction | {"kind": "adjustment", "worker": entry.worker})
        return giving(campaign, dana)()

    monkeypatch.setattr(payouts, "_write_lines", write_late)
    return at_once(exporting(campaign, dana), deduct_and_give)


def test_a_deduction_waits_for_a_payout_in_progress(monkeypatch: pytest.MonkeyPatch) -> None:
    exported, given = deduct_while_paid_out(monkeypatch)
    assert isinstance(exported, Payout), exported
    assert isinstance(given, DomainError), given
    assert given.code == "budget_exhausted"


def test_control_without_turns_a_deduction_frees_what_is_leaving(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(extra_pay, "one_at_a_time", lambda name: None)
    exported, given = deduct_while_paid_out(monkeypatch)
    assert isinstance(exported, Payout), exported
    assert isinstance(given, LedgerEntry), given
