"""The home page."""

from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_safe
from rest_framework.permissions import SAFE_METHODS

from corpora.models import ReferenceSet, Release
from frontend.earnings import totals
from frontend.home import campaigns as work
from frontend.home.campaigns import campaign_rows
from frontend.http import PageRequest, came_by_link, show, signed_in
from frontend.runs import reads as runs
from frontend.templatetags.shell import bar, starter_row
from knowledge.models import KnowledgeSet
from panels.adapters import with_adapters
from panels.selectors import offered_to
from validation.services.review import notices
from winoplatform import clock
from workers.services import open_pause


def first(request: PageRequest) -> HttpResponse:
    """Lead visitors without an account to the public releases, if there are any."""
    is_stranger = not request.user.is_authenticated and not came_by_link(request)
    if is_stranger and request.method in SAFE_METHODS and _has_public():
        return redirect("public-releases")
    return home(request)


def _has_public() -> bool:
    return settings.PUBLIC_PAGES and Release.objects.public().exists()


@signed_in()
def home(request: PageRequest) -> HttpResponse:
    """Show available work to a worker, and campaigns and open jobs to a curator."""
    if request.user.is_curator:
        return _curator_home(request)
    # Participants of a crowd platform came for one study: its page shows what to do.
    arrived = bar(request)
    if arrived is not None:
        return redirect("crowd-session", arrived.session.public_id)
    now = clock.now()
    context = {
        "work": work.open_work(request.user, now),
        "panels": with_adapters(offered_to(request.user, now=now)),
        "totals": totals(request.user),
        "pause": open_pause(request.user),
        "news": work.news_of(request.user),
        "has_knowledge": KnowledgeSet.objects.visible_to(request.user).exists(),
        "has_reference_sets": ReferenceSet.objects.visible_to(request.user).exists(),
    }
    return render(request, "frontend/home/worker.html", context)


@require_safe
def starter(request: HttpRequest) -> HttpResponse:
    """Show the progress of the starter campaign on the first page."""
    return render(request, "frontend/shell/starter.html", {"row": starter_row()})


@signed_in("POST")
def see_news(request: PageRequest) -> HttpResponse:
    """Note that the worker has read the curators' notices."""
    notices.see_all(request.user)
    return redirect("home")


def _curator_home(request: PageRequest) -> HttpResponse:
    jobs = runs.open_runs(request.user, clock.now())
    context: dict[str, Any] = {"jobs": jobs, "workers": runs.workers_state() if jobs else None}
    if not request.htmx:
        context["rows"] = campaign_rows(request.user)
    return show(request, "frontend/home/curator.html", context, part="jobs")
