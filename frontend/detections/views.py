"""Artifacts: start a search in a set, follow it, and read what it has found."""

import uuid
from functools import partial
from typing import Any

from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from corpora.models import Release, Snapshot
from evaluation import services
from evaluation.models import ArtifactDetection
from frontend.detections import words
from frontend.detections.forms import DetectionForm
from frontend.detections.reads import detections, findings
from frontend.http import PageRequest, curators_only, existing, show
from frontend.lookups import find_set, find_snapshot
from frontend.paging import page_of
from frontend.runs.reads import run_row, workers_state
from frontend.runs.views import started
from winoplatform import clock

EARLIER = 10
REFUSED_AT = {
    "split_unknown": "split",
    "split_blind": "split",
    "labels_unknown": "split",
    "encoding_incomplete": "encoding",
    **dict.fromkeys(
        ("too_many_scorers", "scorer_unsuitable", "model_refused", "model_unknown", "no_corpus"),
        "scorers",
    ),
}


@curators_only()
def detection(request: PageRequest, public_id: uuid.UUID) -> HttpResponse:
    """Show a search: its verdict first, and each detector's figures; it polls while it is open."""
    run = existing(detections(), _("There is no such search."), public_id=public_id)
    context = {
        "run": run,
        "row": run_row(run, clock.now()),
        "set_name": words.set_name(run),
        "set_href": words.set_href(run),
        "new_href": words.new_href(run),
        "split": words.split_name(run),
        "found": findings(run),
        "evaluations": run.evaluations.select_related("reference_set").order_by("pk"),
        "workers": None if run.has_ended else workers_state(),
        "is_update": bool(request.htmx),
    }
    return show(request, "frontend/detections/detection.html", context, part="live")


@curators_only("GET", "POST")
def in_release(request: PageRequest, name: str) -> HttpResponse:
    """Start a search in a release's labelled splits."""
    release = existing(Release.objects.live(), _("There is no such release."), name=name)
    return _ask(request, ArtifactDetection(release=release))


@curators_only("GET", "POST")
def in_reference_set(request: PageRequest, name: str) -> HttpResponse:
    """Start a search in a split of a reference set."""
    return _ask(request, ArtifactDetection(reference_set=find_set(request.user, name)))


@curators_only("GET", "POST")
def in_snapshot(request: PageRequest, public_id: uuid.UUID) -> HttpResponse:
    """Start a search in all questions of a snapshot."""
    snapshot: Snapshot = find_snapshot(public_id)
    return _ask(request, ArtifactDetection(snapshot=snapshot))


def _ask(request: PageRequest, draft: ArtifactDetection) -> HttpResponse:
    data: dict[str, Any] = {
        "release": draft.release,
        "reference_set": draft.reference_set,
        "snapshot": draft.snapshot,
    }
    form = DetectionForm(request.POST if request.method == "POST" else None, draft=draft)
    if request.method == "POST":
        start = partial(services.detect, **data, by=request.user)
        made = started(form, start, refused_at=_refused_at(form))
        if made is not None:
            return redirect("detection", made.public_id)
    page = page_of(detections().filter(**data), request, parameter="detections", size=EARLIER)
    now = clock.now()
    context = {
        "form": form,
        "set_name": words.set_name(draft),
        "set_href": words.set_href(draft),
        "page": page,
        "rows": [run_row(run, now) for run in page.rows],
    }
    status = 400 if request.method == "POST" else 200
    return render(request, "frontend/detections/detection_form.html", context, status=status)


def _refused_at(form: DetectionForm) -> dict[str, str]:
    """Return the fields of refusals, without those that the form does not have."""
    return {code: field for code, field in REFUSED_AT.items() if field in form.fields}
