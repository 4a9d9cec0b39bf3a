"""A filter run's live page; cancel and resume any run."""

import uuid
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from django import forms
from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from filtering.models import FilterRun
from filtering.selectors import chosen_run
from filtering.selectors.comparisons import unused_seeds
from filtering.services.filter_runs import ALL_CONTROLS, missing_controls
from frontend.evidence.words import DIRECTIONS, FRESH_ROWS
from frontend.filter_runs.reads import charts_of, chooser, looks_of, main_chart, seconds_left
from frontend.filter_runs.words import verdict
from frontend.http import REFUSALS, PageRequest, curators_only, existing, refusal_of, show
from frontend.runs.forms import SeedsForm
from frontend.runs.reads import find_run, run_row, workers_state
from frontend.runs.settings import settings_of
from winoplatform import clock
from winoplatform.errors import DomainError
from winoplatform.runs.attempts import request_cancel
from winoplatform.runs.models import Run
from winoplatform.runs.resume import resume

MORE_SEEDS = 5
R = TypeVar("R", bound=Run)


def find_filter_run(public_id: uuid.UUID) -> FilterRun:
    runs = FilterRun.objects.select_related(
        "encoding__snapshot__campaign", "encoding__tuning", "reference", "selection"
    )
    return existing(runs, _("There is no such filter run."), public_id=public_id)


def controls_button(run: FilterRun) -> str:
    """Return the label of the button that starts a run's controls; empty if all exist."""
    n = len(missing_controls(run))
    if n in (0, len(ALL_CONTROLS)):
        return _("Run baselines") if n else ""
    return ngettext("Run the %d missing baseline", "Run the %d missing baselines", n) % n


def started(
    form: forms.BaseForm, start: Callable[..., R], *, refused_at: Mapping[str, str] | None = None
) -> R | None:
    """Start the run of the form; return None if the form has errors.

    *refused_at* maps codes of refusals to fields; other refusals are shown above all fields.
    """
    if not form.is_valid():
        return None
    try:
        return start(**form.cleaned_data)
    except REFUSALS as error:
        refusal = refusal_of(error)
        form.add_error((refused_at or {}).get(refusal.code), refusal.message)
        return None


@curators_only()
def filter_run(request: PageRequest, public_id: uuid.UUID) -> HttpResponse:
    """Show a filter run; its live part polls while the run is open."""
    return run_page(request, find_filter_run(public_id))


def run_page(
    request: PageRequest,
    run: FilterRun,
    *,
    seeds: SeedsForm | None = None,
    status: int = 200,
) -> HttpResponse:
    phases = list(run.steps.defer("arrays"))
    context = {
        "run": run,
        "row": run_row(run, clock.now()),
        "campaign": run.encoding.snapshot.campaign,
        "n_start": run.encoding.n_questions,
        "phases": phases,
        "last_phase": phases[-1] if phases else None,
        "unconverged": sum(phase.unconverged for phase in phases),
        "fallbacks": sum(phase.fallbacks for phase in phases),
        "seconds_left": seconds_left(run, phases),
        "releases": run.selection.releases.order_by("pk"),
        "workers": None if run.has_ended else workers_state(),
        "controls_button": controls_button(run),
        "is_update": bool(request.htmx),
        "is_shown": chosen_run(run.encoding.snapshot.campaign) == run,
        "fresh_rows": FRESH_ROWS,
        "directions": DIRECTIONS,
        "looks": looks_of(phases) if phases else [],
        "verdict": verdict(run),
        **charts_of(run, phases),
    }
    context |= main_chart(context)
    if (
        not request.htmx or run.has_ended
    ):  # the last response to the poll updates the runs to compare with
        context |= _around(run, seeds)
    return show(
        request, "frontend/filter_runs/filter_run.html", context, part="live", status=status
    )


def _around(run: FilterRun, seeds: SeedsForm | None) -> dict[str, Any]:
    """Return the context of the page outside its live part."""
    more = ", ".join(str(seed) for seed in unused_seeds(run, MORE_SEEDS))
    return {
        "settings": settings_of(run),
        "chooser": chooser(run.encoding, this=run),
        "seeds": seeds or SeedsForm(initial={"seeds": more}),
    }


@curators_only("POST")
def cancel_run(request: PageRequest, kind: str, public_id: uuid.UUID) -> HttpResponse:
    """Cancel a run and return to the previous page."""
    return _done(request, find_run(kind, public_id), request_cancel)


@curators_only("POST")
def resume_run(request: PageRequest, kind: str, public_id: uuid.UUID) -> HttpResponse:
    """Resume a failed or cancelled run and return to the previous page."""
    return _done(request, find_run(kind, public_id), resume)


def _done(request: PageRequest, run: Run, change: Callable[[Run], None]) -> HttpResponse:
    try:
        change(run)
    except DomainError as refusal:
        messages.info(request, refusal.message)
    back = request.POST.get("back", "")
    if not url_has_allowed_host_and_scheme(back, allowed_hosts={request.get_host()}):
        back = "home"
    return redirect(back)
