"""Validation begins in the transaction in which a twin is submitted."""

from typing import Any

from django.dispatch import receiver

from collection.models import Twin
from collection.signals import twin_submitted
from validation import services


@receiver(twin_submitted, dispatch_uid="validation.open_seats")
def open_seats(sender: type[Twin], twin: Twin, **_: Any) -> None:
    services.open_seats(twin=twin)
