"""Tell the apps below of annotators' work."""

from datetime import datetime
from typing import Any

from django.db.models import Exists, OuterRef
from django.dispatch import receiver

from collection.models import Campaign, CrowdSession
from collection.signals import participant_left, promises_wanted, work_held_wanted
from corpora.models import Release
from corpora.signals import release_built
from knowledge import services, starter
from knowledge.models import SentenceSeat
from knowledge.selectors import promised_work
from validation.selectors.reconciliation import MORE_WORK
from workers.models import LedgerEntry, User

MORE_WORK[LedgerEntry.Kind.KNOWLEDGE.value] = """
    SELECT 'knowledge', s.public_id::text, s.worker_id, c.public_id, c.currency, s.reward, NULL
    FROM knowledge_sentenceseat s JOIN knowledge_setvalidation v ON v.id = s.validation_id
    JOIN campaign c ON c.id = v.campaign_id WHERE s.answered_at IS NOT NULL
"""
MORE_WORK[LedgerEntry.Kind.FORMALISATION.value] = """
    SELECT 'formalisation', t.public_id::text, t.worker_id, c.public_id, c.currency, t.reward, NULL
    FROM knowledge_formalisingtask t JOIN knowledge_knowledgeset k ON k.id = t.knowledge_set_id
    JOIN campaign c ON c.id = k.campaign_id WHERE t.verified_at IS NOT NULL
"""


@receiver(promises_wanted, dispatch_uid="knowledge.promise_work")
def promise_work(sender: type[Campaign], campaign: Campaign, now: datetime, **_: Any) -> Any:
    return promised_work(campaign, now)


@receiver(release_built, dispatch_uid="knowledge.load_starter")
def load_starter(sender: type[Release], release: Release, **_: Any) -> None:
    if release.snapshot.campaign.slug == starter.SLUG:
        starter.load(release)


@receiver(participant_left, dispatch_uid="knowledge.free_seats")
def free_seats(sender: type[User], worker: User, campaign: Campaign, **_: Any) -> None:
    services.free_sentences_of(worker=worker, campaign=campaign)
    services.free_questions_of(worker=worker, campaign=campaign)


@receiver(work_held_wanted, dispatch_uid="knowledge.tell_held_seats")
def tell_held_seats(sender: type[CrowdSession], now: datetime, **_: Any) -> Exists:
    here = {"worker": OuterRef("participant__worker")}
    seats = SentenceSeat.objects.held(now=now).filter(**here)
    return Exists(seats.filter(validation__campaign=OuterRef("study__campaign")))
