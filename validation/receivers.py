"""Receivers of the signals of `collection`; each runs in the sender's transaction."""

from datetime import datetime
from typing import Any

from django.db import transaction
from django.db.models import Exists, OuterRef, QuerySet
from django.dispatch import receiver

from collection.models import Campaign, CrowdSession, Twin
from collection.signals import (
    campaign_closed,
    change_asked,
    held_campaigns_wanted,
    participant_left,
    promises_wanted,
    return_asked,
    twin_submitted,
    twin_withdrawn,
    work_held_wanted,
)
from validation import services
from validation.models import Seat, TwinReturn
from validation.selectors.costs import promised_votes
from validation.services.review.returns import block_former_validators
from validation.services.review.suspicions import flag_words
from validation.services.verdicts.closing import settle_closed
from workers.models import User


@receiver(twin_submitted, dispatch_uid="validation.open_seats")
def open_seats(sender: type[Twin], twin: Twin, **_: Any) -> None:
    services.open_seats(twin=twin)
    if twin.revises is not None:
        services.keep_blocked(twin=twin)
        block_former_validators(twin=twin)
    flag_words(twin=twin)


@receiver(twin_withdrawn, dispatch_uid="validation.withdraw_seats")
def withdraw_seats(sender: type[Twin], twin: Twin, is_revised: bool, **_: Any) -> None:
    services.withdraw_seats(twin=twin, is_revised=is_revised)


@receiver(change_asked, dispatch_uid="validation.refuse_change")
def refuse_change(sender: type[Twin], twin: Twin, is_revised: bool, **_: Any) -> None:
    services.refuse_change(twin=twin, is_revised=is_revised)


@receiver(return_asked, dispatch_uid="validation.tell_returned")
def tell_returned(sender: type[Twin], twin: Twin, **_: Any) -> bool:
    return TwinReturn.objects.filter(twin=twin).exists()


@receiver(campaign_closed, dispatch_uid="validation.settle_the_rest")
def settle_the_rest(sender: type[Campaign], campaign: Campaign, **_: Any) -> None:
    def settle() -> None:
        settle_closed(campaign=campaign)

    # After the commit: questions are locked before their campaign, whose row is locked until then.
    # A failure is logged with the function's name, which a partial lacks, and retried by beat.
    transaction.on_commit(settle, robust=True)


@receiver(participant_left, dispatch_uid="validation.free_seats")
def free_seats(sender: type[User], worker: User, campaign: Campaign, **_: Any) -> None:
    services.free_seats_of(worker=worker, campaign=campaign)


@receiver(work_held_wanted, dispatch_uid="validation.tell_held_seats")
def tell_held_seats(sender: type[CrowdSession], now: datetime, **_: Any) -> Exists:
    here = {"worker": OuterRef("participant__worker"), "campaign": OuterRef("study__campaign")}
    return Exists(Seat.objects.held(now=now).filter(**here))


@receiver(held_campaigns_wanted, dispatch_uid="validation.tell_held_campaigns")
def tell_held_campaigns(
    sender: type[Campaign], worker: User, now: datetime, **_: Any
) -> "QuerySet[Any, Any]":
    return Seat.objects.held(now=now).filter(worker=worker).order_by().values("campaign")


@receiver(promises_wanted, dispatch_uid="validation.promise_votes")
def promise_votes(sender: type[Campaign], campaign: Campaign, now: datetime, **_: Any) -> Any:
    return promised_votes(campaign, now)
