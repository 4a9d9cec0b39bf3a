"""Validation follows what happens to twins and writers, in the transaction in which it happens."""

from typing import Any

from django.db.models.signals import post_save
from django.dispatch import receiver

from collection.models import Campaign, Twin
from collection.services.crowd import credit_unit
from collection.signals import participant_left, twin_submitted, twin_withdrawn
from validation import services
from validation.models import Vote
from workers.models import Qualification, User


@receiver(twin_submitted, dispatch_uid="validation.open_seats")
def open_seats(sender: type[Twin], twin: Twin, **_: Any) -> None:
    services.open_seats(twin=twin)
    if twin.revises is not None:
        services.keep_barred(twin=twin)


@receiver(twin_withdrawn, dispatch_uid="validation.withdraw_seats")
def withdraw_seats(sender: type[Twin], twin: Twin, **_: Any) -> None:
    services.withdraw_seats(twin=twin)


@receiver(participant_left, dispatch_uid="validation.free_seats")
def free_seats(sender: type[User], worker: User, campaign: Campaign, **_: Any) -> None:
    services.free_seats_of(worker=worker, campaign=campaign)


@receiver(post_save, sender=Vote, dispatch_uid="validation.credit_vote")
def credit_vote(sender: type[Vote], instance: Vote, created: bool, **_: Any) -> None:
    """Count a vote for the crowd session in which it was cast."""
    if created:
        credit_unit(
            worker=instance.worker,
            campaign=instance.seat.campaign,
            skill=Qualification.Skill.JUDGE,
            unit=instance.public_id,
        )
