"""Services of pay, for curators: extra pay, corrections and payouts, within the budget."""

import uuid
from datetime import datetime
from decimal import Decimal

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from collection.models import Campaign
from collection.selectors.crowd import contradicted_in, reports_key
from collection.selectors.pay import entries_for
from collection.services.campaigns import budget
from winoplatform.errors import Conflict, NotFound
from workers import services as workers
from workers.models import LedgerEntry, Payout, User


def write_extra(
    *,
    campaign: Campaign,
    kind: str,
    worker: User,
    amount: Decimal,
    reason: str,
    client_key: uuid.UUID,
    by: User,
) -> LedgerEntry:
    """Write a bonus or an adjustment; see ``workers.services.write_extra``.

    Raises
    ------
    DomainError
        ``budget_exhausted``, and those of ``workers.services.write_extra``.
    """
    with budget.within(campaign):
        # The row, not what the caller read some time ago: its currency is what is paid in, and
        # the budget's lock keeps it so.
        now_is = Campaign.objects.get(pk=campaign.pk)
        return workers.write_extra(
            kind=kind,
            worker=worker,
            amount=amount,
            currency=now_is.currency,
            budget=now_is.public_id,
            reason=reason,
            client_key=client_key,
            by=by,
            second_above=now_is.second_approval_above,
        )


@transaction.atomic
def approve_entries(
    *,
    campaign: Campaign,
    by: User,
    worker: User | None = None,
    until: datetime | None = None,
) -> int:
    """Approve accrued entries of a campaign; see ``workers.services.approve_entries``."""
    return workers.approve_entries(budget=campaign.public_id, by=by, worker=worker, until=until)


def void_entry(
    *, campaign: Campaign, worker: User, kind: str, unit: str, reason: str, by: User
) -> LedgerEntry:
    """Cancel an entry of the campaign; see ``workers.services.void_entry``.

    Raises
    ------
    DomainError
        ``budget_exhausted`` if cancelling a reversal would exceed the cap, and those of
        ``workers.services.void_entry``.
    """
    here = LedgerEntry.objects.filter(budget=campaign.public_id, worker=worker)
    if not here.filter(kind=kind, unit=unit).exists():
        raise NotFound("entry")
    with budget.within(campaign):
        return workers.void_entry(worker=worker, kind=kind, unit=unit, reason=reason, by=by)


@transaction.atomic
def export_payout(*, campaign: Campaign, provider: str, client_key: uuid.UUID, by: User) -> Payout:
    """Create a payout of the approved pay that *provider* can pay.

    Raises
    ------
    DomainError
        ``currency_not_paid`` for Mechanical Turk and a currency other than USD; ``beyond_cap`` if
        all payouts together would exceed the campaign's cap, and those of
        ``workers.services.export_payout``.
    """
    if provider == Payout.Provider.MTURK and campaign.currency != "USD":
        raise Conflict(
            "currency_not_paid",
            f"Mechanical Turk pays US dollars only, and this campaign pays {campaign.currency}. "
            "Choose the payment method “any, as CSV” instead.",
        )
    now = timezone.now()
    now_is = Campaign.objects.get(pk=campaign.pk)
    payout = workers.export_payout(
        budget=campaign.public_id,
        currency=campaign.currency,
        provider=provider,
        entries=entries_for(campaign, provider, now),
        client_key=client_key,
        by=by,
        now=now,
        second_above=now_is.second_approval_above,
    )
    _refuse_beyond_cap(campaign)
    return payout


def _refuse_beyond_cap(campaign: Campaign) -> None:
    """Refuse a payout, just made, with which more leaves than the cap allows.

    What is committed covers all that can leave, so this is the case only if the database was
    changed by other means, or more has left before deductions were counted as they are now.
    """
    cap = Campaign.objects.values_list("budget_cap", flat=True).get(pk=campaign.pk)
    left = workers.paid_out(campaign.public_id)
    if cap is not None and left > cap:
        raise Conflict(
            "beyond_cap",
            _(
                "With this payout %(left)s %(currency)s would leave, more than the budget of "
                "%(cap)s %(currency)s. Raise the budget first."
            )
            % {"left": left, "cap": cap, "currency": campaign.currency},
            details={"left": str(left), "cap": str(cap)},
        )


@transaction.atomic
def mark_paid(*, payout_id: uuid.UUID, by: User, reports: str = "") -> Payout:
    """Mark a payout as paid; see ``workers.services.mark_paid``.

    Parameters
    ----------
    reports
        The key of the contradicting reports that were confirmed; empty if there are none.

    Raises
    ------
    DomainError
        ``reports_contradict`` if platforms report sessions that contradict this payout, and these
        reports were not confirmed, and those of ``workers.services.mark_paid``.
    """
    payout = workers.payout_named(payout_id)
    sessions = list(contradicted_in(payout))
    if payout.status == Payout.Status.EXPORTED and reports_key(sessions) != reports:
        raise Conflict(
            "reports_contradict",
            _(
                "The platform reports sessions that contradict this payout. Look at the list and "
                "confirm it, or cancel the payout and void the entries that are not paid."
            ),
            details={"reports": reports_key(sessions), "sessions": len(sessions)},
        )
    return workers.mark_paid(payout_id=payout_id, by=by)
