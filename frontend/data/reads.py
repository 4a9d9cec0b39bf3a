"""What the Data tab shows: rows with their revisions, and facets with names and links."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from django.db.models import Count
from django.http import QueryDict
from django.utils.translation import gettext as _

from collection.models import Campaign, Question, Twin
from evaluation.core.facets import NO_VOTES
from evaluation.selectors.question_list import FACETS, QuestionList
from evaluation.selectors.questions import ON_REQUEST, Facets, count_values, facets_of
from filtering.models import SentenceEncoding
from filtering.selectors.meaning import newest_sentences
from frontend.data.forms import OF_THE_MOMENT, DataForm
from frontend.data.words import FACET_NAMES, STATE_LOOKS, STATE_NAMES
from frontend.findings import reason_name
from validation.models import BulkAction, QuestionComment, SavedView
from validation.selectors import QuestionState
from validation.services.review.shared import may_delete
from winoplatform.runs.models import RunStatus
from workers.models import User

ROWS = 30


@dataclass(frozen=True, slots=True)
class Row:
    """A question as the table shows it.

    ``is_second``: the row above has the same twin. ``is_along``: it does not match the filters, but
    the twin's other question does.
    """

    question: Question
    answer: str
    look: str
    state: str
    reasons: list[str]
    votes: str
    is_gold: bool
    is_second: bool
    is_along: bool = False
    n_comments: int = 0
    nearness: str = ""


@dataclass(frozen=True, slots=True)
class Value:
    """A value of a facet: how many questions it has, and whether it is chosen."""

    value: str
    name: str
    n: int | None
    is_chosen: bool


@dataclass(frozen=True, slots=True)
class Facet:
    """A facet; without values it is counted on request."""

    key: str
    name: str
    values: list[Value]
    is_counted: bool

    @property
    def n_chosen(self) -> int:
        return sum(value.is_chosen for value in self.values)


@dataclass(frozen=True, slots=True)
class Chip:
    """A filter that is on, and the address without it."""

    name: str
    value: str
    without: str


@dataclass(frozen=True, slots=True)
class QuestionPage:
    """One page of a list of questions, of which ``n_match`` match the filters."""

    rows: list[Row]
    facets: list[Facet]
    chips: list[Chip]
    total: int
    n_match: int
    page: int

    @property
    def n_along(self) -> int:
        """The questions that are listed because the twin's other question matches."""
        return self.total - self.n_match

    @property
    def first(self) -> int:
        return (self.page - 1) * ROWS + 1 if self.rows else 0

    @property
    def last(self) -> int:
        return self.first + len(self.rows) - 1 if self.rows else 0

    @property
    def earlier(self) -> int | None:
        return self.page - 1 if self.page > 1 else None

    @property
    def later(self) -> int | None:
        return self.page + 1 if self.last and self.last < self.total else None


def question_page(questions: QuestionList, form: DataForm, address: QueryDict) -> QuestionPage:
    """Return the page of *questions* that a valid *form* asks for."""
    data = form.cleaned_data
    facets_found = facets_of(questions)
    rows = in_order(questions, form)
    page = data["page"] or 1
    keys = list(rows.values_list("question", flat=True)[(page - 1) * ROWS : page * ROWS])
    adds_twins = data["twins"] and not questions.is_of_twins()
    n_match = facets_found.counted.total
    total = rows.order_by().count() if adds_twins else n_match
    along = set(keys) - _matching(questions, keys) if adds_twins else set()
    open_counts = {data["open"]: count_values(questions, data["open"])} if data["open"] else {}
    facets = _facets(facets_found, questions.asked.choices(), open_counts)
    chips = _chips(facets, address)
    cosines = questions.near.cosines if questions.near else {}
    return QuestionPage(_rows(keys, along, cosines), facets, chips, total, n_match, page)


def _matching(questions: QuestionList, keys: Sequence[int]) -> set[int]:
    return set(questions.facts().filter(question__in=keys).values_list("question", flat=True))


def in_order(questions: QuestionList, form: DataForm) -> Any:
    """Return the facts that the form asks for, in its order."""
    data = form.cleaned_data
    return questions.in_order(data["sort"] or "newest", whole_twins=data["twins"])


def _rows(keys: Sequence[int], along: Collection[int], cosines: Mapping[int, float]) -> list[Row]:
    related = ("twin__author", "verdict", "gold", "facts")
    questions_by_key = Question.objects.select_related(*related).in_bulk(keys)
    comments = dict(
        QuestionComment.objects.order_by()
        .filter(question__in=keys)
        .values_list("question")
        .annotate(Count("pk"))
    )
    rows: list[Row] = []
    for question in (questions_by_key[key] for key in keys if key in questions_by_key):
        is_second = bool(rows) and rows[-1].question.twin_id == question.twin_id
        row = _row(question, is_second)
        cosine = cosines.get(question.pk)
        rows.append(
            replace(
                row,
                is_along=question.pk in along,
                n_comments=comments.get(question.pk, 0),
                nearness="" if cosine is None else f"{cosine:.2f}",
            )
        )
    return rows


