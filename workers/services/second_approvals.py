"""The approval of large pay by a curator other than its writer."""

import uuid

from django.db import transaction
from django.utils.translation import gettext as _

from winoplatform.errors import Conflict, DomainError, existing
from workers.models import (
    AuditEvent,
    Invitation,
    LedgerEntry,
    Payout,
    SecondApproval,
    Settlement,
    User,
)
from workers.services import audit
from workers.services.payouts import payout_named
from workers.services.settlements import one_at_a_time


@transaction.atomic
def approve_extra(*, budget: uuid.UUID, kind: str, unit: str, by: User) -> LedgerEntry:
    """Approve a bonus or adjustment as the second curator; repeating it has no effect.

    Serialized with payouts and with voiding.

    Raises
    ------
    DomainError
        ``not_found``; ``no_second_approval`` if it needs none; ``own_pay`` if *by* wrote it, or the
        accounts come from one curator's invitations;
        ``entry_settled`` if it is void.
    """
    one_at_a_time(budget)
    entries = LedgerEntry.objects.filter(budget=budget).extra_pay().select_related("by")
    entry = existing(entries.filter(kind=kind, unit=unit).first(), "entry")
    _refuse(entry, entry.by, by)
    if Settlement.objects.filter(entry=entry, state=Settlement.State.VOID).exists():
        message = _("This entry is void, so nothing of it will be paid.")
        raise Conflict("entry_settled", message)
    if not hasattr(entry, "second_approval"):
        SecondApproval.objects.create(entry=entry, by=by)
        audit.record(AuditEvent.Kind.PAY_SECOND, by=by, account=entry.worker, what=f"{kind} {unit}")
    return entry


@transaction.atomic
def approve_payout(*, payout_id: uuid.UUID, by: User) -> Payout:
    """Approve a payout as the second curator, so that its files can be downloaded.

    Raises
    ------
    DomainError
        ``not_found``; ``no_second_approval`` if it needs none; ``own_pay`` if *by* created it;
        ``payout_cancelled``.
    """
    one_at_a_time(payout_named(payout_id).budget)
    payout = payout_named(payout_id)
    _refuse(payout, payout.created_by, by)
    if payout.status == Payout.Status.CANCELLED:
        raise Conflict("payout_cancelled", _("This payout was cancelled."))
    if not hasattr(payout, "second_approval"):
        SecondApproval.objects.create(payout=payout, by=by)
        audit.record(AuditEvent.Kind.PAY_SECOND, by=by, what=payout)
    return payout


def _refuse(wanted: LedgerEntry | Payout, writer: User | None, by: User) -> None:
    if not wanted.needs_second_approval:
        message = _("This needs no second approval.")
        raise Conflict("no_second_approval", message)
    if writer == by:
        message = _("You wrote this yourself. Another curator has to approve it.")
        raise DomainError("own_pay", message, status=403)
    if writer is not None and invitation_line(writer) & invitation_line(by):
        message = _(
            "The accounts of its writer and yours come from one curator’s invitations, so they may "
            "belong to one person. A curator whose account an admin made has to approve it."
        )
        raise DomainError("own_pay", message, status=403)


def invitation_line(user: User) -> set[int]:
    """Return an account and those whose invitations led to the account, up to an admin.

    A curator can invite curators, and so have a second account. Admins are left out: they can
    change any account.
    """
    line: set[int] = set()
    inviter: User | None = user
    while inviter is not None and inviter.role != User.Role.ADMIN and inviter.pk not in line:
        line.add(inviter.pk)
        # The one that made the account: an account can join campaigns by further ones.
        made_by = Invitation.objects.filter(user=inviter, accepted_at__lte=inviter.date_joined)
        came_by = made_by.select_related("created_by").first()
        inviter = came_by.created_by if came_by else None
    return line
