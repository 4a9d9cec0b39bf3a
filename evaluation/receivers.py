"""Start the starter campaign's pipeline."""

from typing import Any

from django.db import transaction
from django.dispatch import receiver

from collection.models import Campaign
from evaluation import starter
from evaluation.models import StarterLoad
from evaluation.signals import starter_loaded

RELEASE = "starter-1"


@receiver(starter_loaded, dispatch_uid="evaluation.begin_pipeline")
@transaction.atomic
def begin_pipeline(sender: type[StarterLoad], campaign: Campaign, **_: Any) -> None:
    """Queue the starter's runs, unless a curator or an earlier, killed attempt has done so."""
    # With a lock: of two simultaneous calls, the second sees what the first has queued.
    Campaign.objects.select_for_update(no_key=True).get(pk=campaign.pk)
    if not campaign.snapshots.exists():
        starter.begin(campaign, release_name=RELEASE)
