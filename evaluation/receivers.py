"""Start the starter campaign's pipeline; tell the apps below of people's work in evaluations."""

from datetime import datetime
from typing import Any

from django.db import transaction
from django.db.models import Exists, OuterRef
from django.dispatch import receiver

from collection.models import Campaign, CrowdSession
from collection.signals import participant_left, promises_wanted, work_held_wanted
from corpora.models import ReleasePlan
from corpora.signals import facts_wanted
from evaluation import services, starter
from evaluation.models import HumanSeat, StarterLoad
from evaluation.selectors import promised_votes
from evaluation.selectors.people_facts import people_facts
from evaluation.signals import starter_loaded
from validation.selectors.reconciliation import MORE_WORK
from validation.services.review.appeals import OTHER_VOTES, OtherVotes
from workers.models import LedgerEntry, User

RELEASE = "starter-1"
MORE_WORK[LedgerEntry.Kind.EVALUATION.value] = """
    SELECT 'evaluation', s.public_id::text, s.worker_id, c.public_id, c.currency, s.reward, NULL
    FROM evaluation_humanseat s JOIN evaluation_humanevaluation h ON h.id = s.evaluation_id
    JOIN campaign c ON c.id = h.campaign_id WHERE s.answered_at IS NOT NULL
"""

OTHER_VOTES.append(OtherVotes(services.excluded_vote_of, services.restore_human_vote))


@receiver(starter_loaded, dispatch_uid="evaluation.begin_pipeline")
@transaction.atomic
def begin_pipeline(sender: type[StarterLoad], campaign: Campaign, **_: Any) -> None:
    """Queue the starter's runs, unless a curator or an earlier, killed attempt has done so."""
    # With a lock: of two simultaneous calls, the second sees what the first has queued.
    Campaign.objects.select_for_update(no_key=True).get(pk=campaign.pk)
    if not campaign.snapshots.exists():
        starter.begin(campaign, release_name=RELEASE)


@receiver(promises_wanted, dispatch_uid="evaluation.promise_votes")
def promise_votes(sender: type[Campaign], campaign: Campaign, now: datetime, **_: Any) -> Any:
    return promised_votes(campaign, now)


@receiver(facts_wanted, dispatch_uid="evaluation.tell_performance")
def tell_performance(sender: type[ReleasePlan], plan: ReleasePlan, **_: Any) -> dict[str, Any]:
    return {"human": people_facts(plan)}


@receiver(participant_left, dispatch_uid="evaluation.free_seats")
def free_seats(sender: type[User], worker: User, campaign: Campaign, **_: Any) -> None:
    services.free_human_seats_of(worker=worker, campaign=campaign)


@receiver(work_held_wanted, dispatch_uid="evaluation.tell_held_seats")
def tell_held_seats(sender: type[CrowdSession], now: datetime, **_: Any) -> Exists:
    here = {"worker": OuterRef("participant__worker")}
    seats = HumanSeat.objects.held(now=now).filter(**here)
    return Exists(seats.filter(evaluation__campaign=OuterRef("study__campaign")))
