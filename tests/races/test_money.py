"""Money under concurrency: a cap is never exceeded, an entry never paid twice."""

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

from collection import services
from collection.models import Article, Campaign, Twin
from collection.services import assignments, budget, pay, twins
from tests.factories import (
    ArticleFactory,
    LedgerEntryFactory,
    TwinFactory,
    UserFactory,
    twin_text,
)
from tests.races.threads import at_once
from validation import services as validation
from validation.selectors import ties
from validation.selectors.ties import check_ledger
from winoplatform.errors import DomainError
from workers import services as workers
from workers.models import LedgerEntry, Payout, PayoutLine, Settlement, User
from workers.services import payouts

ROUNDS = 5
TWIN = Decimal("0.58")


def capped(twins: int) -> Campaign:
    return ArticleFactory(campaign__budget_cap=twins * TWIN).campaign


def given(results: list[Any]) -> int:
    refusals = [result.code for result in results if isinstance(result, DomainError)]
    assert set(refusals) <= {"budget_exhausted"}, results
    return len(results) - len(refusals)


def test_many_writers_at_the_last_places_get_as_many_articles_as_the_cap_pays_for() -> None:
    for _ in range(ROUNDS):
        campaign = capped(2)
        results = at_once(
            *[
                partial(services.request_assignment, worker=UserFactory(), campaign=campaign)
                for _ in range(8)
            ]
        )
        assert given(results) == 2, results
        assert budget.committed(campaign) == 2 * TWIN


def test_articles_bonuses_and_higher_rates_at_once_stay_within_the_cap() -> None:
    for _ in range(ROUNDS):
        campaign, dana = capped(2), UserFactory(curator=True)
        extra = {"campaign": campaign, "amount": TWIN, "reason": "Good.", "by": dana}
        ask = [
            partial(services.request_assignment, worker=UserFactory(), campaign=campaign)
            for _ in range(3)
        ]
        owe = [
            partial(
                pay.write_extra,
                kind="bonus",
                worker=UserFactory(),
                client_key=uuid.uuid4(),
                **extra,
            )
            for _ in range(3)
        ]
        dearer = partial(services.update_campaign, campaign=campaign, reward_vote=Decimal("0.10"))
        at_once(*ask, *owe, dearer)
        campaign.refresh_from_db()
        assert budget.committed(campaign) <= 2 * TWIN


