"""Sets and questions as their pages show them."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Count, Exists, OuterRef, Q, QuerySet
from django.http import Http404
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as later

from collection.models import Campaign
from corpora.core.items import BLANK, Item
from frontend.http import existing
from frontend.items import pieces_of
from frontend.marks import Piece
from knowledge.models import (
    Formalisation,
    FormalisingTask,
    Formula,
    KnowledgeSet,
)
from knowledge.selectors import QuestionLine, QuestionList, proof_results, question_list
from winoplatform import clock
from workers.models import User

# Each status: its name, and the state that pages draw.
STATUSES: dict[str, tuple[Any, str]] = {
    "verified": (later("verified"), "good"),
    "refuted": (later("refuted"), "bad"),
    "undecided": (later("undecided"), "warn"),
    "unproved": (later("not proved yet"), "todo"),
    "open": (later("not formalised"), "draft"),
}


def sets_of(user: User) -> "QuerySet[KnowledgeSet]":
    """Return the sets that *user* may work on."""
    rows = KnowledgeSet.objects.formalised_by(user)
    return rows.select_related("release", "reference_set", "campaign")


def set_for(user: User, name: str) -> KnowledgeSet:
    """Return a set that *user* may work on, or raise a 404."""
    return existing(sets_of(user), _("There is no such knowledge set."), name=name)


def with_counts(rows: "QuerySet[KnowledgeSet]") -> "QuerySet[Any]":
    """Annotate sets with their formalised questions, formulas and sentences."""
    return rows.annotate(
        n_formalised=Count("formalisations__question", distinct=True),
        n_formulas=Count("formulas", distinct=True),
        n_sentences=Count("sentences", distinct=True),
    )


def question_and_twins(user: User, knowledge_set: KnowledgeSet, id: str) -> dict[str, Item]:
    """Return a question and its twins by id; empty if the user may not see its answer."""
    group = question_list(knowledge_set, user=user).group_of(id)
    return {question.item.id: question.item for question in group}


@dataclass(frozen=True, slots=True)
class QuestionRow:
    """A question as a set lists it."""

    item: Item
    status: str
    newest: Formalisation | None

    @property
    def pieces(self) -> list[Piece]:
        return pieces_of(self.item)

    @property
    def words(self) -> str:
        return str(STATUSES[self.status][0])

    @property
    def look(self) -> str:
        return STATUSES[self.status][1]


@dataclass(frozen=True, slots=True)
class Questions:
    """All questions of a set by their status; they are read in full page by page."""

    listed: QuestionList
    newest: Mapping[str, Formalisation]
    statuses: Mapping[str, str]

    def status(self, id: str) -> str:
        return self.statuses.get(id, "open")

    @property
    def counts(self) -> list[tuple[str, str, int]]:
        """Of each status: its code, its name, and the number of questions."""
        counts = Counter(self.status(row.id) for row in self.listed.rows)
        return [(code, str(words), counts[code]) for code, (words, _look) in STATUSES.items()]

    def of(self, status: str) -> Sequence[QuestionLine]:
        """Return the questions with a status; all for another word."""
        if status not in STATUSES:
            return self.listed.rows
        return [row for row in self.listed.rows if self.status(row.id) == status]

    def read(self, rows: Sequence[QuestionLine]) -> list[QuestionRow]:
        """Read some questions in full."""
        items = [question.item for question in self.listed.read(rows)]
        return [QuestionRow(row, self.status(row.id), self.newest.get(row.id)) for row in items]


def questions_of(user: User, knowledge_set: KnowledgeSet) -> Questions:
    """Return the questions of a set that *user* may see, with the proof of the newest version."""
    versions = knowledge_set.formalisations.all().visible_to(user)
    newest = {row.question: row for row in versions.newest()}
    return Questions(question_list(knowledge_set, user=user), newest, _statuses(newest))


def _statuses(newest: Mapping[str, Formalisation]) -> dict[str, str]:
    results = proof_results([row.fingerprint for row in newest.values()])
    by_id = {fingerprint: status_of(*result) for fingerprint, result in results.items()}
    return {id: by_id.get(row.fingerprint, "unproved") for id, row in newest.items()}


def status_of(verified: bool, undecided: str | None) -> str:
    """Return the code of a proof's result, as in ``STATUSES``."""
    if verified:
        return "verified"
    return "undecided" if undecided else "refuted"


