"""Pages of fine-tunings."""

import uuid
from typing import Any

from django.http import Http404, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _

from evaluation import services
from evaluation.models import Grid, GridTarget
from evaluation.selectors.curves import grid_curve
from evaluation.services import Plan
from frontend.fine_tunings.forms import GridForm
from frontend.fine_tunings.reads import CELLS, curve_view, fine_tunings, grid_view, grids
from frontend.fine_tunings.words import grid_title, reach_words
from frontend.http import (
    REFUSALS,
    PageRequest,
    curators_only,
    existing,
    refusal_of,
    show,
    signed_in,
)
from frontend.paging import numbered, page_of
from frontend.runs.reads import run_row, shown_run
from training.core.curves import curve_csv, curve_latex
from winoplatform import clock

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


LISTED = 15


@signed_in()
def list_grids(request: PageRequest) -> HttpResponse:
    """List the grids, and the fine-tunings outside grids."""
    now = clock.now()
    page = page_of(grids(request.user), request, parameter="after", size=LISTED)
    alone = fine_tunings(request.user).filter(grid=None).order_by("-pk")
    singles = [run_row(run, now) for run in alone[:LISTED]]
    open_runs = [run for run in (*page.rows, *(row.run for row in singles)) if not run.has_ended]
    context = {
        "page": page,
        "rows": [(grid_title(run), run_row(run, now)) for run in page.rows],
        "alone": singles,
        "is_open": bool(open_runs),
    }
    return show(request, "frontend/fine_tunings/fine_tunings.html", context, part="list")


@signed_in()
def grid(request: PageRequest, public_id: uuid.UUID) -> HttpResponse:
    """Show a grid: its cells, what was chosen, and its learning curve while it grows."""
    run = find_grid(request, public_id)
    view = grid_view(run)
    context: dict[str, Any] = {
        **shown_run(request, run),
        "title": grid_title(run),
        "found": view,
        "cells": numbered(view.rows, request.GET.get("page", ""), CELLS),
    }
    if run.kind == Grid.Kinds.CURVE:
        target = _target(run, request.GET.get("target", ""))
        context |= {
            "curve": curve_view(request.user, run, target),
            "target": target,
            "targets": run.targets.select_related("release", "reference_set"),
        }
    return show(request, "frontend/fine_tunings/grid.html", context, part="live")


@signed_in()
def curve_file(request: PageRequest, public_id: uuid.UUID, ending: str) -> HttpResponse:
    """Download the learning curve of a grid."""
    run = find_grid(request, public_id)
    if run.kind != Grid.Kinds.CURVE or ending not in ("csv", "tex"):
        raise Http404(_("There is no such file."))
    target = _target(run, request.GET.get("target", ""))
    curve = grid_curve(request.user, run, target)
    if ending == "csv":
        text, media_type = curve_csv(curve.points), "text/csv"
    else:
        people = [curve.people.source] if curve.people else []
        about = [f"{grid_title(run)}, {run.public_id}", str(target or "dev"), *people]
        reach = [line for sentence in reach_words(curve.reach) for line in sentence if line]
        text = curve_latex(curve.curve, about=[*about, *reach])
        media_type = "application/x-tex"
    response = HttpResponse(text, content_type=media_type)
    response["Content-Disposition"] = f'attachment; filename="curve-{run.public_id}.{ending}"'
    return response


def find_grid(request: PageRequest, public_id: uuid.UUID) -> Grid:
    missing = _("There is no such grid, or it is not visible to you.")
    return existing(grids(request.user), missing, public_id=public_id)


def _target(run: Grid, position: str) -> GridTarget | None:
    """Return the target at a position from 1 on; None for dev."""
    if not position:
        return None
    targets = run.targets.select_related("reference_set")
    if not (position.isascii() and position.isdecimal() and 0 < int(position) <= len(targets)):
        raise Http404(_("There is no such target."))
    return targets[int(position) - 1]
