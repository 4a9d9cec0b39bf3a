"""Load the starter's sentences; free the work of who leaves."""

from typing import Any

from django.dispatch import receiver

from collection.models import Campaign
from collection.signals import participant_left
from corpora.models import Release
from knowledge import services, starter
from winoplatform.signals import run_done
from workers.models import User


@receiver(run_done, sender=Release, dispatch_uid="knowledge.load_starter")
def load_starter(sender: type[Release], run: Release, **_: Any) -> None:
    if run.snapshot.campaign.slug == starter.SLUG:
        starter.load(run)


@receiver(participant_left, dispatch_uid="knowledge.free_questions")
def free_questions(sender: type[User], worker: User, campaign: Campaign | None, **_: Any) -> None:
    services.free_questions_of(worker=worker, campaign=campaign)
