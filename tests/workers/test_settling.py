"""How pay moves on its way to the worker: approved, exported, paid, or void."""

import uuid
from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest
from django.core.exceptions import ValidationError
from django.utils import timezone
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.factories import LedgerEntryFactory, UserFactory
from winoplatform.errors import DomainError
from workers import services
from workers.models import LedgerEntry, Payout, PayoutLine, Settlement, User
from workers.selectors import balances

BUDGET = uuid.UUID(int=7)
Kind = LedgerEntry.Kind


def entry(worker: User, amount: str = "0.40", kind: str = Kind.TWIN, **more: Any) -> LedgerEntry:
    return LedgerEntryFactory(
        worker=worker, amount=Decimal(amount), kind=kind, budget=BUDGET, **more
    )


def dana() -> User:
    return User.objects.filter(role="curator").first() or UserFactory(curator=True)


def approve(**more: Any) -> int:
    return services.approve_entries(budget=BUDGET, by=dana(), **more)


def export(key: uuid.UUID | None = None, **more: Any) -> Payout:
    asked = {
        "budget": BUDGET,
        "currency": "USD",
        "provider": "any",
        "entries": LedgerEntry.objects.all(),
        "client_key": key or uuid.uuid4(),
        "by": dana(),
    }
    return services.export_payout(**(asked | more))


def states() -> list[str]:
    return list(LedgerEntry.objects.with_state().order_by("pk").values_list("state", flat=True))


def refusal(call: Any, **asked: Any) -> str:
    with pytest.raises(DomainError) as caught:
        call(**asked)
    return caught.value.code


def test_approving_again_approves_nothing_more(bob: User) -> None:
    entry(bob), entry(bob), LedgerEntryFactory(worker=bob)
    assert approve() == 2
    assert approve() == 0
    assert states() == ["approved", "approved", "accrued"]


def test_one_workers_pay_up_to_a_moment_is_approved_alone(bob: User, carol: User) -> None:
    then = timezone.now() - timedelta(days=1)
    entry(bob, created_at=then), entry(bob), entry(carol, created_at=then)
    assert approve(worker=bob, until=then) == 1
    assert states() == ["approved", "accrued", "accrued"]


def test_a_payout_pays_each_worker_the_sum_of_their_approved_entries() -> None:
    bob, carol = UserFactory(), UserFactory()
    entry(bob), entry(bob, "0.03", Kind.VOTE), entry(carol)
    approve()
    entry(carol, "9.00")
    payout = export()
    lines = payout.lines.order_by("pk").values_list("worker", "amount", "n_entries")
    assert list(lines) == [(bob.pk, Decimal("0.43"), 2), (carol.pk, Decimal("0.40"), 1)]
    assert states() == ["exported", "exported", "exported", "accrued"]


def test_the_same_key_is_the_same_payout_and_another_request_is_refused() -> None:
    entry(UserFactory())
    approve()
    key = uuid.uuid4()
    first = export(key)
    assert export(key) == first
    assert PayoutLine.objects.count() == 1
    assert refusal(export, key=key, provider="mturk") == "client_key_used"


def test_a_negative_balance_waits_with_all_its_entries(bob: User, carol: User) -> None:
    entry(bob), entry(bob, "-0.50", Kind.ADJUSTMENT), entry(carol)
    approve()
    assert [line.worker for line in export().lines.all()] == [carol]
    assert states() == ["approved", "approved", "exported"]
    entry(bob, "0.20")
    approve()
    assert [line.amount for line in export().lines.all()] == [Decimal("0.10")]


def test_there_is_no_empty_payout() -> None:
    entry(UserFactory())
    assert refusal(export) == "nothing_to_pay"
    assert not Payout.objects.exists()


def test_a_payout_is_paid_once_and_not_cancelled_afterwards() -> None:
    entry(UserFactory())
    approve()
    payout = export()
    for _ in range(2):
        paid = services.mark_paid(payout_id=payout.public_id, by=dana())
    assert (paid.status, states()) == ("paid", ["paid"])
    assert refusal(services.cancel_payout, payout_id=payout.public_id, by=dana()) == "payout_paid"
    assert refusal(export) == "nothing_to_pay"


def test_a_cancelled_payout_gives_its_entries_back_and_keeps_its_lines() -> None:
    entry(UserFactory())
    approve()
    payout = export()
    for _ in range(2):
        services.cancel_payout(payout_id=payout.public_id, by=dana())
    assert states() == ["approved"]
    assert payout.lines.count() == 1
    paid = refusal(services.mark_paid, payout_id=payout.public_id, by=dana())
    assert paid == "payout_cancelled"
    assert export().lines.get().amount == Decimal("0.40")


def test_currencies_never_share_a_payout(bob: User) -> None:
    entry(bob), entry(bob, currency="EUR")
    approve()
    assert export().lines.get().amount == Decimal("0.40")
    assert states() == ["exported", "approved"]


def void(what: LedgerEntry, reason: str = "A test.") -> LedgerEntry:
    return services.void_entry(
        worker=what.worker, kind=what.kind, unit=what.unit, reason=reason, by=dana()
    )


@pytest.mark.parametrize("is_approved", [False, True])
def test_a_void_entry_and_what_cancels_it_are_never_paid(is_approved: bool, bob: User) -> None:
    twin = entry(bob)
    if is_approved:
        approve()
    cancel = void(twin)
    assert (cancel.amount, cancel.kind, cancel.note) == (Decimal("-0.40"), "adjustment", "A test.")
    assert cancel.by == dana()
    assert void(twin) == cancel
    assert states() == ["void", "void"]
    assert approve() == 0
    assert refusal(export) == "nothing_to_pay"
    assert bob.ledger.total() == 0


