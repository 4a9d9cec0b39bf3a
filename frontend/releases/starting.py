"""Start a release: choose its questions, read its preview, publish it."""

import uuid
from functools import partial
from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from collection.core.people import People, title_of
from corpora.models import ReleasePreview, Snapshot
from corpora.selectors.statements import stated_by
from evaluation import services
from filtering.models import FilterRun
from filtering.selectors import chosen_run
from frontend.findings import DIRECTIONS, FRESH_ROWS
from frontend.http import PageRequest, curators_only, existing, show
from frontend.lookups import find_snapshot
from frontend.releases.forms import PreviewForm, PublishForm
from frontend.releases.reads import left_out, origin_sentences, split_rows
from frontend.runs.reads import RunRow, run_row, workers_state
from frontend.runs.views import started
from frontend.templatetags.people import people_behind
from winoplatform import clock
from winoplatform.runs.models import RunStatus
from workers.models import User

REFUSED_AT = {"version_too_low": "version", "unique": "name"}


@curators_only("GET", "POST")
def new_release(request: PageRequest, public_id: uuid.UUID) -> HttpResponse:
    """Choose the questions of a snapshot's release, and request the preview."""
    snapshot = find_snapshot(request.user, public_id)
    initial = {"selection": request.GET.get("selection") or _kept_of(snapshot)}
    form = PreviewForm(request.POST or None, snapshot=snapshot, initial=initial)
    if request.method == "POST":
        made = started(form, partial(services.preview_release, snapshot=snapshot, by=request.user))
        if made is not None:
            return redirect("release-preview", made.public_id)
    context = {"form": form, "snapshot": snapshot, "campaign": snapshot.campaign}
    status = 400 if request.method == "POST" else 200
    return render(request, "frontend/releases/new_release.html", context, status=status)


@curators_only("GET", "POST")
def preview(request: PageRequest, public_id: uuid.UUID) -> HttpResponse:
    """Show what a release would contain, and publish it."""
    release_preview = _preview(request.user, public_id)
    is_sent = request.method == "POST"
    form = PublishForm(request.POST if is_sent else None, initial=_proposed(release_preview))
    if is_sent:
        build = partial(services.build_previewed, preview=release_preview, by=request.user)
        made = started(form, build, refused_at=REFUSED_AT)
        if made is not None:
            messages.success(request, _("The release is being built."))
            return redirect("release", made.name)
    context = _context(release_preview) | {"form": form}
    template = "frontend/releases/preview.html"
    return show(request, template, context, part="live", status=400 if is_sent else 200)


def _kept_of(snapshot: Snapshot) -> uuid.UUID | None:
    """Return what the campaign's chosen filter run of a snapshot keeps, or else its newest one."""
    runs = FilterRun.objects.aflite().filter(encoding__snapshot=snapshot, status=RunStatus.DONE)
    chosen = chosen_run(snapshot.campaign)
    run = runs.filter(pk=chosen.pk).first() if chosen else None
    run = run or runs.order_by("-pk").first()
    return run.selection.public_id if run else None


def _preview(user: User, public_id: uuid.UUID) -> ReleasePreview:
    rows = ReleasePreview.objects.visible_to(user).select_related("snapshot__campaign", "selection")
    return existing(rows, _("There is no such preview."), public_id=public_id)


def _proposed(found: ReleasePreview) -> dict[str, Any]:
    people = people_behind(found) or People()
    campaign, version = found.snapshot.campaign, (found.facts or {}).get("version", "")
    return {
        "name": f"{campaign.slug}-{version.replace('.', '-')}"[:50] if version else "",
        "version": version,
        "title": title_of(campaign.name, people),
        "licence": "CC-BY-4.0",
        **stated_by(campaign),
    }


def _before(found: ReleasePreview) -> list[RunRow]:
    """Return the runs that the preview waits for, first to last."""
    run = FilterRun.objects.filter(selection=found.selection).select_related("encoding").first()
    made_from = [found.snapshot, *([run.encoding, run] if run else [])]
    return [run_row(each, clock.now()) for each in made_from]


def _context(release_preview: ReleasePreview) -> dict[str, Any]:
    context: dict[str, Any] = {
        "preview": release_preview,
        "row": run_row(release_preview, clock.now()),
        "campaign": release_preview.snapshot.campaign,
        "workers": None if release_preview.has_ended else workers_state(),
        "before": [] if release_preview.has_ended else _before(release_preview),
    }
    if release_preview.status == RunStatus.DONE and release_preview.facts:
        context |= {
            "facts": release_preview.facts,
            "splits": split_rows(release_preview.facts, is_preview=True),
            "left_out": left_out(release_preview.facts),
            "made": origin_sentences(release_preview.facts),
            "n_dev": services.n_dev(release_preview),
            "run": FilterRun.objects.filter(selection=release_preview.selection).first(),
            "fresh_rows": FRESH_ROWS,
            "directions": DIRECTIONS,
        }
    return context
