"""Erase a person, by two people where a campaign that the person worked in asks for it."""

from django.db import transaction
from django.utils.translation import gettext as _

from collection.selectors.known_people import campaigns_for_a_second
from winoplatform.errors import Conflict
from workers import services as workers
from workers.models import Proposal, User


@transaction.atomic
def erase_person(
    *, account: User, by: User | None, pay: str = "", reason: str = ""
) -> workers.Erasure | Proposal:
    """Erase the person of an account, or propose it where a second person is needed.

    Raises
    ------
    DomainError
        As `workers.services.erase_person`, also of a proposal; ``second_person_needed`` without
        *by*, and ``already_proposed``.
    """
    campaigns = campaigns_for_a_second(account)
    if account.erased_at is not None or not campaigns:
        return workers.erase_person(account=account, by=by, pay=pay)
    workers.try_erasing(account=account, by=by, pay=pay)
    return workers.propose(
        kind=Proposal.Kind.ERASURE,
        campaigns=[campaign.public_id for campaign in campaigns],
        by=by,
        account=account,
        reason=reason,
        pay=pay,
    )


@transaction.atomic
def confirm_erasure(*, proposal: Proposal, by: User) -> workers.Erasure:
    """Erase as the second person; the first one chose what becomes of pay.

    Raises
    ------
    DomainError
        As `workers.services.decide` and `workers.services.erase_person`; ``proposal_outdated`` if
        a campaign asks for a second person that did not when it was proposed.
    """
    decided = workers.decide(proposal=proposal, outcome=Proposal.Outcome.CONFIRMED, by=by)
    assert decided.account is not None  # a constraint of the table
    asking = campaigns_for_a_second(decided.account).values_list("public_id", flat=True)
    if not {*asking} <= {*decided.campaigns}:
        message = _("Another campaign asks for a second person by now. Decline this; ask again.")
        raise Conflict("proposal_outdated", message)
    return workers.erase_person(
        account=decided.account, by=decided.by, pay=decided.pay, confirmed_by=by
    )
