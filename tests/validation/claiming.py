"""What the tests of claims share."""

from datetime import timedelta

import pytest
from django.utils import timezone

from collection.models import Campaign
from validation import services
from validation.models import Seat
from winoplatform.errors import DomainError


def claim(worker: object, campaign: Campaign) -> Seat:
    return services.claim_seat(worker=worker, campaign=campaign)


def reason(worker: object, campaign: Campaign) -> str:
    with pytest.raises(DomainError) as caught:
        claim(worker, campaign)
    assert (caught.value.code, caught.value.status) == ("queue_empty", 404)
    return caught.value.details["reason"]


def expire(*seats: Seat) -> None:
    past = timezone.now() - timedelta(seconds=1)
    Seat.objects.filter(pk__in=[seat.pk for seat in seats]).update(leased_until=past)
