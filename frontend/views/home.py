"""Where one lands after signing in."""

from typing import Any

from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_safe

from frontend.crowd_bar import bar
from frontend.http import PageRequest, show, signed_in
from frontend.selectors import campaigns, runs, work
from workers.models import Pause


@signed_in
@require_safe
def home(request: PageRequest) -> HttpResponse:
    """Show a worker the work there is, and a curator the campaigns and the jobs under way."""
    if request.user.is_curator:
        return _curator_home(request)
    # Who came from a crowd platform came for one study: its page says what is to do there.
    arrived = bar(request)
    if arrived is not None:
        return redirect("crowd-session", arrived.session.public_id)
    context = {
        "work": work.open_work(request.user, timezone.now()),
        "totals": work.totals(request.user),
        "pause": Pause.objects.open().filter(worker=request.user).first(),
    }
    return render(request, "frontend/home_worker.html", context)


def _curator_home(request: PageRequest) -> HttpResponse:
    jobs = runs.open_runs()
    context: dict[str, Any] = {"jobs": jobs, "workers": runs.workers_state() if jobs else None}
    if not request.htmx:
        context["rows"] = campaigns.campaign_rows()
    return show(request, "frontend/home_curator.html", context, part="jobs")
