"""Free the seats of who leaves."""

from typing import Any

from django.dispatch import receiver

from collection.models import Campaign
from collection.signals import participant_left
from panels.models import PanelSeat
from panels.services.enrolments import end_enrolments_of
from validation.services.validating import leases
from workers.models import User
from workers.signals import account_erased


@receiver(participant_left, dispatch_uid="panels.free_seats")
def free_seats(sender: type[User], worker: User, campaign: Campaign, **_: Any) -> None:
    leases.vacate_all(PanelSeat.objects.filter(worker=worker).in_campaign(campaign))


@receiver(account_erased, dispatch_uid="panels.end_enrolments")
def end_enrolments(sender: type[User], account: User, **_: Any) -> None:
    end_enrolments_of(account)
