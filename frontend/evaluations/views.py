"""Watch evaluations, compare them, and read their answers."""

import uuid
from typing import Any

from django.http import Http404, HttpResponse
from django.utils.translation import gettext as _

from evaluation.exports.comparisons import FORMATS, comparison_rows
from evaluation.models import Evaluation
from evaluation.selectors import (
    Comparable,
    answered_items,
    as_comparable,
    comparable,
    find_comparable,
)
from frontend.evaluations.answers import item_list
from frontend.evaluations.comparing import SORTS, bar_of, comparables, comparison_of
from frontend.evaluations.verdicts import best_of, verdict
from frontend.evaluations.words import KINDS, report_of
from frontend.http import PageRequest, existing, show, signed_in
from frontend.runs.reads import run_row, workers_state
from frontend.shell.evaluations import evaluation_rows, evaluation_table, questions_of
from winoplatform import clock
from winoplatform.errors import DomainError
from winoplatform.runs.models import RunStatus
from workers.models import AuditEvent
from workers.services.audit import audits


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
        "run": run,
        "row": run_row(run, clock.now()),
        "of": questions_of(run),
        "per_second": run.done / run.run_seconds if is_timed and run.run_seconds else None,
        "workers": None if run.has_ended else workers_state(),
        "report": report_of(run) if request.user.is_curator else None,
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
            with_evidence=request.user.is_curator,
        )
    except DomainError as refusal:
        return {"data": data, "refusal": refusal}
    is_truth = all(one.item.form == "truth" for one in answered)
    return {"data": data, "items": items, "is_truth": is_truth}


@signed_in()
def comparison(request: PageRequest, kind: str, name: str, split: str) -> HttpResponse:
    """Compare the finished evaluations of some questions."""
    data, others = compared_questions(request, kind, name, split)
    subset, sort = request.GET.get("subset", ""), request.GET.get("sort", "")
    context: dict[str, Any] = {"data": data, "sorts": SORTS, "endings": FORMATS, "others": others}
    try:
        page = comparison_of(request.user, data, others, subset=subset, sort=sort)
        context |= {"found": page, "verdict": best_of(list(page.found.systems))}
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
    page = comparison_of(request.user, data, others, subset=subset, sort="")
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
