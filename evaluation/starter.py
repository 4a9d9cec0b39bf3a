"""Request the starter campaign when an installation starts."""

from django.core.exceptions import ValidationError

from collection.models import Campaign
from evaluation.models import StarterLoad
from validation.starter import SLUG
from winoplatform.runs.models import RunStatus
from winoplatform.runs.resume import resume
from winoplatform.runs.start import start


def ask() -> StarterLoad | None:
    """Request the load of the starter campaign if no other campaign exists; return its run.

    Repeating it creates nothing new, but resumes a load that has failed. A load that a curator
    cancelled stays cancelled.
    """
    load = StarterLoad.objects.first()
    if load is None:
        if Campaign.objects.exclude(slug=SLUG).exists():
            return None
        load = StarterLoad()
        try:
            start(load)
        except ValidationError:  # another process was first
            return StarterLoad.objects.get()
    elif load.status == RunStatus.FAILED:
        resume(load)
    return load
