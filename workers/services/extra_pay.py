"""Bonuses and adjustments: what curators write into the ledger, within the limits."""

import uuid
from datetime import datetime, timedelta
from decimal import Decimal

from django.conf import settings
from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from winoplatform.db import locks
from winoplatform.db.money import refuse_beyond_entry_limit
from winoplatform.errors import Conflict
from workers.models import AuditEvent, LedgerEntry, User
from workers.models.ledger import LedgerQuerySet
from workers.services import audit
from workers.services.ledger import ADJUSTMENT, BONUS
from workers.services.settlements import one_at_a_time

EXTRA = {LedgerEntry.Kind.BONUS.value: BONUS, LedgerEntry.Kind.ADJUSTMENT.value: ADJUSTMENT}
ASKED = ("worker_id", "amount", "currency", "budget", "note")  # what a client key identifies
DAY = timedelta(days=1)


@transaction.atomic
def write_extra(
    *,
    kind: str,
    worker: User,
    amount: Decimal,
    currency: str,
    budget: uuid.UUID,
    reason: str,
    client_key: uuid.UUID,
    by: User,
    second_above: Decimal | None = None,
) -> LedgerEntry:
    """Write a bonus or adjustment for *worker*; a repeated request writes it once.

    Parameters
    ----------
    kind
        ``bonus`` or ``adjustment``; a bonus is greater than zero.
    reason
        Shown to the worker.
    second_above
        The sum above which a second curator has to approve it, together with what *by* has
        written in the budget within 24 hours; None for none.

    Raises
    ------
    DomainError
        ``client_key_used`` if any worker's other entry of the kind has the key; ``day_limit`` if
        *by* would write more than ``PAY_DAY_MAX`` within 24 hours.
    """
    _refuse_unless_extra(kind, amount, reason)
    wanted = LedgerEntry(
        worker=worker,
        kind=kind,
        unit=f"{EXTRA[kind]}{client_key}",
        amount=amount,
        currency=currency,
        budget=budget,
        note=reason.strip(),
        by=by,
    )
    wanted.clean_fields(exclude={"worker", "by"})
    one_writer_at_a_time(by)
    if amount < 0:
        # A payout in progress has taken its pay, or waits for the approval of this deduction.
        one_at_a_time(budget)
    is_new = not LedgerEntry.objects.extra_pay().filter(kind=kind, unit=wanted.unit).exists()
    if is_new:
        _refuse_beyond_day(wanted)
        wanted.needs_second_approval = needs_second_approval(wanted, second_above)
        LedgerEntry.objects.bulk_create([wanted], ignore_conflicts=True)
    stored = _entry_of_key(wanted)
    # Another curator may have used the key at the same moment: then that entry stands.
    if is_new and stored.by_id == by.pk:
        written, amount_said = AuditEvent.Kind.PAY_EXTRA, f"{amount} {currency}"
        audit.record(written, by=by, account=worker, what=wanted.unit, amount=amount_said)
    return stored


def one_writer_at_a_time(by: User) -> None:
    """Let a curator's entries wait for each other, in all campaigns: they are summed by day."""
    locks.take_turns(f"pay written by {by.pk}")


def _entry_of_key(wanted: LedgerEntry) -> LedgerEntry:
    stored = LedgerEntry.objects.extra_pay().get(kind=wanted.kind, unit=wanted.unit)
    if any(getattr(stored, name) != getattr(wanted, name) for name in ASKED):
        raise Conflict(
            "client_key_used", "This client key belongs to another entry. Use a new one for each."
        )
    return stored


def _refuse_unless_extra(kind: str, amount: Decimal, reason: str) -> None:
    if not reason.strip():
        raise ValidationError({"reason": _("Enter a reason. The worker sees it.")})
    if not amount.is_finite():
        raise ValidationError({"amount": _("Enter an amount of money.")})
    if kind == LedgerEntry.Kind.BONUS and amount <= 0:
        raise ValidationError({"amount": _("A bonus must be positive.")})
    if not amount:
        raise ValidationError({"amount": _("The amount of an adjustment must not be 0.")})
    try:
        refuse_beyond_entry_limit(amount)
    except ValidationError as error:
        raise ValidationError({"amount": error}) from None


def _written(by: User, currency: str, now: datetime) -> LedgerQuerySet:
    """Return what a curator has added to pay within 24 hours; void entries count."""
    added = LedgerEntry.objects.filter(by=by, amount__gt=0, created_at__gt=now - DAY)
    return added.extra_pay().filter(currency=currency)


def _refuse_beyond_day(wanted: LedgerEntry) -> None:
    assert wanted.by is not None
    if wanted.amount <= 0:
        return
    total = _written(wanted.by, wanted.currency, timezone.now()).total() + wanted.amount
    if total > settings.PAY_DAY_MAX:
        raise Conflict(
            "day_limit",
            _(
                "With this you would add %(total)s %(currency)s of pay within 24 hours; the limit "
                "is %(most)s. Add it later, or ask another curator."
            )
            % {
                "total": f"{total:,}",
                "currency": wanted.currency,
                "most": f"{settings.PAY_DAY_MAX:,}",
            },
        )


def needs_second_approval(wanted: LedgerEntry, above: Decimal | None) -> bool:
    """Whether *wanted* exceeds *above*, with what its writer has added without approval.

    So several small ones need it as one large one does.
    """
    if above is None or wanted.amount <= 0:
        return False
    assert wanted.by is not None
    here = _written(wanted.by, wanted.currency, timezone.now()).filter(budget=wanted.budget)
    return here.filter(needs_second_approval=False).total() + wanted.amount > above
