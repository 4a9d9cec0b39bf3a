"""Whether a submitted twin may still be withdrawn or revised, and if not, why."""

from collection.models import Campaign, CrowdSession, SessionCredit, Twin
from collection.selectors.pay import pay_has_left, pay_is_void
from validation.models import TwinReturn
from validation.services.validating.seats import refuse_change
from winoplatform.errors import Conflict, DomainError


def changeable(twin: Twin, *, is_revised: bool) -> DomainError | None:
    """Return why *twin* cannot be revised (*is_revised*) or withdrawn; None if it can.

    Does not check the eligibility of its writer, nor whether it is already withdrawn or revised.
    The services check again, serialized with votes and payouts.
    """
    try:
        if is_revised:
            refuse_when_closed(twin.campaign)
            refuse_voided(twin)
        else:
            refuse_paid_elsewhere(twin)
            refuse_paid_out(twin)
        refuse_change(twin=twin, is_revised=is_revised)
    except DomainError as refusal:
        return refusal
    return None


def refuse_when_closed(campaign: Campaign) -> None:
    if campaign.status == Campaign.Status.CLOSED:
        raise Conflict("campaign_closed", "This campaign is closed.")


def refuse_voided(twin: Twin) -> None:
    """Refuse to revise a twin whose pay is void: its writer would be paid again.

    Only the pay of this text counts. If an earlier text's pay is void, a curator requested this
    one.
    """
    if not pay_is_void(twin) or TwinReturn.objects.filter(twin=twin).exists():
        return
    raise Conflict(
        "pay_voided",
        "The pay of this twin was cancelled, so you cannot revise it. The reason is shown under "
        "“My pay”.",
    )


def refuse_paid_elsewhere(twin: Twin) -> None:
    """Refuse a twin of a completed session: its platform pays for it in any case."""
    credit = SessionCredit.objects.filter(unit=twin.public_id)
    if credit.filter(session__status=CrowdSession.Status.COMPLETED).exists():
        raise Conflict(
            "session_completed",
            "This twin completed your session, so it cannot be withdrawn. You can still revise it.",
        )


def refuse_paid_out(twin: Twin) -> None:
    """Refuse a twin in a payout: its pay cannot be reversed and stays in the budget."""
    if pay_has_left(twin):
        raise Conflict(
            "pay_has_left",
            "This twin is in a payout, so it cannot be withdrawn. You can revise it until it "
            "has its first vote.",
        )
