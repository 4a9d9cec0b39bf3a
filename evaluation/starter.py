"""Asks for the starter campaign, at the start of an installation."""

from django.core.exceptions import ValidationError

from collection.models import Campaign
from evaluation.models import StarterLoad
from validation.starter import SLUG
from winoplatform.runs.models import RunStatus
from winoplatform.runs.resume import resume
from winoplatform.runs.start import start


def ask() -> StarterLoad | None:
    """Let a worker load the starter campaign where no other campaign exists; return its run.

    Asked again, it asks for nothing new; a load that has failed is resumed. One that a
    curator has cancelled stays so.
    """
    load = StarterLoad.objects.first()
    if load is None:
        if Campaign.objects.exclude(slug=SLUG).exists():
            return None
        load = StarterLoad()
        try:
            start(load)
        except ValidationError:  # another start was quicker
            return StarterLoad.objects.get()
    elif load.status == RunStatus.FAILED:
        resume(load)
    return load
