"""Who worked on a knowledge set."""

from typing import Any

from django.db.models import QuerySet

from collection.core.people import Account, People, accounts_in, people_from, people_of
from collection.selectors.people import accounts_of
from corpora.selectors import release_people
from knowledge.models import (
    Formalisation,
    Formula,
    KnowledgeRelease,
    KnowledgeSet,
    Sentence,
)
from panels.models import PanelSeat
from workers.models import User


def knowledge_people(knowledge_set: KnowledgeSet) -> People:
    """Return who worked on the questions of a set and on what is said of them, curators aside.

    The campaign whose people are asked about the set, or else the one that pays for it, states who
    they are where their accounts do not tell it.
    """
    workers = User.objects.filter(role=User.Role.WORKER)
    here = {"knowledge_set": knowledge_set, "author__isnull": False}
    written: list[QuerySet[Any, Any]] = [
        kind._default_manager.filter(**here).order_by().values("author")
        for kind in (Formalisation, Formula, Sentence)
    ]
    seats = PanelSeat.objects.done().filter(panel__knowledge_set=knowledge_set)
    writers = accounts_of(workers.filter(pk__in=written[0].union(*written[1:])))
    validators = accounts_of(workers.filter(pk__in=seats.order_by().values("worker")))
    panel = knowledge_set.panel
    campaign = knowledge_set.campaign if panel is None else panel.campaign
    return people_of(
        writers=writers,
        validators=validators,
        others=_of_questions(knowledge_set),
        chosen=("", "") if campaign is None else campaign.people_chosen,
    )


def knowledge_release_people(release: KnowledgeRelease) -> People:
    """Return who had worked on a set when its release was begun."""
    if release.people is None:
        return knowledge_people(release.knowledge_set)
    return people_from(release.people)


def _of_questions(knowledge_set: KnowledgeSet) -> list[Account]:
    if knowledge_set.release is not None:
        return accounts_in(release_people(knowledge_set.release))
    assert knowledge_set.reference_set is not None  # a constraint of the table
    return [(knowledge_set.reference_set.people_origin, "")]
