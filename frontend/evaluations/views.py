"""Pages of evaluations."""

import uuid
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import ceil, floor
from typing import Any

from django.http import Http404, HttpResponse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as later
from django.utils.translation import ngettext

from evaluation.core.comparison import MARGIN
from evaluation.exports.comparisons import FORMATS, comparison_rows
from evaluation.models import Evaluation
from evaluation.selectors import (
    BesidePeople,
    Comparable,
    Compared,
    System,
    answered_items,
    as_comparable,
    beside_people,
    comparable,
    compared,
    evaluations_of,
    find_comparable,
)
from evaluation.selectors.versions import later_versions
from frontend.evaluations.answers import item_list
from frontend.evaluations.margins import margin_form
from frontend.evaluations.verdicts import KINDS, best_of, report_of, verdict
from frontend.http import PageRequest, existing, show, signed_in
from frontend.paging import Numbered, numbered
from frontend.pictures import Mark, Picture, interval_series
from frontend.runs.reads import shown_run
from frontend.shell.evaluations import evaluation_rows, evaluation_table, questions_of
from frontend.templatetags.evaluations import compared_with_best
from stats.intervals import Estimate
from winoplatform.errors import DomainError
from winoplatform.runs.models import RunStatus
from workers.models import AuditEvent, User
from workers.services.audit import audits

SORTS: dict[str, Any] = {
    "accuracy": later("accuracy"),
    "group": later("group score"),
    "name": later("name"),
    "when": later("newest"),
}


@dataclass(frozen=True, slots=True)
class Scale:
    """The axis of a column of intervals, in shares of 1, and where it marks chance."""

    low: float
    high: float
    chance: float | None

    @classmethod
    def around(cls, found: Sequence[Estimate], chance: float | None) -> "Scale":
        """Return the smallest axis in tenths that has all intervals and the chance level."""
        ends = [end for one in found for end in (one.low, one.high) if end is not None]
        ends += [chance] if chance is not None else []
        low, high = (min(ends), max(ends)) if ends else (0.0, 1.0)
        low, high = floor(10 * low) / 10, ceil(10 * high) / 10
        return cls(low, high if high > low else low + 0.1, chance)

    def place(self, share: float) -> float:
        """Return where a share is on the axis, from 0 to 100."""
        return round(100 * (share - self.low) / (self.high - self.low), 1)

    @property
    def chance_place(self) -> float | None:
        return None if self.chance is None else self.place(self.chance)


@dataclass(frozen=True, slots=True)
class Bar:
    """An interval on a scale; None for an estimate without one."""

    low: float
    high: float
    value: float
    chance: float | None


def bar(found: Estimate, scale: Scale) -> Bar | None:
    if found.value is None or found.low is None or found.high is None:
        return None
    place = scale.place
    return Bar(place(found.low), place(found.high), place(found.value), scale.chance_place)


def bar_of(run: Evaluation) -> Bar | None:
    """Return the accuracy of an evaluation on an axis from 0 to 1; None without an interval."""
    metrics = run.metrics or {}
    if not metrics.get("accuracy"):
        return None
    chance = (metrics.get("chance") or {}).get("value")
    return bar(Estimate(**metrics["accuracy"]), Scale(0.0, 1.0, chance))


@dataclass(frozen=True, slots=True)
class SystemRow:
    """A system in the table, with its intervals on the scales of the columns."""

    system: System
    accuracy: Bar | None
    group: Bar | None
    is_compared: bool

    @property
    def verdict(self) -> str:
        """How the system compares with the best, in words."""
        versus, n_dropped = self.system.figures.versus, self.system.figures.n_dropped
        if n_dropped:
            return ngettext(
                "not compared: it dropped %(n)d question",
                "not compared: it dropped %(n)d questions",
                n_dropped,
            ) % {"n": n_dropped}
        if versus is None:
            return _("best") if self.is_compared else _("no other system to compare with")
        return compared_with_best(versus)


@dataclass(frozen=True, slots=True)
class ComparisonPage:
    """A comparison with its rows in the order chosen."""

    data: Comparable
    others: list[Comparable]
    found: Compared
    rows: list[SystemRow]
    accuracy_scale: Scale
    group_scale: Scale
    sort: str
    people: list[BesidePeople]
    margin: float | None

    @property
    def picture(self) -> Picture | None:
        """The accuracies of two systems or more, as dots with intervals."""
        series = interval_series(
            [(row.system.name, row.system.figures.accuracy) for row in self.rows]
        )
        chance = self.accuracy_scale.chance
        level = None if chance is None else Mark(chance, _("chance"))
        picture = Picture("dots", (series,), x_format=".1%", upright=level)
        return picture if len(series.x) > 1 else None

    @property
    def gotchas(self) -> list[System]:
        return [system for system in self.found.systems if system.figures.gotchas]

    @property
    def stereotypes(self) -> list[System]:
        return [system for system in self.found.systems if system.figures.stereotypes]

    @property
    def tested(self) -> list[System]:
        """The systems that are compared with the best."""
        return [row.system for row in self.rows if row.system.figures.versus]

    @property
    def agreed(self) -> list[System]:
        """The systems with answers to questions on which all validators agreed."""
        return [row.system for row in self.rows if row.system.figures.agreed]

    @property
    def consistencies(self) -> list[System]:
        return [system for system in self.found.systems if system.figures.consistency]