def _row(question: Any, is_second: bool) -> Row:
    facts, gold = question.facts, getattr(question, "gold", None)
    state = QuestionState(facts.state)
    return Row(
        question=question,
        answer=question.twin.options[question.answer - 1],
        look=STATE_LOOKS[state],
        state=str(STATE_NAMES[state]),
        reasons=[reason_name(code) for code in facts.reasons],
        votes=f"{facts.n_right}/{facts.n_votes}" if facts.n_votes else "",
        is_gold=gold is not None and gold.retired_at is None,
        is_second=is_second,
    )


def _facets(
    found: Facets, chosen: Mapping[str, Sequence[str]], counts: Mapping[str, Mapping[str, int]]
) -> list[Facet]:
    facets = []
    for key in FACETS:
        of_this = {**found.counted.facets, **counts}.get(key, {})
        is_counted = key not in ON_REQUEST or key in counts
        mine = chosen.get(key, ())
        values = [
            Value(value, _name(key, value, found), of_this.get(value, 0) if is_counted else None,
                  value in mine)
            for value in dict.fromkeys([*_ordered(key, of_this), *mine])
        ]  # fmt: skip
        facets.append(Facet(key, str(FACET_NAMES[key]), values, is_counted))
    return facets


def _ordered(key: str, counts: Mapping[str, int]) -> list[str]:
    if key == "agreement":
        return sorted(counts, key=lambda value: (value == NO_VOTES, value), reverse=True)
    return sorted(counts, key=lambda value: (-counts[value], value))


def _name(key: str, value: str, facets: Facets) -> str:
    if key == "verdict":
        return str(STATE_NAMES[QuestionState(value)])
    if key == "reason":
        return reason_name(value)
    if key == "domain":
        return str(Twin.Domain(value).label)
    if key == "agreement":
        return _("no vote") if value == NO_VOTES else value.replace("/", _(" of "))
    if key == "run" and value in facets.runs:
        run = facets.runs[value]
        return run.caption or f"{run.get_method_display()} {value[:8]}"
    return value


def _chips(facets: Sequence[Facet], address: QueryDict) -> list[Chip]:
    chosen = [(facet, value) for facet in facets for value in facet.values if value.is_chosen]
    chips = [
        Chip(facet.name, value.name, without(address, facet.key, value.value))
        for facet, value in chosen
    ]
    texts = {
        "q": _("Words"),
        "like": _("Similar to"),
        "near": _("Near in meaning to"),
        "id": _("Id"),
    }
    pairs = [(key, value) for key in texts for value in address.getlist(key) if value]
    return [Chip(texts[key], value, without(address, key, value)) for key, value in pairs] + chips


def without(address: QueryDict, key: str, value: str) -> str:
    """Return the query string without one value of a filter, on its first page."""
    left = address.copy()
    left.setlist(key, [each for each in address.getlist(key) if each != value])
    for name in OF_THE_MOMENT:
        left.pop(name, None)
    return f"?{left.urlencode()}"


@dataclass(frozen=True, slots=True)
class NamedView:
    """A view with a name, and whether it is the one that is open."""

    view: SavedView
    is_open: bool
    may_delete: bool


def named_views(
    campaign: Campaign, query: str, *, user: User, rights: frozenset[str]
) -> list[NamedView]:
    """Return the named views of a campaign; *query* is the address of the open one."""
    asked = _values(query)
    return [
        NamedView(view, _values(view.query) == asked, may_delete(view, by=user, rights=rights))
        for view in SavedView.objects.filter(campaign=campaign).select_related("by")
    ]


def _values(query: str) -> list[tuple[str, str]]:
    """Return what an address asks for, whatever the order of its parts; empty parts ask nothing."""
    parts = QueryDict(query).lists()
    return sorted((name, value) for name, values in parts for value in values if value)


@dataclass(frozen=True, slots=True)
class Sentences:
    """What there is for a search by meaning: the newest run, and the newest that is done."""

    last: SentenceEncoding | None
    done: SentenceEncoding | None

    @property
    def is_open(self) -> bool:
        return self.last is not None and not self.last.has_ended


def sentences_of(campaign: Campaign) -> Sentences:
    """Return the sentence encodings of a campaign that its Data tab tells of."""
    rows = SentenceEncoding.objects.filter(campaign=campaign).order_by("-pk")
    last = rows.first()
    if last is None or last.status == RunStatus.DONE:
        return Sentences(last, last)
    return Sentences(last, newest_sentences(campaign))


ACTIONS = 5


def last_actions(campaign: Campaign, user: User) -> list[BulkAction]:
    """Return a curator's newest confirmed actions, which may be undone."""
    actions = BulkAction.objects.filter(campaign=campaign, by=user, confirmed_at__isnull=False)
    return list(actions.annotate(n=Count("items"))[:ACTIONS])
