"""Start the starter campaign's pipeline; tell the apps below of people's work in evaluations."""

from typing import Any

from django.db import transaction
from django.dispatch import receiver

from collection.models import Campaign
from collection.signals import participant_left
from corpora.models import ReleasePlan
from corpora.signals import facts_wanted
from evaluation import services, starter
from evaluation.models import StarterLoad
from evaluation.selectors.people_facts import people_facts
from evaluation.signals import starter_loaded
from validation.services.review.appeals import OTHER_VOTES, OtherVotes
from workers.models import User

RELEASE = "starter-1"

OTHER_VOTES.append(OtherVotes(services.excluded_vote_of, services.restore_human_vote))


@receiver(starter_loaded, dispatch_uid="evaluation.begin_pipeline")
@transaction.atomic
def begin_pipeline(sender: type[StarterLoad], campaign: Campaign, **_: Any) -> None:
    """Queue the starter's runs, unless a curator or an earlier, killed attempt has done so."""
    # With a lock: of two simultaneous calls, the second sees what the first has queued.
    Campaign.objects.select_for_update(no_key=True).get(pk=campaign.pk)
    if not campaign.snapshots.exists():
        starter.begin(campaign, release_name=RELEASE)


@receiver(facts_wanted, dispatch_uid="evaluation.tell_performance")
def tell_performance(sender: type[ReleasePlan], plan: ReleasePlan, **_: Any) -> dict[str, Any]:
    return {"human": people_facts(plan)}


@receiver(participant_left, dispatch_uid="evaluation.free_seats")
def free_seats(sender: type[User], worker: User, campaign: Campaign, **_: Any) -> None:
    services.free_human_seats_of(worker=worker, campaign=campaign)