def test_control_without_the_campaigns_lock_the_cap_is_exceeded(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    campaign = capped(2)
    meet, count = threading.Barrier(5), budget.committed

    def counted_together(campaign: Campaign) -> Decimal:
        sum_ = count(campaign)
        meet.wait(10)  # the others count meanwhile
        return sum_

    monkeypatch.setattr(budget, "_locked", lambda campaign: Campaign.objects.get(pk=campaign.pk))
    monkeypatch.setattr(budget, "committed", counted_together)
    ask = [
        partial(services.request_assignment, worker=UserFactory(), campaign=campaign)
        for _ in range(5)
    ]
    assert given(at_once(*ask)) == 5
    assert count(campaign) == 5 * TWIN


def capping(campaign: Campaign, cap: Decimal | None) -> partial[Campaign]:
    return partial(services.update_campaign, campaign=campaign, budget_cap=cap)


def test_a_first_cap_and_the_work_promised_at_that_moment_tie() -> None:
    """Each request has read the campaign without a cap, as a page does a moment before."""
    for _ in range(ROUNDS):
        campaign = ArticleFactory().campaign
        ask = [
            partial(services.request_assignment, worker=UserFactory(), campaign=campaign)
            for _ in range(5)
        ]
        *results, capped_now = at_once(*ask, capping(campaign, 2 * TWIN))
        campaign.refresh_from_db()
        if isinstance(capped_now, Campaign):
            assert budget.committed(campaign) <= 2 * TWIN, results
            assert given(results) <= 2
        else:
            assert capped_now.code == "budget_exhausted"  # more was promised already
            assert campaign.budget_cap is None


def test_a_first_cap_waits_for_what_is_being_promised(monkeypatch: pytest.MonkeyPatch) -> None:
    assert first_cap_amid_promises(monkeypatch) == ("budget_exhausted", 3 * TWIN)


def test_control_without_the_share_lock_a_first_cap_misses_what_is_being_promised(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(budget, "_stays_uncapped", lambda campaign: True)
    assert first_cap_amid_promises(monkeypatch) == ("", 3 * TWIN)


def first_cap_amid_promises(monkeypatch: pytest.MonkeyPatch) -> tuple[str, Decimal]:
    """Set a cap of two twins while three are being promised.

    Return how it was refused, or nothing, and what is committed afterwards.
    """
    campaign, choose = ArticleFactory().campaign, assignments._choose_article
    reserved, looked = threading.Barrier(4), threading.Event()

    def choose_slowly(*asked: Any) -> Article:
        reserved.wait(10)
        looked.wait(0.5)  # a curator who does not wait has looked by then
        return choose(*asked)

    def cap() -> str:
        reserved.wait(10)
        try:
            capping(campaign, 2 * TWIN)()
        except DomainError as refusal:
            return refusal.code
        finally:
            looked.set()
        return ""

    monkeypatch.setattr(assignments, "_choose_article", choose_slowly)
    ask = [
        partial(services.request_assignment, worker=UserFactory(), campaign=campaign)
        for _ in range(3)
    ]
    *promised, code = at_once(*ask, cap)
    assert given(promised) == 3
    return code, budget.committed(campaign)


def test_rates_that_rise_after_a_request_has_read_them_are_reckoned_with() -> None:
    """The request believes in 0.58 a twin; by the rates of now it is 1.00."""
    campaign = capped(1)
    Campaign.objects.filter(pk=campaign.pk).update(reward_vote=Decimal("0.10"))
    with pytest.raises(DomainError, match="all the work it can pay for"):
        services.request_assignment(worker=UserFactory(), campaign=campaign)
    assert budget.committed(campaign) == 0


def test_bonuses_without_a_cap_and_limited_articles_wait_for_nobody_in_a_circle() -> None:
    """A lock that was shared and is then wanted alone would stop two of them for good."""
    campaign = ArticleFactory(campaign__article_uses_max=9).campaign
    extra = {"campaign": campaign, "amount": TWIN, "reason": "Good."}
    extra |= {"kind": "bonus", "by": UserFactory(curator=True)}
    for _ in range(ROUNDS):
        ask = [
            partial(services.request_assignment, worker=UserFactory(), campaign=campaign)
            for _ in range(3)
        ]
        owe = [
            partial(pay.write_extra, worker=UserFactory(), client_key=uuid.uuid4(), **extra)
            for _ in range(3)
        ]
        results = at_once(*ask, *owe, capping(campaign, None))
        assert not [r for r in results if isinstance(r, Exception) and not hasattr(r, "code")]


def written(campaign: Campaign) -> Twin:
    held = services.request_assignment(worker=UserFactory(), campaign=campaign)
    return services.submit_twin(
        worker=held.worker,
        assignment_id=held.public_id,
        text=twin_text(),
        client_key=uuid.uuid4(),
    )


def withdrawing(twin: Twin) -> partial[Twin]:
    return partial(services.withdraw_twin, worker=twin.author, twin_id=twin.public_id)


def test_a_twin_that_is_withdrawn_while_it_is_paid_out_is_one_or_the_other() -> None:
    for _ in range(ROUNDS):
        campaign, dana = capped(3), UserFactory(curator=True)
        twin = written(campaign)
        pay.approve_entries(campaign=campaign, by=dana)
        exported, withdrawn = at_once(exporting(campaign, dana), withdrawing(twin))
        assert isinstance(exported, Payout) != isinstance(withdrawn, Twin), (exported, withdrawn)
        assert paid_out(campaign) == LedgerEntry.objects.filter(budget=campaign.public_id).total()
        assert check_ledger(campaign).ties


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


def test_control_without_the_guard_entries_are_paid_twice(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
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

    def judge(worker: User) -> int:
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

    def all_judges() -> list[Any]:
        try:
            return at_once(*[partial(judge, worker) for worker in UserFactory.create_batch(4)])
        finally:
            over.set()

    results, watched = at_once(all_judges, watch)
    assert watched is None, watched
    assert sum(results) > 0, results
    assert all(found.ties for found in seen), [f.problems for f in seen if not f.ties]
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
    assert pay_table in ties.STATEMENT
    with connection.cursor() as cursor:
        cursor.execute("CREATE TABLE earlier_pay AS SELECT * FROM workers_ledgerentry")
    try:
        validation.cast_vote(worker=bob, seat_id=seat.public_id, shown_option=1, ambiguous=False)
        assert check_ledger(campaign).ties
        statement = ties.STATEMENT.replace(pay_table, "FROM earlier_pay e")
        monkeypatch.setattr(ties, "STATEMENT", statement)
        assert [problem.code for problem in check_ledger(campaign).problems] == ["unpaid"]
    finally:
        with connection.cursor() as cursor:
            cursor.execute("DROP TABLE earlier_pay")
