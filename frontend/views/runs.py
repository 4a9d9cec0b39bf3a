"""One filter run, live, and the end of any run by hand."""

import uuid
from collections.abc import Sequence

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from filtering.models import FilterRun, Phase
from frontend.charts import Tick, bar_chart, share_chart
from frontend.http import PageRequest, curators_only, show
from frontend.selectors.runs import find_run, run_row, workers_state
from winoplatform.errors import DomainError
from winoplatform.runs.frame import request_cancel


@curators_only
@require_safe
def filter_run(request: PageRequest, public_id: uuid.UUID) -> HttpResponse:
    """Show a filter run; its live part asks again while the run is open."""
    runs = FilterRun.objects.select_related("encoding__snapshot__campaign")
    run = runs.filter(public_id=public_id).first()
    if run is None:
        raise Http404(_("There is no such filter run."))
    phases = list(run.steps.defer("arrays"))
    context = {
        "run": run,
        "row": run_row(run),
        "campaign": run.encoding.snapshot.campaign,
        "n_start": run.encoding.snapshot.n_questions,
        "phases": phases,
        "releases": run.releases.order_by("pk"),
        "workers": None if run.has_ended else workers_state(),
        "is_update": bool(request.htmx),
        **_charts(run, phases),
    }
    return show(request, "frontend/filter_run.html", context, part="live")


def _charts(run: FilterRun, phases: Sequence[Phase]) -> dict[str, object]:
    if not phases:
        return {}
    last = phases[-1]
    numbers = [str(phase.number) for phase in phases]
    left = [phases[0].n_before, *(phase.n_left for phase in phases)]
    width = 1 / len(last.histogram)
    edges = [f"{place * width:.2f}" for place in range(len(last.histogram))]
    return {
        "left_chart": bar_chart(left, ["0", *numbers], noun=_("questions left")),
        "accuracy_chart": share_chart([phase.accuracy for phase in phases], numbers),
        "score_chart": bar_chart(
            last.histogram, edges, noun=_("questions"), rule=Tick(run.tau, f"τ = {run.tau:g}")
        ),
    }


@curators_only
@require_POST
def cancel_run(request: PageRequest, kind: str, public_id: uuid.UUID) -> HttpResponse:
    """Ask for the end of a run and go back to the page the wish came from."""
    run = find_run(kind, public_id)
    try:
        request_cancel(run)
        messages.success(request, _("The run ends at its next step, or at once where it waits."))
    except DomainError as refusal:
        messages.info(request, refusal.message)
    back = request.POST.get("back", "")
    if not url_has_allowed_host_and_scheme(back, allowed_hosts={request.get_host()}):
        back = "home"
    return redirect(back)
