"""What a validator holds, and their last answers."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from collection.models import Campaign
from validation.models import Seat
from validation.services import as_shown
from workers.models import User

LAPSED_LATELY = timedelta(hours=1)


def n_in_hand(user: User, campaign: Campaign, now: datetime) -> int:
    """Return how many questions the validator holds without a vote."""
    return Seat.objects.filter(worker=user, campaign=campaign).held(now=now).count()


def has_lapsed(user: User, campaign: Campaign, now: datetime) -> bool:
    """Return whether the lease of the validator's last question ended recently."""
    mine = Seat.objects.filter(worker=user, campaign=campaign)
    # Until another validator claims it, the seat still names its last holder.
    return mine.filter(
        answered_at=None, leased_until__lte=now, leased_until__gt=now - LAPSED_LATELY
    ).exists()


@dataclass(frozen=True, slots=True)
class VoteAnswers:
    """A vote as its validator gave it, in the order of the options shown."""

    option: int = 0
    clarity: str = ""
    comment: str = ""
    report: str = ""


def said_in(seat: Seat) -> VoteAnswers:
    vote = seat.vote
    return VoteAnswers(
        option=as_shown(seat, vote.option),
        clarity="both" if vote.ambiguous else "clear",
        comment=vote.comment,
        report=vote.report,
    )


def held_seat(user: User, campaign: Campaign, now: datetime) -> Seat | None:
    """Return the seat that the validator has held longest, if any."""
    held = Seat.objects.held(now=now).filter(worker=user, campaign=campaign)
    return held.select_related("question", "twin").order_by("claimed_at", "pk").first()
