"""Pay under concurrency: an entry is never paid twice, and the sums tie."""

import threading
import time
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from decimal import Decimal
from functools import partial
from typing import Any

import pytest
from django.db import connection

from collection.models import Campaign, Twin
from collection.services.campaigns import pay
from tests.factories import (
    ArticleFactory,
    LedgerEntryFactory,
    TwinFactory,
    UserFactory,
)
from tests.races.money import TWIN, capped, written
from tests.races.threads import at_once
from validation import services as validation
from validation.selectors import reconciliation
from validation.selectors.reconciliation import check_ledger
from validation.services import withdraw_twin
from validation.services.writing import twins
from winoplatform.errors import DomainError
from workers import services as workers
from workers.models import LedgerEntry, Payout, PayoutLine, Settlement, User
from workers.services import payouts

ROUNDS = 5


def withdrawing(twin: Twin) -> partial[Twin]:
    return partial(withdraw_twin, worker=twin.author, twin_id=twin.public_id)


def test_a_twin_that_is_withdrawn_while_it_is_paid_out_is_one_or_the_other() -> None:
    for _ in range(ROUNDS):
        campaign, dana = capped(3), UserFactory(curator=True)
        twin = written(campaign)
        pay.approve_entries(campaign=campaign, by=dana)
        exported, withdrawn = at_once(exporting(campaign, dana), withdrawing(twin))
        assert isinstance(exported, Payout) != isinstance(withdrawn, Twin), (exported, withdrawn)
        assert paid_out(campaign) == LedgerEntry.objects.filter(budget=campaign.public_id).total()
        assert check_ledger(campaign).reconciled