def question_in(items: Mapping[str, Item], id: str) -> Item:
    """Return a question, or raise a 404."""
    if id not in items:
        raise Http404(_("This knowledge set has no such question."))
    return items[id]


def twins_of(item: Item, items: Mapping[str, Item]) -> list[Item]:
    """Return the other questions of the same group with the same options, in any order."""
    same = set(item.options)
    return [
        other
        for other in items.values()
        if other.group == item.group and other.id != item.id and set(other.options) == same
    ]


def answer_of(item: Item) -> str:
    """Return the text of the answer; empty if it is not known."""
    return "" if item.answer is None else item.options[item.answer - 1]


def pronoun_of(item: Item) -> str:
    """Return the pronoun of a question; the blank where it has none."""
    return BLANK if item.span is None else item.sentence[item.span[0] : item.span[1]]


def versions_of(
    user: User, knowledge_set: KnowledgeSet, question: str
) -> "QuerySet[Formalisation]":
    """Return the versions of a question that *user* may see, the newest first."""
    rows = knowledge_set.formalisations.filter(question=question)
    return rows.visible_to(user).order_by("-number")


def newest_of(user: User, knowledge_set: KnowledgeSet, question: str) -> Formalisation | None:
    """Return the newest version of a question that *user* may see, with its formulas."""
    rows = versions_of(user, knowledge_set, question).select_related("author")
    return rows.prefetch_related("formulas").first()


def formulas_of(user: User, knowledge_set: KnowledgeSet) -> "QuerySet[Formula]":
    """Return the formulas of a set that *user* may see."""
    return knowledge_set.formulas.all().visible_to(user)


def formulas_beside(
    formulas: "QuerySet[Formula]", chosen: Sequence[str], *, most: int
) -> Iterator[tuple[Formula, bool]]:
    """Yield formulas with whether they are chosen: the chosen first, then the newest."""
    mine = set(chosen)
    yield from ((formula, True) for formula in formulas.filter(public_id__in=mine).order_by("name"))
    others = formulas.exclude(public_id__in=mine).order_by("-pk")[:most]
    yield from ((formula, False) for formula in others)


def task_of(worker: User, knowledge_set: KnowledgeSet, question: str) -> FormalisingTask | None:
    """Return the task of a question that *worker* has taken and still holds."""
    held = FormalisingTask.objects.held(now=clock.now())
    return held.filter(worker=worker, knowledge_set=knowledge_set, question=question).first()


@dataclass(frozen=True, slots=True)
class Formalising:
    """A set that pays a worker for formalising, and whether the exercise is passed."""

    knowledge_set: KnowledgeSet
    is_qualified: bool


def formalising_for(worker: User) -> list[Formalising]:
    """Return the sets that pay for formalising, in which *worker* may work or take the exercise."""
    offered = Campaign.objects.visible_to(worker).open().without_simulated()
    open_now = {"formalisation_reward__isnull": False, "campaign__in": offered}
    passed = KnowledgeSet.objects.formalised_by(worker).filter(pk=OuterRef("pk"))
    rows: Any = KnowledgeSet.objects.visible_to(worker).filter(**open_now)
    rows = rows.annotate(is_qualified=Exists(passed)).select_related("campaign")
    knowledge_sets = rows.filter(Q(is_qualified=True) | ~Q(exercise=[])).order_by("-pk")
    return [Formalising(row, row.is_qualified) for row in knowledge_sets]
