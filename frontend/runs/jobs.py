"""The list of all jobs; name, star, archive and delete a run, and choose a filter run."""

import uuid
from collections.abc import Callable
from functools import partial

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _

from filtering import services
from filtering.models import FilterRun
from frontend.campaigns.reads import campaign_for
from frontend.http import REFUSALS, PageRequest, curators_only, existing, refusal_of, show
from frontend.runs.forms import JobsForm, KeepForm
from frontend.runs.job_reads import jobs
from frontend.runs.reads import find_run, workers_state
from winoplatform import clock
from winoplatform.runs.keeping import annotate, delete_run

LISTED = 30


@curators_only()
def job_list(request: PageRequest) -> HttpResponse:
    """List the runs of every kind, newest first."""
    form = JobsForm(request.GET or None)
    page = jobs(form.chosen(), request.GET.get("page", ""), size=LISTED, now=clock.now())
    context = {
        "form": form,
        "page": page,
        "workers": workers_state(),
        "is_open": any(not row.run.has_ended for row in page.rows),
    }
    return show(request, "frontend/runs/jobs.html", context, part="jobs")


@curators_only("POST")
def keep_run(request: PageRequest, kind: str, public_id: uuid.UUID) -> HttpResponse:
    """Name, star or archive a run."""
    run = find_run(kind, public_id)
    form = KeepForm(request.POST)
    if not form.is_valid():
        messages.error(request, _("A name has at most 100 characters."))
        return _back(request)
    return _done(request, partial(annotate, run, **form.changes()))


@curators_only("POST")
def remove_run(request: PageRequest, kind: str, public_id: uuid.UUID) -> HttpResponse:
    """Delete a run on which nothing depends."""
    return _done(request, partial(delete_run, find_run(kind, public_id)), _("The run is deleted."))


@curators_only("POST")
def choose_run(request: PageRequest, public_id: uuid.UUID) -> HttpResponse:
    """Let the campaign of a filter run show its results."""
    run = existing(FilterRun.objects.all(), _("There is no such filter run."), public_id=public_id)
    choose = partial(services.choose_run, run=run, by=request.user)
    return _done(request, choose, _("The campaign now shows the results of this run."))


@curators_only("POST")
def show_latest_release(request: PageRequest, slug: str) -> HttpResponse:
    """Let a campaign show the run of its latest release again."""
    services.show_latest_release(campaign=campaign_for(request.user, slug))
    messages.success(request, _("The campaign now shows the run of its latest release."))
    return redirect("campaign", slug)


def _done(request: PageRequest, change: Callable[[], object], said: str = "") -> HttpResponse:
    try:
        change()
    except REFUSALS as error:
        messages.error(request, refusal_of(error).message)
    else:
        if said:
            messages.success(request, said)
    return _back(request)


def _back(request: PageRequest) -> HttpResponse:
    back = request.POST.get("back", "")
    if not url_has_allowed_host_and_scheme(back, allowed_hosts={request.get_host()}):
        back = "jobs"
    return redirect(back)
