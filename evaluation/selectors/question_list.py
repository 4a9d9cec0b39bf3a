"""Lists of questions: search, filters and order.

Runs and releases are among the filters, so this is above all apps that have a part in it.
"""

import re
import uuid
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from operator import add
from typing import Any

from django.contrib.postgres.expressions import ArraySubquery
from django.contrib.postgres.fields import ArrayField
from django.db.models import (
    BigIntegerField,
    BooleanField,
    F,
    FloatField,
    Func,
    IntegerField,
    Q,
    QuerySet,
    Value,
)
from django.db.models.functions import Cast, Collate, NullIf

from collection.models import Campaign, Question, of_member
from collection.selectors.search import similar_questions, with_words
from corpora.models import Release
from evaluation.core.facets import votes_of
from evaluation.selectors.memberships import Bit, members_of
from filtering.models import FilterRun
from filtering.selectors.meaning import (
    Neighbours,
    neighbours,
    neighbours_of_vector,
    newest_sentences,
)
from filtering.services import vector_of
from validation.models import QuestionFacts
from winoplatform.errors import DomainError
from winoplatform.runs.models import RunStatus
from workers.models import User

Facts = QuerySet[QuestionFacts]

RUN, RELEASE = "run", "release"
FACETS = (
    "verdict", "reason", "agreement", "domain", RUN, RELEASE, "writer", "validator", "anchor",
)  # fmt: skip
QUESTION_ID = re.compile(r"^[0-9a-f]{16}$")
LONGEST_SENTENCE = 300
"""Characters of a sentence that others are near to."""
_SHARE = Cast("n_right", FloatField()) / NullIf("n_votes", 0)
_NEWEST = "-question_id"
SORTS: Mapping[str, Sequence[Any]] = {
    "newest": (_NEWEST,),
    "oldest": ("question_id",),
    "least_agreement": (_SHARE.asc(nulls_last=True), _NEWEST),
    "most_agreement": (_SHARE.desc(nulls_last=True), _NEWEST),
    "verdict": ("state", _NEWEST),
    "domain": ("domain", _NEWEST),
    # By bytes: a language's order of 100,000 texts takes several times as long.
    "anchor": (Collate("anchor", "C"), _NEWEST),
    "writer": ("author_id", _NEWEST),
}


class _IsAmong(Func):
    """Whether a value is in an array."""

    template, arg_joiner = "%(expressions)s)", " = ANY("
    output_field = BooleanField()


@dataclass(frozen=True, slots=True)
class QuestionQuery:
    """What a list of questions is asked for; several values of one facet are alternatives.

    Parameters
    ----------
    q
        Words of the sentence (see ``with_words``), or the id of a question.
    like
        A sentence, or the id of a question: the most similar ones, in that order.
    near
        The id of a question, or a sentence of at most ``LONGEST_SENTENCE`` characters: those
        nearest in meaning, in that order.
    id
        Ids of questions.
    run, release
        Ids of filter runs that keep the question; names of releases that it is in.
    writer, validator
        Pseudonyms. A validator is one whose vote counts.
    """

    q: str = ""
    like: str = ""
    near: str = ""
    id: Sequence[str] = ()
    verdict: Sequence[str] = ()
    reason: Sequence[str] = ()
    agreement: Sequence[str] = ()
    domain: Sequence[str] = ()
    run: Sequence[uuid.UUID] = ()
    release: Sequence[str] = ()
    writer: Sequence[str] = ()
    validator: Sequence[str] = ()
    anchor: Sequence[str] = ()

    def choices(self) -> dict[str, list[str]]:
        """Return the chosen values by facet, as text; facets without a choice are left out."""
        texts = {facet: [str(value) for value in getattr(self, facet)] for facet in FACETS}
        return {facet: values for facet, values in texts.items() if values}


def _agreement(values: Sequence[str]) -> Q:
    condition = Q()
    for n_right, n_votes in map(votes_of, values):
        condition |= Q(n_right=n_right, n_votes=n_votes)
    return condition


def _validators(values: Sequence[str]) -> Q:
    keys = User.objects.order_by().filter(public_id__in=values).values_list("pk", flat=True)
    return Q(validators__overlap=list(keys))


_CONDITIONS: dict[str, Callable[[list[str]], Q]] = {
    "verdict": lambda values: Q(state__in=values),
    "reason": lambda values: Q(reasons__overlap=values),
    "agreement": _agreement,
    "domain": lambda values: Q(domain__in=values),
    "writer": lambda values: Q(author__in=User.objects.filter(public_id__in=values).values("pk")),
    "validator": _validators,
    "anchor": lambda values: Q(anchor__in=values),
}