def test_what_has_left_the_platform_is_not_voided_but_adjusted() -> None:
    twin = entry(UserFactory())
    approve()
    export()
    assert refusal(void, what=twin) == "entry_settled"
    assert states() == ["exported"]


def test_what_was_taken_back_and_what_takes_back_is_not_voided(bob: User) -> None:
    twin = entry(bob)
    back = services.take_back(worker=bob, kind=twin.kind, unit=twin.unit)
    assert back is not None
    assert refusal(void, what=twin) == refusal(void, what=back) == "entry_cancelled"


def extra(kind: str, **changes: Any) -> LedgerEntry:
    asked = {
        "kind": kind,
        "worker": UserFactory(),
        "amount": Decimal("2.00"),
        "currency": "USD",
        "budget": BUDGET,
        "reason": "Good work.",
        "client_key": uuid.uuid4(),
        "by": dana(),
    }
    return services.write_extra(**(asked | changes))


KINDS = ["bonus", "adjustment"]


@pytest.mark.parametrize("kind", KINDS)
def test_extra_pay_is_owed_once_for_a_key_and_says_why(kind: str) -> None:
    same = {"worker": UserFactory(), "client_key": uuid.uuid4()}
    first = extra(kind, **same)
    assert extra(kind, **same) == first
    assert (first.note, first.by) == ("Good work.", dana())
    changes = ({"amount": Decimal(3)}, {"reason": "Else."}, {"budget": uuid.uuid4()})
    for other in (*changes, {"worker": UserFactory()}):
        assert refusal(extra, kind=kind, **(same | other)) == "client_key_used"
    assert LedgerEntry.objects.count() == 1


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    "wrong",
    [
        {"reason": " "},
        {"reason": "x" * 301},
        {"amount": Decimal(0)},
        {"amount": Decimal("0.001")},
        {"amount": Decimal("NaN")},
        {"amount": Decimal("Infinity")},
        {"amount": Decimal("99999999999")},
    ],
)
def test_extra_pay_without_reason_or_amount_is_refused(kind: str, wrong: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        extra(kind, **wrong)
    assert not LedgerEntry.objects.exists()


def test_a_bonus_is_never_negative_and_an_adjustment_may_be() -> None:
    with pytest.raises(ValidationError):
        extra("bonus", amount=Decimal(-1))
    assert extra("adjustment", amount=Decimal(-1)).amount == -1


def test_a_bonus_and_an_adjustment_can_be_voided_too() -> None:
    for written in (extra("bonus"), extra("adjustment")):
        cancel = void(written)
        assert cancel.amount == -written.amount
        assert void(written) == cancel
        assert refusal(void, what=cancel) == "entry_cancelled"


def test_a_balance_counts_no_void_entry() -> None:
    bonus = extra("bonus")
    LedgerEntryFactory(worker=bonus.worker, budget=BUDGET)
    services.approve_entries(budget=BUDGET, by=dana())
    LedgerEntryFactory(worker=bonus.worker, budget=BUDGET)
    void(bonus)
    [balance] = balances(bonus.worker.ledger.all())
    assert (balance.entries, balance.earned) == (2, Decimal("0.06"))


MOVES = st.lists(
    st.tuples(
        st.sampled_from(["accrue", "adjust", "approve", "export", "paid", "cancel", "void"]),
        st.integers(0, 3),
        st.integers(-300, 300),
    ),
    max_size=25,
)


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(MOVES)
def test_however_pay_moves_no_sum_changes_and_nothing_is_paid_twice(
    moves: list[tuple[str, int, int]],
) -> None:
    LedgerEntry.objects.none()
    people, curator = [UserFactory() for _ in range(2)], UserFactory(curator=True)
    budget, payouts, owed = uuid.uuid4(), [], Decimal(0)
    for name, pick, cents in moves:
        who, amount = people[pick % 2], Decimal(cents) / 100
        mine = list(LedgerEntry.objects.filter(budget=budget).order_by("pk"))
        before = {line.pk: line.amount for line in PayoutLine.objects.all()}
        try:
            if name == "accrue":
                LedgerEntryFactory(worker=who, amount=abs(amount), budget=budget)
                owed += abs(amount)
            elif name == "adjust" and amount:
                extra("adjustment", worker=who, amount=amount, budget=budget)
                owed += amount
            elif name == "approve":
                services.approve_entries(budget=budget, by=curator)
            elif name == "export":
                payouts.append(export(budget=budget, by=curator))
            elif name == "void" and mine:
                what = mine[pick % len(mine)]
                void(what)
                done = Settlement.objects.filter(entry=what, state="void").exists()
                owed -= (
                    what.amount
                    if done and len(mine) < LedgerEntry.objects.filter(budget=budget).count()
                    else 0
                )
            elif payouts:
                move = services.mark_paid if name == "paid" else services.cancel_payout
                move(payout_id=payouts[pick % len(payouts)].public_id, by=curator)
        except DomainError:
            pass
        entries = LedgerEntry.objects.filter(budget=budget)
        assert entries.total() == owed
        assert all(PayoutLine.objects.get(pk=pk).amount == was for pk, was in before.items())
        for payout in Payout.objects.filter(budget=budget).exclude(status="cancelled"):
            taken = LedgerEntry.objects.filter(settlement__payout=payout)
            assert taken.total() == sum(line.amount for line in payout.lines.all())
            assert all(isinstance(line.amount, Decimal) for line in payout.lines.all())
