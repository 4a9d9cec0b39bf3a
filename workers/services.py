"""What people and programs can do with accounts, tokens and pay."""

import uuid
from decimal import Decimal

from django.db import transaction

from winoplatform.errors import DomainError, NotFound
from workers.models import ApiToken, LedgerEntry, User


@transaction.atomic
def create_user(*, username: str, password: str | None, role: str = User.Role.WORKER) -> User:
    """Make an account; *password* None makes one that cannot sign in with a password."""
    user = User(username=username, role=role)
    user.set_password(password)
    user.full_clean()
    user.save()
    return user


@transaction.atomic
def create_token(*, user: User, name: str) -> tuple[ApiToken, str]:
    """Make an API token and return it with its text, which is shown this once and never stored."""
    token, text = ApiToken.objects.create(user=user, name=name[:80] or "api")
    return token, text


@transaction.atomic
def revoke_token(*, user: User, token_key: str) -> None:
    """End one of the user's own tokens."""
    if not ApiToken.objects.filter(user=user, token_key=token_key).delete()[0]:
        raise NotFound("token")


def accrue(
    *, worker: User, kind: str, unit: str, amount: Decimal, currency: str, budget: uuid.UUID
) -> LedgerEntry:
    """Write what *worker* is owed for one unit of work, once.

    Returns
    -------
    The entry; a second call for the same worker, kind and unit returns the first one.

    Raises
    ------
    DomainError
        ``pay_differs`` when the same unit was paid with another amount or currency.
    """
    entry = LedgerEntry(
        worker=worker, kind=kind, unit=unit, amount=amount, currency=currency, budget=budget
    )
    entry.clean_fields(exclude={"worker"})
    # ON CONFLICT DO NOTHING: a second entry is no error, so no savepoint has to guard against it.
    LedgerEntry.objects.bulk_create([entry], ignore_conflicts=True)
    stored = LedgerEntry.objects.get(worker=worker, kind=kind, unit=unit)
    if (stored.amount, stored.currency) != (amount, currency):
        raise DomainError(
            "pay_differs",
            f"This work was paid {stored.amount} {stored.currency} already; "
            "write an adjustment instead.",
            status=409,
        )
    return stored
