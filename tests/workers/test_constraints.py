"""What the database itself refuses, whatever the code above it does."""

import uuid
from collections.abc import Callable
from decimal import Decimal
from typing import Any

import pytest
from django.apps import apps
from django.db import IntegrityError, transaction
from django.utils import timezone

from tests.factories import (
    ApiTokenFactory,
    AttemptFactory,
    LedgerEntryFactory,
    PauseFactory,
    PayoutFactory,
    PayoutLineFactory,
    ProposalFactory,
    QualificationFactory,
    SettlementFactory,
    UserFactory,
)
from tests.refusals import again
from workers.models import (
    ApiToken,
    Invitation,
    LedgerEntry,
    Payout,
    PayoutLine,
    PersonLabel,
    Proposal,
    SecondApproval,
    Settlement,
    User,
)
from workers.services import invite


def key_used_for_another() -> None:
    for kind, prefix in (("adjustment", "adjustment:"), ("bonus", "bonus:")):
        first = LedgerEntryFactory(kind=kind, unit=f"{prefix}1")
        # What cancels it has the same unit, or begins with another word.
        LedgerEntryFactory(worker=first.worker, kind="adjustment", unit="void:adjustment:1")
        LedgerEntryFactory(kind="adjustment", unit="bonus:1", amount=-1)
        LedgerEntryFactory(kind=kind, unit=f"{prefix}1")


def curator() -> User:
    return UserFactory(curator=True)


def large_bonus() -> LedgerEntry:
    return LedgerEntryFactory(
        kind="bonus", unit=f"bonus:{uuid.uuid4()}", by=curator(), needs_second_approval=True
    )


def erasure(**fields: Any) -> Proposal:
    asked = {"account": UserFactory(), "by": curator(), "campaigns": [uuid.uuid4()]}
    return Proposal.objects.create(kind="erasure", **(asked | fields))


def large_payout() -> Payout:
    return PayoutFactory(needs_second_approval=True)


def invited(**changes: object) -> None:
    """Change an open invitation behind the services' back."""
    made, _ = invite(role="worker", by=UserFactory(curator=True))
    Invitation.objects.filter(pk=made.pk).update(**changes)


def labelled(text: str = "desk 4", **people: User) -> PersonLabel:
    who = {"worker": UserFactory(), "by": curator()} | people
    return PersonLabel.objects.create(text=text, **who)


def moved(*states: str) -> None:
    """Lead a settlement from approved through *states*."""
    settlement, payout = SettlementFactory(), PayoutFactory()
    for state in states:
        goes = payout if state in ("exported", "paid") else None
        Settlement.objects.filter(pk=settlement.pk).update(state=state, payout=goes)


REFUSED: list[tuple[str, Callable[[], object]]] = [
    ("invitation_names_role_and_campaign", lambda: invited(member_role="viewer")),
    (
        "invitation_accepted_names_nobody_else",
        lambda: invited(user=curator(), accepted_at=timezone.now(), email="a@example.org"),
    ),
    ("personlabel_is_not_empty", lambda: labelled("")),
    ("personlabel_is_one_per_curator", lambda: again(labelled, "worker", "by")),
    (
        "apitoken_expires",
        lambda: ApiToken.objects.filter(pk=ApiTokenFactory().pk).update(expiry=None),
    ),
    (
        "apitoken_scopes_are_known",
        lambda: ApiToken.objects.filter(pk=ApiTokenFactory().pk).update(scopes=["all"]),
    ),
    ("user_role_is_known", lambda: UserFactory(role="king")),
    (
        "user_flags_follow_the_role",
        lambda: User.objects.filter(pk=UserFactory().pk).update(role=User.Role.ADMIN),
    ),
    ("ledgerentry_pays_a_unit_once", lambda: again(LedgerEntryFactory, "worker", "kind", "unit")),
    ("ledgerentry_key_of_extra_pay_is_used_once", key_used_for_another),
    ("ledgerentry_only_adjustments_are_negative", lambda: LedgerEntryFactory(amount="-0.03")),
    ("ledgerentry_currency_is_a_code", lambda: LedgerEntryFactory(currency="usd")),
    ("qualification_is_had_once", lambda: again(QualificationFactory, "worker", "scope")),
    (
        "qualification_is_decided_once_ended",
        lambda: QualificationFactory(passed=True, decided_at=None),
    ),
    ("attempt_is_numbered", lambda: again(AttemptFactory, "qualification", "number")),
    ("attempt_counts_within_items", lambda: AttemptFactory(n_right=3, n_items=2)),
    ("invitation_role_is_below_admin", lambda: invited(role="admin")),
    ("invitation_acceptance_names_the_user", lambda: invited(accepted_at=timezone.now())),
    (
        "invitation_ends_once",
        lambda: invited(accepted_at=timezone.now(), revoked_at=timezone.now(), user=UserFactory()),
    ),
    ("user_origin_is_known", lambda: UserFactory(platform="Prolific")),
    ("user_erased_is_nobody", lambda: UserFactory(erased_at=timezone.now())),
    ("pause_is_open_once", lambda: PauseFactory(worker=PauseFactory().worker)),
    ("pause_has_a_reason", lambda: PauseFactory(reason="")),
    ("payout_ends_once", lambda: PayoutFactory(status="paid")),
    ("payoutline_is_one_a_worker", lambda: again(PayoutLineFactory, "payout", "worker")),
    ("payoutline_pays_something", lambda: PayoutLineFactory(amount=0)),
    (
        "ledgerentry_amount_is_limited",
        lambda: LedgerEntryFactory(kind="bonus", unit="bonus:1", amount="1000000.01"),
    ),
    (
        "ledgerentry_second_approval_is_of_extra_pay",
        lambda: LedgerEntryFactory(needs_second_approval=True),
    ),
    (
        "secondapproval_is_of_one_thing",
        lambda: SecondApproval.objects.create(
            entry=large_bonus(), payout=large_payout(), by=UserFactory(curator=True)
        ),
    ),
    ("proposal_has_one_subject", lambda: ProposalFactory(account=UserFactory())),
    ("proposal_pay_is_of_an_erasure", lambda: ProposalFactory(pay="void")),
    ("proposal_outcome_has_its_person", lambda: ProposalFactory(outcome="confirmed")),
    (
        "proposal_is_decided_by_another",
        lambda: ProposalFactory(
            outcome="declined", by=(by := curator()), decided_by=by, decided_at=timezone.now()
        ),
    ),
    ("proposal_of_a_release_is_open_once", lambda: again(ProposalFactory, "release")),
    ("proposal_of_a_person_is_open_once", lambda: again(erasure, "account")),
    (
        "settlement_names_its_payout",
        lambda: Settlement.objects.filter(pk=SettlementFactory().pk).update(state="exported"),
    ),
]