def comparison_of(
    user: User,
    data: Comparable,
    others: list[Comparable],
    *,
    subset: str,
    sort: str,
    margin: float | None,
) -> ComparisonPage:
    """Compare the evaluations of some questions that the user may see."""
    runs = list(evaluations_of(user, data))
    result = compared(runs, subset=subset, margin=MARGIN if margin is None else margin)
    figures = [system.figures for system in result.systems]
    chance = result.about.chance
    accuracies = Scale.around([figure.accuracy for figure in figures], chance.single)
    groups = Scale.around([figure.group_score for figure in figures], chance.group)
    sort = sort if sort in SORTS else "accuracy"
    rows = [
        SystemRow(
            system,
            bar(system.figures.accuracy, accuracies),
            bar(system.figures.group_score, groups),
            result.about.is_comparison,
        )
        for system in sorted(result.systems, key=_ORDERS[sort])
    ]
    people = beside_people(user, data, result)
    return ComparisonPage(data, others, result, rows, accuracies, groups, sort, people, margin)


_ORDERS: dict[str, Callable[[System], Any]] = {
    "accuracy": lambda system: -(system.figures.accuracy.value or 0),
    "group": lambda system: -(system.figures.group_score.value or 0),
    "name": lambda system: system.name,
    "when": lambda system: -system.newest.pk,
}

COMPARISONS = 30


def comparables(user: User, number: str) -> Numbered:
    """Return a page of the questions that finished evaluations have scored, latest first."""
    page = numbered(comparable(user), number, COMPARISONS)
    return Numbered([as_comparable(row) for row in page.rows], page.earlier, page.later)


@signed_in()
def evaluations(request: PageRequest) -> HttpResponse:
    """List the newest evaluations, for curators, and the questions that can be compared."""
    context: dict[str, Any] = {}
    if request.user.is_curator:
        context |= evaluation_table(evaluation_rows(request.user), request)
    if not request.htmx or not context.get("is_open"):
        # The last response to the poll also updates the comparisons.
        context["comparables"] = comparables(request.user, request.GET.get("page", ""))
        context |= {"kinds": KINDS, "is_update": bool(request.htmx)}
    return show(request, "frontend/evaluations/evaluations.html", context, part="runs")


@audits(AuditEvent.Kind.LABELS)
@signed_in()
def evaluation(request: PageRequest, public_id: uuid.UUID) -> HttpResponse:
    """Show an evaluation: its progress, figures and provenance, and every answer."""
    missing = _("There is no such evaluation, or it is not visible to you.")
    run: Evaluation = existing(evaluation_rows(request.user), missing, public_id=public_id)
    is_timed = run.done > 0 and not run.has_ended
    context: dict[str, Any] = {
        **shown_run(request, run),
        "of": questions_of(run),
        "per_second": run.done / run.run_seconds if is_timed and run.run_seconds else None,
        "report": report_of(run) if run.is_of_member(request.user) else None,
        "verdict": verdict(run),
        "bar": bar_of(run),
    }
    if run.status == RunStatus.DONE:
        context |= _result(request, run)
    return show(request, "frontend/evaluations/evaluation.html", context, part="live")


def _result(request: PageRequest, run: Evaluation) -> dict[str, Any]:
    data = as_comparable(comparable(request.user, pk=run.pk)[0])
    try:
        answered = answered_items(run)
        items = item_list(
            answered,
            shown=request.GET.get("show", ""),
            number=request.GET.get("page", ""),
            # The corpus may be the operator's, or a campaign's articles.
            with_evidence=run.is_of_member(request.user),
        )
    except DomainError as refusal:
        return {"data": data, "refusal": refusal}
    is_truth = all(answer.item.form == "truth" for answer in answered)
    return {"data": data, "items": items, "is_truth": is_truth}


@signed_in()
def comparison(request: PageRequest, kind: str, name: str, split: str) -> HttpResponse:
    """Compare the finished evaluations of some questions."""
    data, others = compared_questions(request, kind, name, split)
    subset, sort = request.GET.get("subset", ""), request.GET.get("sort", "")
    form, margin = margin_form(request.GET.dict())
    context: dict[str, Any] = {"data": data, "sorts": SORTS, "endings": FORMATS, "others": others}
    context |= {"margin_form": form, "has_later": bool(later_versions(request.user, data))}
    context["kept"] = {name: value for name, value in request.GET.items() if name != "margin"}
    try:
        page = comparison_of(request.user, data, others, subset=subset, sort=sort, margin=margin)
        context |= {"found": page, "verdict": best_of(list(page.found.systems), margin)}
    except DomainError as refusal:
        if refusal.status == 404:
            raise
        context["refusal"] = refusal
    return show(request, "frontend/evaluations/comparison.html", context, part="table")


@signed_in()
def comparison_file(
    request: PageRequest, kind: str, name: str, split: str, ending: str
) -> HttpResponse:
    """Download a comparison."""
    if ending not in FORMATS:
        raise Http404(_("There is no such file."))
    data, others = compared_questions(request, kind, name, split)
    subset = request.GET.get("subset", "")
    form, margin = margin_form(request.GET.dict())
    if form.errors:
        raise DomainError("invalid", _("The margin must be from 0.5 to 20 percentage points."))
    page = comparison_of(request.user, data, others, subset=subset, sort="", margin=margin)
    write, media_type = FORMATS[ending]
    rows = comparison_rows(data, page.found, page.people)
    response = HttpResponse(write(rows), content_type=media_type)
    file = "-".join(filter(None, ["comparison", name, split, data.transformation]))
    response["Content-Disposition"] = f'attachment; filename="{file}.{ending}"'
    return response


def compared_questions(
    request: PageRequest, kind: str, name: str, split: str
) -> tuple[Comparable, list[Comparable]]:
    """Return the questions that an address names, and other versions of them."""
    return find_comparable(
        request.user, kind, name, split,
        transformation=request.GET.get("transformation", ""), data=request.GET.get("data", ""),
    )  # fmt: skip
