"""Releases of a set, its lexicon, reasons and people."""

from collections.abc import Iterator
from typing import Any

from django.db.models import QuerySet

from collection.core.people import Account, People, accounts_in, people_from, people_of
from collection.selectors.people import accounts_of
from corpora.selectors import release_people
from knowledge.core.phrasing import Lexicon
from knowledge.core.reasons import folds
from knowledge.core.released import ReleasedProblem, read_problems
from knowledge.models import (
    Formalisation,
    Formula,
    KnowledgeRelease,
    KnowledgeSet,
    LexiconEntry,
    Reason,
    Sentence,
)
from panels.models import PanelSeat
from winoplatform.artifacts import store
from workers.models import User


def lexicon_of(knowledge_set: KnowledgeSet) -> Lexicon:
    """Return the words of a set's predicates and actions, in one query."""
    rows = list(LexiconEntry.objects.filter(knowledge_set=knowledge_set))
    return Lexicon(
        predicates={row.name: (row.positive, row.negative) for row in rows if row.negative},
        actions={row.name: row.positive for row in rows if not row.negative},
    )


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


def groups_of_fold(fold: int, *, n: int = 5, seed: int = 0) -> Iterator[tuple[str, list[str]]]:
    """Yield each collection with its groups in one of *n* folds, from 0.

    A collection with fewer groups than folds has none.
    """
    rows = Reason.objects.order_by("collection", "group").values_list("collection", "group")
    groups: dict[str, list[str]] = {}
    for collection, group in rows.distinct():
        groups.setdefault(collection, []).append(group)
    for collection, names in groups.items():
        if len(names) >= n:
            of = folds(names, seed=seed, n=n)
            yield collection, [name for name, at in zip(names, of, strict=True) if at == fold]


def released_problems(release: KnowledgeRelease) -> Iterator[ReleasedProblem]:
    """Yield the problems of a release that is done, variant by variant, in the order of ids.

    Source: the artifact ``release.problems``, whose SHA-256 names the content.
    """
    assert release.problems is not None
    with store.open_artifact(release.problems) as file:
        yield from read_problems(file)
