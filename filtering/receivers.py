"""Filtering answers what collection asks."""

from typing import Any

from django.db.models import Exists, OuterRef
from django.dispatch import receiver

from collection.models import Twin
from collection.signals import public_labels_wanted
from filtering.models import Draw


@receiver(public_labels_wanted, dispatch_uid="filtering.tell_train")
def tell_train(sender: type[Twin], **_: Any) -> Exists:
    """Answers are public in train only; of what has no split yet, some will be blind."""
    return Exists(Draw.objects.filter(twin=OuterRef("pk"), split=Draw.Split.TRAIN))
