"""What people and programs can do with accounts, tokens and pay."""

import uuid
from decimal import Decimal

from django.db import IntegrityError, transaction
from django.utils import timezone

from winoplatform.errors import DomainError, NotFound
from workers.models import ApiToken, LedgerEntry, Pause, User


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


def take_back(*, worker: User, kind: str, unit: str) -> LedgerEntry | None:
    """Write an adjustment that cancels what *worker* was owed for one unit of work, once.

    Returns
    -------
    The adjustment; None where nothing was owed.
    """
    entry = LedgerEntry.objects.filter(worker=worker, kind=kind, unit=unit).first()
    if entry is None or not entry.amount:
        return None
    return accrue(
        worker=worker,
        kind=LedgerEntry.Kind.ADJUSTMENT,
        unit=unit,
        amount=-entry.amount,
        currency=entry.currency,
        budget=entry.budget,
    )


def refuse_while_paused(*, worker: User) -> None:
    """Refuse new work to a worker whom a curator has paused, with the curator's reason.

    Raises
    ------
    DomainError
        ``worker_paused``.
    """
    pause = Pause.objects.open().filter(worker=worker).first()
    if pause is not None:
        raise paused(pause)


def paused(pause: Pause) -> DomainError:
    """The refusal that a paused worker hears."""
    return DomainError(
        "worker_paused",
        f"You get no new work for now. The curator's reason: {pause.reason}",
        status=403,
        details={"reason": pause.reason, "since": pause.created_at.isoformat()},
    )


@transaction.atomic
def pause_worker(*, worker: User, reason: str, by: User) -> Pause:
    """Give *worker* no new work from now on; what they hold, they may end.

    Parameters
    ----------
    reason
        What the worker is told.

    Raises
    ------
    DomainError
        ``already_paused``: the first reason stands until the worker is resumed.
    """
    pause = Pause(worker=worker, reason=reason.strip(), by=by)
    pause.clean_fields(exclude={"worker", "by"})
    try:
        with transaction.atomic():
            pause.save()
    except IntegrityError:
        # Only the constraint knows when two curators pause the same worker at once.
        raise DomainError(
            "already_paused",
            "This worker is paused already; resume them first to give another reason.",
            status=409,
        ) from None
    return pause


@transaction.atomic
def resume_worker(*, worker: User) -> Pause:
    """Let a paused worker take work again; the pause stays on record.

    Raises
    ------
    DomainError
        ``not_paused``.
    """
    if not Pause.objects.open().filter(worker=worker).update(ended_at=timezone.now()):
        raise DomainError("not_paused", "This worker is not paused.", status=409)
    return Pause.objects.filter(worker=worker).latest("pk")


def worker_named(public_id: str) -> User:
    """Return the worker of that pseudonym; curators and admins are no workers."""
    worker = User.objects.filter(role=User.Role.WORKER, public_id=public_id).first()
    if worker is None:
        raise NotFound("worker")
    return worker
