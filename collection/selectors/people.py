"""Which texts are of simulated people, also where they were imported as a published set."""

from collections.abc import Collection
from typing import Any

from django.db.models import Q, QuerySet

from collection.core.people import Account
from collection.models import Campaign, Question
from collection.models.expressions import SentenceKey, sentence_keys
from workers.models import User

SIMULATED = User.Origin.SIMULATED


def accounts_of(workers: "QuerySet[User]") -> list[Account]:
    """Return the origins and platforms that some accounts have, each once."""
    return sorted(set(workers.order_by().values_list("origin", "platform").distinct()))


def simulated_texts() -> "QuerySet[Any]":
    """Return the questions of simulated people, with their ``key``."""
    theirs = Q(twin__author__origin=SIMULATED) | Q(twin__campaign__people_origin=SIMULATED)
    return Question.objects.filter(theirs).order_by().annotate(key=SentenceKey("sentence"))


def are_simulated(sentences: Collection[str]) -> bool:
    """Return whether simulated people of this platform wrote any of *sentences*."""
    return simulated_texts().filter(key__in=[*sentence_keys(sentences)]).exists()


def repeats_simulated(campaign: Campaign) -> bool:
    """Return whether others repeat in a campaign what simulated people wrote in another one."""
    others = simulated_texts().exclude(twin__campaign=campaign).values_list("key", flat=True)
    own: QuerySet[Any] = Question.objects.annotate(key=SentenceKey("sentence"))
    repeated = own.filter(twin__campaign=campaign, key__in=[*others]).order_by()
    return repeated.exclude(twin__author__origin=SIMULATED).exists()
