"""Tune an encoder on some of a snapshot's questions, and follow its progress."""

import uuid
from functools import partial
from typing import Any

from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from corpora.models import Snapshot
from filtering import services
from filtering.models import Tuning
from filtering.selectors import sizes
from frontend.encodings import tuning_reads as selectors
from frontend.encodings.forms import TuningForm
from frontend.encodings.settings import SHOWN, settings_of
from frontend.epochs import charts_of
from frontend.http import PageRequest, curators_only, existing, show
from frontend.lookups import find_snapshot
from frontend.runs.reads import run_row, workers_state
from frontend.runs.views import started
from winoplatform import clock
from winoplatform.ids import as_uuid

REFUSED_AT = {
    "encoder_unknown": "encoder",
    "encoder_refused": "encoder",
    "snapshot_too_small": "n_train",
}


def find_tuning(public_id: uuid.UUID) -> Tuning:
    rows = Tuning.objects.select_related("snapshot__campaign")
    return existing(rows, _("There is no such tuning."), public_id=public_id)


@curators_only("GET", "POST")
def new_tuning(request: PageRequest, public_id: uuid.UUID) -> HttpResponse:
    """Start a tuning over a snapshot; ``?like`` fills in the settings of another one."""
    snapshot = find_snapshot(public_id)
    context: dict[str, Any] = {"snapshot": snapshot, "campaign": snapshot.campaign}
    try:
        parts = sizes.parts_of(snapshot)
    except ValueError as error:
        parts, context["too_small"] = None, str(error)
    like = _like(request.GET.get("like", ""))
    form = TuningForm(request.POST or None, instance=_draft(snapshot, parts, like))
    if request.method == "POST":
        start = partial(services.tune, snapshot=snapshot, by=request.user)
        made = started(form, start, refused_at=REFUSED_AT)
        if made is not None:
            return redirect("tuning", made.public_id)
    context |= {"form": form, "parts": parts, "like": like}
    status = 400 if request.method == "POST" else 200
    return render(request, "frontend/encodings/tuning_form.html", context, status=status)


def _like(public_id: str) -> Tuning | None:
    if not public_id:
        return None
    known = as_uuid(public_id)
    if known is None:
        raise Http404(_("There is no such tuning."))
    return find_tuning(known)


def _draft(snapshot: Snapshot, parts: sizes.Parts | None, like: Tuning | None) -> Tuning:
    if like is not None:
        return Tuning(snapshot=snapshot, **{name: getattr(like, name) for name in SHOWN})
    suggested = {"n_train": parts.n_train, "n_validation": parts.n_validation} if parts else {}
    return Tuning(snapshot=snapshot, **suggested)


@curators_only()
def tuning(request: PageRequest, public_id: uuid.UUID) -> HttpResponse:
    """Show a tuning; its live part polls while the tuning or an encoding made with it is open."""
    run, now = find_tuning(public_id), clock.now()
    parts = sizes.parts_of_tuning(run)
    epochs = list(run.steps.all())
    rows = selectors.epoch_rows(epochs, parts) if parts else []
    encodings = selectors.encodings_of(run, now)
    is_open = not run.has_ended or any(not row.run.has_ended for row in encodings)
    best = next((row for row in rows if row.is_best), None)
    context = {
        "run": run,
        "row": run_row(run, now),
        "campaign": run.snapshot.campaign,
        "parts": parts,
        "rows": rows,
        "best": best,
        "finding": selectors.finding(best.accuracy) if best and best.accuracy else "",
        "seconds_left": selectors.seconds_left(run, epochs),
        "encodings": encodings,
        "is_open": is_open,
        "workers": workers_state() if is_open else None,
        "settings": settings_of(run),
        "is_update": bool(request.htmx),
        **charts_of(rows, of_two=True),
    }
    return show(request, "frontend/encodings/tuning.html", context, part="live")
