"""Receivers of the signals of `collection`; each runs in the sender's transaction."""

from typing import Any

from django.db import transaction
from django.dispatch import receiver

from collection.models import Campaign
from collection.signals import campaign_closed, participant_left
from validation import services
from validation.services.verdicts.closing import settle_closed
from workers.models import User


@receiver(campaign_closed, dispatch_uid="validation.settle_the_rest")
def settle_the_rest(sender: type[Campaign], campaign: Campaign, **_: Any) -> None:
    def settle() -> None:
        settle_closed(campaign=campaign)

    # After the commit: questions are locked before their campaign, whose row is locked until then.
    # A failure is logged with the function's name, which a partial lacks, and retried by beat.
    transaction.on_commit(settle, robust=True)


@receiver(participant_left, dispatch_uid="validation.free_seats")
def free_seats(sender: type[User], worker: User, campaign: Campaign | None, **_: Any) -> None:
    services.free_seats_of(worker=worker, campaign=campaign)