@pytest.mark.parametrize(
    "states",
    [("paid",), ("exported", "void"), ("exported", "paid", "approved"), ("void", "approved")],
)
def test_a_settlement_moves_along_its_arrows_only(states: tuple[str, ...]) -> None:
    moved(*states[:-1])
    with pytest.raises(IntegrityError, match="follows its transitions"), transaction.atomic():
        moved(*states)


@pytest.mark.parametrize(
    "change",
    [
        lambda: Settlement.objects.filter(pk=SettlementFactory().pk).delete(),
        lambda: SettlementFactory(state="paid", payout=PayoutFactory()),
    ],
    ids=["delete", "begin as paid"],
)
def test_a_settlement_neither_goes_nor_begins_late(change: Callable[[], object]) -> None:
    with pytest.raises(IntegrityError, match="follows its transitions"), transaction.atomic():
        change()


@pytest.mark.parametrize(
    "change",
    [lambda line: line.save(), lambda line: line.delete()],
    ids=["save", "delete"],
)
def test_a_payouts_line_stays_as_it_was_sent(change: Callable[[PayoutLine], object]) -> None:
    line = PayoutLineFactory()
    with pytest.raises(IntegrityError, match="payout line cannot be changed"), transaction.atomic():
        change(line)


@pytest.mark.parametrize(
    "change",
    [
        lambda: SecondApproval.objects.create(entry=(e := large_bonus()), by=e.by),
        lambda: SecondApproval.objects.create(payout=(p := large_payout()), by=p.created_by),
        lambda: SecondApproval.objects.create(entry=LedgerEntryFactory(), by=curator()),
        lambda: SecondApproval.objects.create(entry=large_bonus(), by=curator()).save(),
        lambda: SecondApproval.objects.create(entry=large_bonus(), by=curator()).delete(),
        lambda: Settlement.objects.filter(
            pk=SettlementFactory(entry=large_bonus()).pk
        ).update(state="exported", payout=PayoutFactory()),
        lambda: Payout.objects.filter(pk=large_payout().pk).update(needs_second_approval=False),
        lambda: Payout.objects.filter(pk=large_payout().pk).update(created_by=curator()),
        lambda: Payout.objects.filter(pk=large_payout().pk).update(
            status="paid", ended_at=timezone.now(), ended_by=curator()
        ),
    ],
    ids=["own entry", "own payout", "unneeded", "changed", "deleted", "exported", "let off",
         "of another", "paid"],
)  # fmt: skip
def test_large_pay_leaves_only_by_two_curators(change: Callable[[], object]) -> None:
    with pytest.raises(IntegrityError, match=r"approv|creator"), transaction.atomic():
        change()


def test_the_limit_of_an_entry_is_no_limit_of_a_reversal() -> None:
    """Entries from before the limit can be voided."""
    entry = LedgerEntryFactory(kind="adjustment", unit="bonus:1", amount="-9999999999.99")
    assert LedgerEntry.objects.get(pk=entry.pk).amount == Decimal("-9999999999.99")


@pytest.mark.long
@pytest.mark.parametrize(("constraint", "break_it"), REFUSED)
def test_the_database_refuses(constraint: str, break_it: Callable[[], object]) -> None:
    with pytest.raises(IntegrityError, match=f"workers_{constraint}"), transaction.atomic():
        break_it()


def test_every_constraint_of_workers_is_tried() -> None:
    models = apps.get_app_config("workers").get_models()
    named = {constraint.name for model in models for constraint in model._meta.constraints}
    assert named == {f"workers_{constraint}" for constraint, _ in REFUSED}
