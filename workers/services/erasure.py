"""Erase the person of an account: who they are, and what they wrote beside the data set.

The account stays for what refers to it, work and pay, under a random key that nothing else has.
"""

import secrets
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.contrib.auth.hashers import make_password
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from winoplatform import clock
from winoplatform.errors import Conflict, DomainError
from winoplatform.personal import Identity, identity
from winoplatform.personal.erasing import Counts, erase_rows, sweep
from workers.models import AuditEvent, Proposal, User
from workers.models.accounts import new_public_id
from workers.services import audit
from workers.services.open_pay import close_pay

REPEATED = timedelta(days=2)
"""How long after an erasure it is repeated: a request that had begun may store a text after it."""


@dataclass(frozen=True, slots=True)
class Erasure:
    """An erased account, who it was, and how many rows of each table were changed."""

    account: User
    person: Identity
    changed: Counts


@transaction.atomic
def erase_person(
    *, account: User, by: User | None, pay: str = "", confirmed_by: User | None = None
) -> Erasure:
    """Erase the person of an account; repeating it changes nothing.

    Parameters
    ----------
    by
        The admin who does it; None in a command, which can neither settle nor void pay.
    pay
        What becomes of pay that is not paid: ``settle`` if it was paid outside of the platform,
        ``void`` if it is not paid any more; empty to refuse if there is any.
    confirmed_by
        The second person, where a campaign asks for one (``collection.services.erase_person``).

    Raises
    ------
    DomainError
        ``own_account``; ``pay_open`` with the amounts, or ``pay_under_way``.
    """
    if account in (by, confirmed_by):
        raise Conflict("own_account", _("Ask another admin to erase you."))
    account = User.objects.select_for_update(no_key=True).get(pk=account.pk)
    person = identity(account.pk)
    if account.erased_at is None:
        close_pay(account=account, by=by, choice=pay)
        _strip(account)
        waiting = Proposal.objects.open().filter(account=account)
        waiting.update(outcome=Proposal.Outcome.WITHDRAWN, decided_at=clock.Now())
    changed = erase_rows(person)
    if changed:
        who = confirmed_by or by
        audit.record(AuditEvent.Kind.ERASED, by=who, account=account, rows=sum(changed.values()))
    return Erasure(account, person, changed)


def try_erasing(*, account: User, by: User | None, pay: str) -> None:
    """Raise what `erase_person` would raise; nothing is stored."""
    with transaction.atomic():
        erase_person(account=account, by=by, pay=pay)
        transaction.set_rollback(True)


def _strip(account: User) -> None:
    """Give the account a name and a pseudonym that nobody knows, and end all ways to sign in."""
    User.objects.filter(pk=account.pk).update(
        username=f"erased-{secrets.token_hex(16)}",
        public_id=new_public_id(),
        password=make_password(None),
        email="",
        first_name="",
        last_name="",
        last_login=None,
        role=User.Role.WORKER,
        is_active=False,
        is_staff=False,
        is_superuser=False,
        erased_at=timezone.now(),
    )
    account.refresh_from_db()


def keep_periods(*, now: datetime) -> Counts:
    """Empty and delete what was kept for its period, and repeat the latest erasures."""
    changed = sweep(now=now)
    for pk in User.objects.filter(erased_at__gt=now - REPEATED).values_list("pk", flat=True):
        for table, number in erase_rows(Identity(pk)).items():
            changed[table] = changed.get(table, 0) + number
    return changed


def erase_again(accounts: Iterable[tuple[int, str]]) -> list[User]:
    """Erase the accounts of a restored backup that were erased after it was made.

    Accounts are named by key and the time at which they were made, in ISO format, since another
    account may have the key. What they were owed then was paid, settled or void before they were
    erased; which of these the backup does not know, so those with open pay are returned instead.
    """
    left = []
    for pk, joined in accounts:
        account = User.objects.filter(pk=pk, date_joined=joined, erased_at=None).first()
        if account is None:
            continue
        try:
            erase_person(account=account, by=None)
        except DomainError:
            left.append(account)
    return left
