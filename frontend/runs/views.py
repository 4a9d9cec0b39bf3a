"""Runs of every kind: list them, start, cancel, resume, name, star and delete them."""

import uuid
from collections.abc import Callable, Mapping
from functools import partial
from typing import TypeVar

from django import forms
from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _

from frontend.http import REFUSALS, PageRequest, curators_only, refusal_of, show
from frontend.runs.forms import JobsForm, KeepForm
from frontend.runs.reads import find_run, jobs, workers_state
from winoplatform import clock
from winoplatform.errors import DomainError
from winoplatform.runs.attempts import request_cancel
from winoplatform.runs.keeping import annotate, delete_run
from winoplatform.runs.start import resume

R = TypeVar("R")


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


def changed(
    request: PageRequest, change: Callable[[], object], said: str = "", *, at: str = "jobs"
) -> HttpResponse:
    """Make a change, say so or why not, and lead back to the page of the form, or else *at*."""
    try:
        change()
    except REFUSALS as error:
        messages.error(request, refusal_of(error).message)
    else:
        if said:
            messages.success(request, said)
    back = request.POST.get("back", "")
    if not url_has_allowed_host_and_scheme(back, allowed_hosts={request.get_host()}):
        back = at
    return redirect(back)


@curators_only("POST")
def cancel_run(request: PageRequest, kind: str, public_id: uuid.UUID) -> HttpResponse:
    """Cancel a run and return to the previous page."""
    return changed(request, partial(request_cancel, find_run(kind, public_id)), at="home")


@curators_only("POST")
def resume_run(request: PageRequest, kind: str, public_id: uuid.UUID) -> HttpResponse:
    """Resume a failed or cancelled run and return to the previous page."""
    return changed(request, partial(resume, find_run(kind, public_id)), at="home")


@curators_only("POST")
def keep_run(request: PageRequest, kind: str, public_id: uuid.UUID) -> HttpResponse:
    """Name, star or archive a run."""
    run, form = find_run(kind, public_id), KeepForm(request.POST)

    def keep() -> None:
        if not form.is_valid():
            raise DomainError("invalid", _("A name has at most 100 characters."))
        annotate(run, **form.changes())

    return changed(request, keep)


@curators_only("POST")
def remove_run(request: PageRequest, kind: str, public_id: uuid.UUID) -> HttpResponse:
    """Delete a run on which nothing depends."""
    delete = partial(delete_run, find_run(kind, public_id))
    return changed(request, delete, _("The run is deleted."))


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
