"""Two systems on the same questions, item by item: what each answered, and where they differ."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.http import HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as later

from evaluation.models import Evaluation
from evaluation.selectors import AnsweredItem, answered_items, evaluations_of
from frontend.evaluations.answers import ItemView, item_view
from frontend.evaluations.views import compared_questions
from frontend.http import PageRequest, signed_in
from frontend.paging import Numbered, numbered
from winoplatform.errors import DomainError
from workers.models import AuditEvent
from workers.services.audit import audits

QUESTIONS = 10
OFFERED = 100  # evaluations to choose from
FILTERS: dict[str, Any] = {
    "all": later("all"),
    "one": later("only one right"),
    "first": later("only the first right"),
    "second": later("only the second right"),
    "differ": later("different answers"),
    "both": later("both right"),
    "neither": later("neither right"),
}


@dataclass(frozen=True, slots=True)
class BothViews:
    """A question as each of two systems answered it."""

    first: ItemView
    second: ItemView

    @property
    def options(self) -> list[tuple[str, bool, bool, bool]]:
        """Each option with whether it is the answer, and which of the systems chose it."""
        item = self.first.answered.item
        chosen = [_options_chosen(view.answered) for view in (self.first, self.second)]
        return [
            (text, n == item.answer, n in chosen[0], n in chosen[1])
            for n, text in enumerate(item.options, 1)
        ]


@dataclass(frozen=True, slots=True)
class BothPage:
    """A page of questions, with the number of questions of each filter.

    ``n_left`` counts questions that one of the methods dropped, which are in none.
    """

    page: Numbered
    shown: str
    filters: tuple[tuple[str, str, int], ...]
    n_left: int

    @property
    def n_of(self) -> dict[str, int]:
        return {name: n for name, _title, n in self.filters}


def both_page(
    first: Sequence[AnsweredItem], second: Sequence[AnsweredItem], *, shown: str, number: str
) -> BothPage:
    """Return a page of the questions that a filter keeps, in published order."""
    of_second = {answer.item.id: answer for answer in second}
    pairs = [(one, of_second[one.item.id]) for one in first if one.item.id in of_second]
    kinds = [set(_kinds(*pair)) for pair in pairs]
    shown = shown if shown in FILTERS else "all"
    kept = [pair for pair, of in zip(pairs, kinds, strict=True) if shown in of]
    page = numbered(kept, number, QUESTIONS)
    views = [
        BothViews(*(item_view(each, with_evidence=False) for each in pair)) for pair in page.rows
    ]
    return BothPage(
        Numbered(views, page.earlier, page.later),
        shown,
        tuple(
            (name, str(title), sum(name in of for of in kinds)) for name, title in FILTERS.items()
        ),
        len({answer.item.id for answer in (*first, *second)}) - len(pairs),
    )


def _kinds(first: AnsweredItem, second: AnsweredItem) -> Iterator[str]:
    """Yield the filters that keep a question; a tie is not right."""
    yield "all"
    right = (first.credit == 1, second.credit == 1)
    if right[0] != right[1]:
        yield "one"
        yield "first" if right[0] else "second"
    else:
        yield "both" if right[0] else "neither"
    if _options_chosen(first) != _options_chosen(second):
        yield "differ"


def _options_chosen(answer: AnsweredItem) -> frozenset[int]:
    """Return the options chosen, from 1: several in a tie, none without an answer."""
    return frozenset(n for n, option in enumerate(answer.options, 1) if option.share)


@audits(AuditEvent.Kind.LABELS)
@signed_in()
def items(request: PageRequest, kind: str, name: str, split: str) -> HttpResponse:
    """Show the answers of two evaluations of the same questions beside each other."""
    data, _others = compared_questions(request, kind, name, split)
    runs = {str(run.public_id): run for run in evaluations_of(request.user, data)[:OFFERED]}
    first, second = _two(runs, request.GET)
    context: dict[str, Any] = {"data": data, "runs": runs, "first": first, "second": second}
    context["kept"] = {
        name: value for name, value in request.GET.items() if name in ("transformation", "data")
    }
    if first is not None and second is not None:
        try:
            context["found"] = both_page(
                answered_items(first),
                answered_items(second),
                shown=request.GET.get("show", ""),
                number=request.GET.get("page", ""),
            )
            context["verdict"] = _verdict(first, second, context["found"])
        except DomainError as refusal:
            context["refusal"] = refusal
    return render(request, "frontend/evaluations/items.html", context)


def _two(
    runs: Mapping[str, Evaluation], query: Mapping[str, str]
) -> tuple[Evaluation | None, Evaluation | None]:
    """Return the evaluations that the address names; else the most accurate of the newest."""
    by_accuracy = sorted(runs.values(), key=_accuracy, reverse=True)
    first = runs.get(query.get("first", "")) or next(iter(by_accuracy), None)
    others = [run for run in by_accuracy if run != first]
    second = runs.get(query.get("second", ""))
    if second is None or second == first:
        second = next(iter(others), None)
    return first, second


def _accuracy(run: Evaluation) -> float:
    """Return the accuracy; 0 where the method dropped every question."""
    found = (run.metrics or {}).get("accuracy") or {}
    return found.get("value") or 0.0


def _verdict(first: Evaluation, second: Evaluation, found: BothPage) -> str:
    n = found.n_of
    names = {"first": first.system, "second": second.system, **{f"n_{key}": n[key] for key in n}}
    return (
        _(
            "Of %(n_all)s questions, both are right on %(n_both)s and neither on %(n_neither)s. "
            "Only %(first)s is right on %(n_first)s, and only %(second)s on %(n_second)s."
        )
        % names
    )
