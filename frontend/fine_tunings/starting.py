"""Choose what to fine-tune, see what it costs, measure that, and start a grid."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.urls import reverse

from evaluation import services
from evaluation.models import FineTuningTrial
from evaluation.services import Plan
from frontend.fine_tunings.forms import GridForm
from frontend.http import REFUSALS, PageRequest, curators_only, refusal_of, show
from frontend.runs.reads import workers_state
from winoplatform.runs.models import RunStatus

CELLS_LISTED = 12


@curators_only("GET", "POST")
def new_grid(request: PageRequest) -> HttpResponse:
    """Choose a grid, see its cost, and start it."""
    is_start = request.method == "POST"
    sent = request.POST if is_start else request.GET
    form = GridForm(sent, by=request.user, is_sent=is_start)
    made = form.plan() if form.of_train else None
    if is_start and made is not None:
        try:
            started = services.start_grid(made, by=request.user)
        except REFUSALS as error:
            form.add_error(None, refusal_of(error).message)
        else:
            return redirect("grid", started.public_id)
    return _page(request, form, made, status=400 if is_start else 200)


@curators_only("POST")
def measure_grid(request: PageRequest) -> HttpResponse:
    """Start a trial of the first cell, which measures the seconds of a question."""
    form = GridForm(request.POST, by=request.user, is_sent=True)
    made = form.plan() if form.of_train else None
    if made is None:
        return _page(request, form, made, status=400)
    try:
        services.measure_training(by=request.user, of=made.cells[0])
    except REFUSALS as error:
        if request.htmx:
            form.add_error(None, refusal_of(error).message)
            return _page(request, form, None)
        messages.warning(request, refusal_of(error).message)
    if request.htmx:
        return _page(request, form, made)
    asked = request.POST.copy()
    asked.pop("csrfmiddlewaretoken", None)
    return redirect(f"{reverse('new-grid')}?{asked.urlencode()}#cost")


def _page(
    request: PageRequest, form: GridForm, made: Plan | None, *, status: int = 200
) -> HttpResponse:
    trial = _trial(made) if made else None
    is_measured_now = trial is not None and not trial.has_ended
    context = {
        "form": form,
        "plan": made,
        "cost": made.cost if made else None,
        "cells": made.cells[:CELLS_LISTED] if made else [],
        "n_more": max(0, len(made.cells) - CELLS_LISTED) if made else 0,
        "trial": trial,
        "is_measured_now": is_measured_now,
        "workers": workers_state() if is_measured_now else None,
    }
    template = "frontend/fine_tunings/grid_form.html"
    return show(request, template, context, part="cost", status=status)


def _trial(made: Plan) -> FineTuningTrial | None:
    """Return the newest trial like the first cell that is under way or has failed."""
    cell = made.cells[0]
    same = {name: getattr(cell, name) for name in ("model", "loss", "batch_size", "dtype")}
    rows = FineTuningTrial.objects.filter(**same).exclude(status=RunStatus.DONE)
    return rows.order_by("-pk").first()
