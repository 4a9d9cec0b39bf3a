"""What the database itself refuses, whatever the code above it does."""

from collections.abc import Callable

import pytest
from django.apps import apps
from django.db import IntegrityError, transaction

from tests.factories import (
    AttemptFactory,
    LedgerEntryFactory,
    PauseFactory,
    QualificationFactory,
    UserFactory,
)
from workers.models import User

pytestmark = pytest.mark.django_db


def paid_twice() -> None:
    entry = LedgerEntryFactory()
    LedgerEntryFactory(worker=entry.worker, kind=entry.kind, unit=entry.unit)


def qualified_twice() -> None:
    first = QualificationFactory()
    QualificationFactory(worker=first.worker, scope=first.scope)


def attempt_twice() -> None:
    first = AttemptFactory()
    AttemptFactory(qualification=first.qualification, number=first.number)


REFUSED: list[tuple[str, Callable[[], object]]] = [
    ("workers_user_role_is_known", lambda: UserFactory(role="king")),
    (
        "workers_user_flags_follow_the_role",
        lambda: User.objects.filter(pk=UserFactory().pk).update(role=User.Role.ADMIN),
    ),
    ("workers_ledgerentry_pays_a_unit_once", paid_twice),
    (
        "workers_ledgerentry_only_adjustments_are_negative",
        lambda: LedgerEntryFactory(amount="-0.03"),
    ),
    ("workers_ledgerentry_currency_is_a_code", lambda: LedgerEntryFactory(currency="usd")),
    ("workers_qualification_is_had_once", qualified_twice),
    (
        "workers_qualification_is_decided_once_ended",
        lambda: QualificationFactory(passed=True, decided_at=None),
    ),
    ("workers_attempt_is_numbered", attempt_twice),
    ("workers_attempt_counts_within_items", lambda: AttemptFactory(n_right=3, n_items=2)),
    ("workers_pause_is_open_once", lambda: PauseFactory(worker=PauseFactory().worker)),
    ("workers_pause_has_a_reason", lambda: PauseFactory(reason="")),
]


@pytest.mark.parametrize(("constraint", "break_it"), REFUSED)
def test_the_database_refuses(constraint: str, break_it: Callable[[], object]) -> None:
    with pytest.raises(IntegrityError, match=constraint), transaction.atomic():
        break_it()


def test_every_constraint_of_workers_is_tried() -> None:
    models = apps.get_app_config("workers").get_models()
    named = {constraint.name for model in models for constraint in model._meta.constraints}
    assert named == {constraint for constraint, _ in REFUSED}
