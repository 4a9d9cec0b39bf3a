"""Receivers for the signal that a release is done."""

from typing import Any

from django.dispatch import receiver

from corpora import services
from corpora.models import Release
from winoplatform.signals import run_done


@receiver(run_done, sender=Release, dispatch_uid="corpora.split_forms")
def split_forms(sender: type[Release], run: Release, **_: Any) -> None:
    """Make the files that a public release is asked for; others are made when they are."""
    if run.is_public:
        services.make_forms(run)
