"""A filter run's live page."""

import uuid
from typing import Any

from django.http import HttpResponse

from filtering.models import FilterRun
from filtering.selectors import chosen_run
from filtering.selectors.comparisons import unused_seeds
from frontend.filter_runs.forms import SeedsForm
from frontend.filter_runs.reads import charts_of, chooser, looks_of, main_chart, seconds_left
from frontend.filter_runs.settings import settings_of
from frontend.findings import DIRECTIONS, FRESH_ROWS, controls_button, verdict
from frontend.http import PageRequest, curators_only, show
from frontend.lookups import find_filter_run
from frontend.runs.reads import run_row, workers_state
from winoplatform import clock

MORE_SEEDS = 5


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
