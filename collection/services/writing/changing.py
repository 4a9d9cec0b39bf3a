"""Whether a twin that was handed in may still be withdrawn or written anew, and why not."""

from collection.models import Campaign, CrowdSession, SessionCredit, Twin
from collection.selectors.pay import pay_has_left, pay_is_void
from collection.signals import change_asked, return_asked
from winoplatform.errors import DomainError


def changeable(twin: Twin, *, is_revised: bool) -> DomainError | None:
    """Return what keeps *twin* from being written anew (*is_revised*) or withdrawn; None: nothing.

    What keeps its writer from any new work is not asked, nor whether it is withdrawn or revised
    already. The services ask again, in turn with votes and payouts.
    """
    try:
        if is_revised:
            refuse_when_closed(twin.campaign)
            refuse_voided(twin)
        else:
            refuse_paid_elsewhere(twin)
            refuse_paid_out(twin)
        change_asked.send(sender=Twin, twin=twin, is_revised=is_revised)
    except DomainError as refusal:
        return refusal
    return None


def refuse_when_closed(campaign: Campaign) -> None:
    if campaign.status == Campaign.Status.CLOSED:
        raise DomainError("campaign_closed", "This campaign is closed.", status=409)


def refuse_voided(twin: Twin) -> None:
    """Another text would be paid again: a void could be undone by whoever it was meant for.

    Each text is asked for its own pay. One whose earlier text is void was written because a curator
    wanted it.
    """
    if not pay_is_void(twin):
        return
    if any(is_wanted for _, is_wanted in return_asked.send(sender=Twin, twin=twin)):
        return
    raise DomainError(
        "pay_voided",
        "The pay of this twin was cancelled, so you cannot write it anew; the reason stands with "
        "your pay.",
        status=409,
    )


def refuse_paid_elsewhere(twin: Twin) -> None:
    """The code was shown: the platform pays for this twin, whatever becomes of it here."""
    credit = SessionCredit.objects.filter(unit=twin.public_id)
    if credit.filter(session__status=CrowdSession.Status.COMPLETED).exists():
        raise DomainError(
            "session_completed",
            "This twin has completed your session, so it stays; you may still revise it.",
            status=409,
        )


def refuse_paid_out(twin: Twin) -> None:
    """Money that has left cannot be taken back, so it stays in the budget with its twin."""
    if pay_has_left(twin):
        raise DomainError(
            "pay_has_left",
            "This twin is in a payout, so it stays; you may still revise it until somebody has "
            "validated it.",
            status=409,
        )
