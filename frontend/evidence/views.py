"""The evidence of a filter run: its effect on the biases, compared with its controls."""

import uuid
from typing import Any

from django.contrib import messages
from django.db.models import Q
from django.http import Http404, HttpResponse, JsonResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django_htmx.http import HttpResponseClientRefresh

from filtering import services
from filtering.models import Assessment, FilterRun
from frontend.evidence import pictures
from frontend.evidence import reads as selectors
from frontend.evidence import words as evidence_words
from frontend.findings import DIRECTIONS, controls_button, verdict
from frontend.http import REFUSALS, PageRequest, curators_only, refusal_of, show
from frontend.lookups import find_filter_run
from frontend.runs.reads import RunRow, run_row, workers_state
from winoplatform import clock
from winoplatform.api.views import download


@curators_only()
def evidence(request: PageRequest, public_id: uuid.UUID) -> HttpResponse:
    """Show the measurements so far; the page polls while a measurement is open.

    The page reloads when there is more to show.
    """
    run = find_filter_run(request.user, public_id)
    under_way = _under_way(run)
    seen = _seen(run, under_way)
    if request.htmx and request.GET.get("seen") != seen:
        return HttpResponseClientRefresh()
    context: dict[str, Any] = {
        "run": run,
        "campaign": run.encoding.snapshot.campaign,
        "under_way": under_way,
        "seen": seen,
        "workers": workers_state() if under_way else None,
    }
    if not request.htmx:
        context |= _figures(run)
    return show(request, "frontend/evidence/evidence.html", context, part="progress")


def _under_way(run: FilterRun) -> list[RunRow]:
    """Return the open assessment of a run and the open runs that it will be compared with."""
    head = run.reference_id or run.pk
    controls = FilterRun.objects.filter(reference=head).open()
    controls = controls.select_related("encoding", "reference", "choice")
    of_family = Q(filter_run=run) | Q(filter_run=head) | Q(filter_run__reference=head)
    assessments = Assessment.objects.filter(of_family).open()
    assessments = assessments.select_related("filter_run__reference")
    now = clock.now()
    return [run_row(job, now) for job in (*controls.order_by("pk"), *assessments.order_by("pk"))]


def _seen(run: FilterRun, under_way: list[RunRow]) -> str:
    """Return a key that changes when the page has something new to show.

    It names the open runs and, for the run's own assessment, the number of recorded parts. Figures
    of other runs are shown only when they are done.
    """
    return "-".join(
        f"{row.run.pk}.{row.run.done}"
        if isinstance(row.run, Assessment) and row.run.filter_run_id == run.pk
        else str(row.run.pk)
        for row in under_way
    )


def _figures(run: FilterRun) -> dict[str, Any]:
    assessment = selectors.latest_assessment(run)
    family = selectors.assessed_family(run, assessment)
    parts = next((assessed.parts for assessed in family if assessed.run == run), {})
    names, histograms = selectors.histogram_rows(family)
    context: dict[str, Any] = {
        "shown": assessment,
        "verdict": verdict(run),
        "summary": list(evidence_words.summary(run, parts)),
        "directions": DIRECTIONS,
        "axis_limits": evidence_words.AXIS_LIMITS,
        "filter_results": parts.get("filter_results")
        and selectors.result_figures(parts["filter_results"]),
        "panels": selectors.panels(family, run),
        "before_after": pictures.before_after(parts.get("projection", {})),
        "sets": (sets := list(selectors.set_rows(family, run)) if parts else []),
        "accuracies": pictures.accuracies(sets),
        "histogram_names": names,
        "histogram_rows": histograms,
        "has_baselines": any(assessed.run.reference_id for assessed in family),
        "controls_button": controls_button(run),
    }
    if surface := parts.get("surface"):
        context["features"] = list(selectors.feature_rows(surface))
        context["words"] = surface["words"]
        context["words_least"] = surface.get("words_least")
        context["examples"] = list(selectors.example_groups(surface))
    return context


@curators_only("POST")
def assess(request: PageRequest, public_id: uuid.UUID) -> HttpResponse:
    """Start an assessment of the run, or resume one that was interrupted."""
    try:
        services.start_assessment(
            filter_run=find_filter_run(request.user, public_id), by=request.user
        )
        messages.success(request, _("The assessment is queued."))
    except REFUSALS as error:
        messages.info(request, refusal_of(error).message)
    return redirect("evidence", public_id)


@curators_only("POST")
def start_controls(request: PageRequest, public_id: uuid.UUID) -> HttpResponse:
    """Start the controls that the run does not have yet."""
    try:
        runs = services.start_controls(
            run=find_filter_run(request.user, public_id), by=request.user
        )
        message = ngettext("%s baseline is queued.", "%s baselines are queued.", len(runs))
        messages.success(request, message % len(runs))
    except REFUSALS as error:
        messages.info(request, refusal_of(error).message)
    return redirect("evidence", public_id)


@curators_only()
def points(request: PageRequest, public_id: uuid.UUID) -> HttpResponse:
    """Send the picture of all questions on their principal components."""
    run = find_filter_run(request.user, public_id)
    assessment = selectors.latest_assessment(run)
    if assessment is None or assessment.places_id is None:
        raise Http404(_("This run has no such picture yet."))
    return JsonResponse(pictures.points(assessment, run.encoding.snapshot.campaign).as_json())


@curators_only()
def report(request: PageRequest, public_id: uuid.UUID) -> HttpResponse:
    """Send the report that the page shows, as stored."""
    assessment = selectors.latest_assessment(find_filter_run(request.user, public_id))
    if assessment is None or assessment.report is None:
        raise Http404(_("This run has no report yet."))
    return download(  # type: ignore[return-value]  # streamed
        request,
        assessment.report,
        name=f"evidence-{public_id}.json",
        content_type="application/json",
    )