def test_control_without_turns_a_twin_is_withdrawn_and_paid_out(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    campaign, dana = capped(3), UserFactory(curator=True)
    twin, looked, has_left = written(campaign), threading.Event(), twins.pay_has_left
    pay.approve_entries(campaign=campaign, by=dana)

    def looks_first(twin: Twin) -> bool:
        found = has_left(twin)
        looked.set()
        time.sleep(0.3)  # the payout is made meanwhile
        return found

    def export() -> Payout:
        looked.wait(10)
        return exporting(campaign, dana)()

    monkeypatch.setattr(workers, "one_at_a_time", lambda name: None)
    monkeypatch.setattr(twins, "pay_has_left", looks_first)
    exported, withdrawn = at_once(export, withdrawing(twin))
    assert isinstance(exported, Payout), exported
    assert isinstance(withdrawn, Twin), withdrawn
    assert paid_out(campaign) == Decimal("0.40")
    assert LedgerEntry.objects.filter(budget=campaign.public_id).total() == 0


def approved(campaign: Campaign, entries: int = 6) -> User:
    """Approve some pay of two workers; return the curator."""
    dana = UserFactory(curator=True)
    for worker in UserFactory.create_batch(2):
        LedgerEntryFactory.create_batch(entries // 2, worker=worker, budget=campaign.public_id)
    pay.approve_entries(campaign=campaign, by=dana)
    return dana


def exporting(campaign: Campaign, by: User, key: uuid.UUID | None = None) -> partial[Payout]:
    return partial(
        pay.export_payout,
        campaign=campaign,
        provider="any",
        client_key=key or uuid.uuid4(),
        by=by,
    )


def paid_out(campaign: Campaign) -> Decimal:
    lines = PayoutLine.objects.filter(payout__budget=campaign.public_id)
    return sum((line.amount for line in lines.exclude(payout__status="cancelled")), Decimal(0))


def test_two_curators_who_export_at_once_pay_nobody_twice() -> None:
    for _ in range(ROUNDS):
        campaign = capped(9)
        dana = approved(campaign)
        results = at_once(*[exporting(campaign, dana) for _ in range(4)])
        assert sum(isinstance(result, Payout) for result in results) == 1, results
        assert paid_out(campaign) == Decimal("0.18")


def test_one_key_sent_many_times_at_once_is_one_payout() -> None:
    campaign = capped(9)
    dana, key = approved(campaign), uuid.uuid4()
    results = at_once(*[exporting(campaign, dana, key) for _ in range(4)])
    assert len({result.pk for result in results}) == 1, results
    assert paid_out(campaign) == Decimal("0.18")


def test_one_key_for_payouts_of_two_campaigns_at_once_is_used_by_one() -> None:
    for _ in range(ROUNDS):
        one, other, key = capped(9), capped(9), uuid.uuid4()
        results = at_once(
            exporting(one, approved(one), key), exporting(other, approved(other), key)
        )
        refused = [result.code for result in results if isinstance(result, DomainError)]
        assert refused == ["client_key_used"], results


def test_two_payouts_with_the_budget_of_the_other_as_key_do_not_wait_for_each_other(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    lock = payouts.one_at_a_time

    def after_the_other_has_its_key(budget: uuid.UUID) -> None:
        time.sleep(0.3)
        lock(budget)

    monkeypatch.setattr(payouts, "one_at_a_time", after_the_other_has_its_key)
    one, other = capped(9), capped(9)
    results = at_once(
        exporting(one, approved(one), other.public_id),
        exporting(other, approved(other), one.public_id),
    )
    assert all(isinstance(result, Payout) for result in results), results


def test_one_key_for_bonuses_of_two_workers_at_once_is_used_by_one() -> None:
    for _ in range(ROUNDS):
        asked = {"kind": "bonus", "amount": TWIN, "reason": "Good.", "client_key": uuid.uuid4()}
        asked["by"] = UserFactory(curator=True)
        give = [
            partial(pay.write_extra, campaign=capped(9), worker=UserFactory(), **asked)
            for _ in range(3)
        ]
        refused = [found.code for found in at_once(*give) if isinstance(found, DomainError)]
        assert refused == ["client_key_used"] * 2
        assert LedgerEntry.objects.filter(unit=f"bonus:{asked['client_key']}").count() == 1


@contextmanager
def without_trigger(table: str, trigger: str) -> Iterator[None]:
    with connection.cursor() as cursor:
        cursor.execute(f"ALTER TABLE {table} DISABLE TRIGGER {trigger}")
        try:
            yield
        finally:
            cursor.execute(f"ALTER TABLE {table} ENABLE TRIGGER {trigger}")


def test_control_without_the_guard_entries_are_paid_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without turns, "still approved?" and the table's trigger: both take what both have seen."""
    campaign = capped(9)
    dana, meet = approved(campaign), threading.Barrier(2)

    def take_what_was_seen(payout: Payout, entries: Any) -> int:
        seen = list(payouts.payable(entries, payout.budget, payout.currency).values_list("pk"))
        meet.wait(10)  # the other curator reads meanwhile
        return Settlement.objects.filter(entry__in=[pk for (pk,) in seen]).update(
            state="exported", payout=payout, by=payout.created_by, changed_at=payout.created_at
        )

    monkeypatch.setattr(payouts, "one_at_a_time", lambda name: None)
    monkeypatch.setattr(payouts, "_take", take_what_was_seen)
    with without_trigger("workers_settlement", "workers_settlement_keeps_to_arrows"):
        results = at_once(*[exporting(campaign, dana) for _ in range(2)])
    assert all(isinstance(result, Payout) for result in results), results
    assert paid_out(campaign) == Decimal("0.36")


def test_an_entry_that_is_voided_while_it_is_exported_is_one_or_the_other() -> None:
    for _ in range(ROUNDS):
        campaign = capped(9)
        dana = approved(campaign)
        entry = LedgerEntry.objects.filter(budget=campaign.public_id).first()
        void = partial(
            pay.void_entry,
            campaign=campaign,
            worker=entry.worker,
            kind=entry.kind,
            unit=entry.unit,
            reason="No.",
            by=dana,
        )
        exported, voided = at_once(exporting(campaign, dana), void)
        assert isinstance(exported, Payout), exported
        state = Settlement.objects.get(entry=entry).state
        assert state == ("void" if isinstance(voided, LedgerEntry) else "exported")
        assert paid_out(campaign) == Decimal("0.15" if state == "void" else "0.18")


def test_a_payout_is_paid_or_cancelled_and_its_entries_go_with_it() -> None:
    for _ in range(ROUNDS):
        campaign = capped(9)
        dana = approved(campaign)
        payout = exporting(campaign, dana)()
        one = {"payout_id": payout.public_id, "by": dana}
        at_once(
            partial(workers.mark_paid, **one),
            partial(workers.cancel_payout, **one),
            exporting(campaign, dana),
        )
        payout.refresh_from_db()
        assert payout.status in ("paid", "cancelled")
        assert paid_out(campaign) <= Decimal("0.18")
        if payout.status == "paid":
            assert paid_out(campaign) == Decimal("0.18")


def test_approving_in_many_tabs_at_once_approves_everything_once() -> None:
    campaign, dana = capped(9), UserFactory(curator=True)
    LedgerEntryFactory.create_batch(20, budget=campaign.public_id)
    results = at_once(*[partial(pay.approve_entries, campaign=campaign, by=dana)] * 4)
    assert sum(results) == 20, results


def test_the_sums_tie_at_every_moment_while_votes_are_cast() -> None:
    campaign = ArticleFactory().campaign
    twins = TwinFactory.create_batch(4, campaign=campaign, seats=3)
    assert twins
    over, seen = threading.Event(), []

    def validate(worker: User) -> int:
        cast = 0
        while True:
            try:
                seat = validation.claim_seat(worker=worker, campaign=campaign)
            except DomainError:
                return cast
            validation.answer_local(worker=worker, seat_id=seat.public_id, shown_option=None)
            validation.cast_vote(
                worker=worker, seat_id=seat.public_id, shown_option=1, ambiguous=False
            )
            cast += 1

    def watch() -> None:
        while not over.is_set():
            seen.append(check_ledger(campaign))
        seen.append(check_ledger(campaign))

    def all_validators() -> list[Any]:
        try:
            return at_once(*[partial(validate, worker) for worker in UserFactory.create_batch(4)])
        finally:
            over.set()

    results, watched = at_once(all_validators, watch)
    assert watched is None, watched
    assert sum(results) > 0, results
    assert all(found.reconciled for found in seen), [f.problems for f in seen if not f.reconciled]
    assert seen[-1].entries == sum(results)


def test_control_pay_read_a_moment_before_the_work_does_not_tie(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The same check over entries of an earlier moment: a vote in between looks unpaid."""
    campaign, bob = ArticleFactory().campaign, UserFactory()
    TwinFactory(campaign=campaign, seats=3)
    seat = validation.claim_seat(worker=bob, campaign=campaign)
    validation.answer_local(worker=bob, seat_id=seat.public_id, shown_option=None)
    pay_table = "FROM workers_ledgerentry e"
    assert pay_table in reconciliation.STATEMENT
    with connection.cursor() as cursor:
        cursor.execute("CREATE TABLE earlier_pay AS SELECT * FROM workers_ledgerentry")
    try:
        validation.cast_vote(worker=bob, seat_id=seat.public_id, shown_option=1, ambiguous=False)
        assert check_ledger(campaign).reconciled
        statement = reconciliation.STATEMENT.replace(pay_table, "FROM earlier_pay e")
        monkeypatch.setattr(reconciliation, "STATEMENT", statement)
        assert [problem.code for problem in check_ledger(campaign).problems] == ["unpaid"]
    finally:
        with connection.cursor() as cursor:
            cursor.execute("DROP TABLE earlier_pay")