class QuestionList:
    """The questions that match *asked*: of one campaign or, without one, of all.

    What filters name without a campaign is of those that *reader* is a member of.

    Raises
    ------
    DomainError
        ``unknown_run``, ``unknown_release`` or ``unknown_question`` if a filter names none;
        ``not_encoded`` if no encoding of its campaign has the question that *asked* is near to;
        ``campaign_missing`` or ``sentence_waits`` for a sentence, the latter as
        `filtering.services.vector_of`.
    """

    def __init__(
        self, asked: QuestionQuery, campaign: Campaign | None = None, *, reader: User | None = None
    ) -> None:
        self.asked, self.campaign = asked, campaign
        self.reader = reader
        self.runs = self._named_runs() if asked.run else {}
        self.releases = self._named_releases() if asked.release else {}
        self.near = self._neighbours() if asked.near else None
        self.similar = self._similar()

    def facts(self, *, but: Collection[str] = ()) -> Facts:
        """Return what matches all filters, without those of the facets *but*, in no order."""
        rows = self._matches()
        for facet, values in self.asked.choices().items():
            if facet in but:
                continue
            if facet in _CONDITIONS:
                rows = rows.filter(_CONDITIONS[facet](values))
            else:
                name = f"in_{facet}"
                rows = rows.alias(**{name: self.in_chosen(facet)}).filter(**{f"{name}__gt": 0})
        return rows

    def _matches(self) -> Facts:
        rows = QuestionFacts.objects.order_by()
        if self.campaign is not None:
            rows = rows.filter(campaign=self.campaign)
        if self.similar is not None:
            rows = rows.filter(question__in=self.similar)
        if self.asked.id:
            rows = rows.filter(question__public_id__in=self.asked.id)
        if QUESTION_ID.fullmatch(self.asked.q):
            return rows.filter(question__public_id=self.asked.q)
        if not self.asked.q:
            return rows
        # As an array: of a subquery, PostgreSQL may instead read all questions from the newest on,
        # in the hope that the first ones have the words, and take the stems of each.
        found = ArraySubquery(with_words(self.asked.q).order_by().values("pk"))
        return rows.filter(_IsAmong(F("question_id"), found))

    def is_of_twins(self) -> bool:
        """Return whether the filters match both questions of a twin or none."""
        is_searched = self.similar is not None or self.asked.id or self.asked.q
        return not is_searched and set(self.asked.choices()) <= {"domain", "writer", "anchor"}

    def in_chosen(self, facet: str) -> Any:
        """Return how many of the chosen runs keep a question, or how many releases have it."""
        sets = (
            [run.selection for run in self.runs.values()]
            if facet == RUN
            else [*self.releases.values()]
        )
        return reduce(add, [Bit(ids) for ids in members_of(sets)])

    def in_order(self, sort: str, *, whole_twins: bool = False) -> Facts:
        """Return what matches in one of ``SORTS``; or the most similar first, if asked for.

        With *whole_twins*, the other question of each twin is there too.
        """
        rows = self.facts()
        if whole_twins and not self.is_of_twins():
            whole = QuestionFacts.objects.filter(twin__in=rows.values("twin"))
            rows = whole.filter(campaign=self.campaign) if self.campaign else whole
        if self.similar is None:
            return rows.order_by(*SORTS[sort])
        keys = Value(self.similar, output_field=ArrayField(BigIntegerField()))
        place = Func(keys, F("question_id"), function="array_position", output_field=IntegerField())
        return rows.order_by(place.asc(nulls_last=True), _NEWEST)

    def _similar(self) -> list[int] | None:
        """Return the questions that are similar by words, near in meaning, or both; in order."""
        near = None if self.near is None else [*self.near.cosines]
        if not self.asked.like:
            return near
        alike = similar_questions(self._sentence(), self.campaign)
        return alike if near is None else [key for key in near if key in set(alike)]

    def _neighbours(self) -> Neighbours:
        if QUESTION_ID.fullmatch(self.asked.near):
            question = self._question(self.asked.near)
            encoding = newest_sentences(question.twin.campaign)
            found = neighbours(encoding, question.pk) if encoding else None
        else:
            found = self._near_to_sentence(" ".join(self.asked.near.split()))
        if found is None:
            raise DomainError(
                "not_encoded",
                "The sentences of this campaign are not encoded yet, or were before this question "
                "was written. Encode them, then search by meaning.",
            )
        return found

    def _near_to_sentence(self, sentence: str) -> Neighbours | None:
        if self.campaign is None:
            raise DomainError("campaign_missing", "Name the campaign to search for a sentence.")
        encoding = newest_sentences(self.campaign)
        if encoding is None:
            return None
        return neighbours_of_vector(encoding, vector_of(encoding=encoding, sentence=sentence))

    def _question(self, id: str) -> Question:
        rows = Question.objects.filter(self._here("twin__campaign"), public_id=id)
        question = rows.select_related("twin__campaign").first()
        if question is None:
            raise DomainError("unknown_question", f"There is no question {id} here.")
        return question

    def _sentence(self) -> str:
        if not QUESTION_ID.fullmatch(self.asked.like):
            return self.asked.like
        return self._question(self.asked.like).sentence

    def _here(self, path: str) -> Q:
        """Select rows of the campaign at *path*; without one, of those of the reader."""
        if self.campaign is not None:
            return Q((path, self.campaign))
        return Q() if self.reader is None else of_member(self.reader, path)

    def _named_runs(self) -> dict[str, FilterRun]:
        here = self._here("encoding__snapshot__campaign")
        rows = FilterRun.objects.filter(here, public_id__in=self.asked.run, status=RunStatus.DONE)
        runs_by_id = {str(run.public_id): run for run in rows.select_related("selection__kept")}
        _refuse_others("run", "finished filter run", runs_by_id, map(str, self.asked.run))
        return runs_by_id

    def _named_releases(self) -> dict[str, Release]:
        here = self._here("snapshot__campaign")
        rows = Release.objects.filter(here, name__in=self.asked.release, status=RunStatus.DONE)
        releases_by_name = {release.name: release for release in rows}
        _refuse_others("release", "built release", releases_by_name, self.asked.release)
        return releases_by_name


def _refuse_others(code: str, noun: str, known_names: Collection[str], values: Any) -> None:
    for name in values:
        if name not in known_names:
            raise DomainError(f"unknown_{code}", f"There is no {noun} {name} here.")
