"""Propose an act, and decide about it as the second person.

An app above this one does what was confirmed, in the transaction of `decide`.
"""

import uuid
from collections.abc import Sequence

from django.db import IntegrityError, transaction
from django.utils.translation import gettext as _

from winoplatform import clock
from winoplatform.errors import Conflict, DomainError, existing
from workers.models import AuditEvent, Proposal, User
from workers.models.proposals import ProposalQuerySet
from workers.services import audit
from workers.services.second_approvals import invitation_line


@transaction.atomic
def propose(
    *,
    kind: str,
    campaigns: Sequence[uuid.UUID],
    by: User | None,
    release: uuid.UUID | None = None,
    account: User | None = None,
    reason: str = "",
    pay: str = "",
) -> Proposal:
    """Ask for an act that another person has to confirm.

    Raises
    ------
    DomainError
        ``second_person_needed`` if nobody asks, as in a command; ``already_proposed``.
    """
    if by is None:
        message = _(
            "A second person has to confirm this, so it must be known who asks for it. Do it on "
            "its page or over the API."
        )
        raise Conflict("second_person_needed", message)
    proposal = Proposal(
        kind=kind, campaigns=campaigns, by=by, release=release, account=account,
        reason=reason.strip(), pay=pay,
    )  # fmt: skip
    proposal.full_clean(validate_constraints=False)
    try:
        with transaction.atomic():
            proposal.save()
    except IntegrityError as error:
        message = _("This waits for a second person already.")
        raise Conflict("already_proposed", message) from error
    audit.record(AuditEvent.Kind.PROPOSED, by=by, account=account, what=proposal)
    return proposal


@transaction.atomic
def decide(*, proposal: Proposal, outcome: Proposal.Outcome, by: User) -> Proposal:
    """Confirm or decline a proposal, or withdraw an own one; of several at once, one succeeds.

    Raises
    ------
    DomainError
        ``not_found``; ``own_proposal`` if *by* may not decide it, or ``not_own_proposal`` if
        another one would withdraw it; ``proposer_left`` if who asked may not ask any more;
        ``proposal_decided``.
    """
    visible = Proposal.objects.visible_to(by).select_related("by", "account")
    proposal = existing(visible.filter(pk=proposal.pk).first(), "proposal")
    is_withdrawn = outcome == Proposal.Outcome.WITHDRAWN
    refusal = (_refusal_to_withdraw if is_withdrawn else refusal_to_decide)(proposal, by)
    if refusal is not None:
        raise refusal
    if outcome == Proposal.Outcome.CONFIRMED:
        _refuse_without_proposer(proposal)
    changes = {"outcome": outcome, "decided_by": None if is_withdrawn else by}
    if not _still_open(proposal).update(decided_at=clock.Now(), **changes):
        raise Conflict("proposal_decided", _("This was confirmed, declined or withdrawn before."))
    proposal.refresh_from_db()
    audit.record(
        AuditEvent.Kind.DECIDED, by=by, account=proposal.account, what=proposal, outcome=outcome
    )
    return proposal


def refusal_to_decide(proposal: Proposal, by: User) -> DomainError | None:
    """Return why *by* is no second person beside the one who asked; None if nothing is wrong."""
    if proposal.by == by:
        message = _("You asked for this yourself. Another person has to decide it.")
        return DomainError("own_proposal", message, status=403)
    if invitation_line(proposal.by) & invitation_line(by):
        message = _(
            "The account that asked for this and yours come from one curator’s invitations, so "
            "they may belong to one person. A person whose account an admin made has to decide it."
        )
        return DomainError("own_proposal", message, status=403)
    return None


def _refusal_to_withdraw(proposal: Proposal, by: User) -> DomainError | None:
    if proposal.by == by:
        return None
    message = _("Only who asked for this can withdraw it. You can decline it.")
    return DomainError("not_own_proposal", message, status=403)


def _refuse_without_proposer(proposal: Proposal) -> None:
    """Two people decide: who asked must still have the right to."""
    could_decide = Proposal.objects.visible_to(proposal.by).filter(pk=proposal.pk)
    if not (proposal.by.is_active and could_decide.exists()):
        message = _(
            "Who asked for this has no right to any more, so it cannot be confirmed. Decline it, "
            "and let another person ask again."
        )
        raise Conflict("proposer_left", message)


def _still_open(proposal: Proposal) -> ProposalQuerySet:
    return Proposal.objects.open().filter(pk=proposal.pk)
