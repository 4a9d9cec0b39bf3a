"""Free the seats of who leaves."""

from typing import Any

from django.dispatch import receiver

from collection.models import Campaign
from collection.signals import participant_left
from panels.models import PanelSeat
from panels.services.enrolments import end_enrolments_of
from validation.services.validating import leases
from workers.models import User


@receiver(participant_left, dispatch_uid="panels.free_seats")
def free_seats(sender: type[User], worker: User, campaign: Campaign | None, **_: Any) -> None:
    end_enrolments_of(worker, campaign)
    seats = PanelSeat.objects.filter(worker=worker)
    leases.vacate_all(seats if campaign is None else seats.in_campaign(campaign))
