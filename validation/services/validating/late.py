"""Answers after a lease's end: they count while nobody else has taken the seat.

A control question behaves like the ordinary one in whose place it was given, since an answer that
counts although others have taken questions since would tell them apart. Their pay is reserved from
the claim on, that of both kinds, so a budget that is used up tells nothing either.
"""

from datetime import datetime

from collection.models import Campaign
from validation.models import Seat, Verdict
from validation.services import golds
from validation.services.validating.leases import has_ended, refuse_unless_held
from validation.services.validating.seats import lease_end


def hold_again(seat: Seat, now: datetime) -> None:
    """Renew the ended lease of *seat*, which is locked and still its worker's.

    A lease that has not ended, or an answered seat, stays as it is.

    Raises
    ------
    DomainError
        ``lease_expired`` if the seat is not free any more: the campaign is not open, a curator has
        decided, or another validator has, or for a control question might have, taken it.
    """
    if not has_ended(seat, now):
        return
    refuse_unless_held(seat, now, is_free=lambda: _is_free(seat))
    seat.claimed_at, seat.leased_until = now, lease_end(seat.campaign, now)
    seat.save(update_fields=["claimed_at", "leased_until"])


def _is_free(seat: Seat) -> bool:
    is_lost = golds.is_lost(seat)
    return not is_lost and _is_open(seat)


def _is_open(seat: Seat) -> bool:
    """Return whether the seat could be claimed: see ``SeatQuerySet.free``.

    The campaign is locked: one that is closed at this moment would free the pay of this answer.
    """
    rows = Campaign.objects.filter(pk=seat.campaign_id).select_for_update(no_key=True)
    is_open = rows.values_list("status", flat=True).get() == Campaign.Status.OPEN
    decided = Verdict.objects.filter(question=seat.question_id, decided_by__isnull=False)
    is_decided = decided.exists() and seat.gold_id is None
    return is_open and not is_decided
