"""Choose what to fine-tune, see what it costs, and start a grid."""

from django.http import HttpResponse
from django.shortcuts import redirect

from evaluation import services
from evaluation.services import Plan
from frontend.fine_tunings.forms import GridForm
from frontend.http import REFUSALS, PageRequest, curators_only, refusal_of, show

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


def _page(
    request: PageRequest, form: GridForm, made: Plan | None, *, status: int = 200
) -> HttpResponse:
    context = {
        "form": form,
        "plan": made,
        "cost": made.cost if made else None,
        "cells": made.cells[:CELLS_LISTED] if made else [],
        "n_more": max(0, len(made.cells) - CELLS_LISTED) if made else 0,
    }
    template = "frontend/fine_tunings/grid_form.html"
    return show(request, template, context, part="cost", status=status)
