"""Filtering answers what collection asks."""

from typing import Any

from django.db.models import Q
from django.dispatch import receiver

from collection.models import Twin
from collection.signals import public_labels_wanted
from filtering.models import Draw


@receiver(public_labels_wanted, dispatch_uid="filtering.tell_train")
def tell_train(sender: type[Twin], **_: Any) -> Q:
    """Answers are public in train only; of what has no split yet, some will be blind."""
    # A join: as a subquery beside another condition, all of train would be read each time.
    return Q(draw__split=Draw.Split.TRAIN)
