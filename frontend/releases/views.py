"""A release: its files and its evaluations."""

from typing import cast

from django.http import FileResponse, Http404, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _

from corpora.core.publish import SPLITS
from corpora.models import Release
from filtering.models import FilterRun
from frontend.http import PageRequest, curators_only
from frontend.runs.reads import run_row
from winoplatform import clock
from winoplatform.artifacts import store


def _release(name: str) -> Release:
    releases = Release.objects.select_related("snapshot__campaign", "selection")
    release = releases.named(name)
    if release is None:
        raise Http404(_("There is no such release."))
    return release


@curators_only()
def release(request: PageRequest, name: str) -> HttpResponse:
    found = _release(name)
    files = found.files.select_related("artifact")
    context = {
        "release": found,
        "run": FilterRun.objects.filter(selection=found.selection).first(),
        "row": run_row(found, clock.now()),
        "campaign": found.snapshot.campaign,
        "files": files,
        "splits": _splits(found, {file.name: file.rows for file in files}),
        "evaluations": found.evaluations.order_by("pk"),
    }
    return render(request, "frontend/releases/release.html", context)


def _splits(release: Release, rows: dict[str, int]) -> dict[str, int]:
    """Return questions by split, and how many kept ones are in none; empty until it is built."""
    splits = {name: rows[f"{name}.jsonl"] for name in SPLITS if f"{name}.jsonl" in rows}
    if len(splits) < len(SPLITS):
        return {}
    return splits | {"withheld": (release.n_kept or 0) - sum(splits.values())}


@curators_only()
def release_file(request: PageRequest, name: str, file_name: str) -> HttpResponse:
    """Send one file of a release, as stored."""
    files = _release(name).files.select_related("artifact")
    # Compared in Python: an address can contain characters that the database rejects.
    file = next((file for file in files if file.name == file_name), None)
    if file is None:
        raise Http404(_("The release has no such file."))
    # Only as a download: text of crowd workers must never run as a page of this site.
    response = FileResponse(
        store.open_artifact(file.artifact),
        as_attachment=True,
        filename=file.name,
        content_type="application/octet-stream",
    )
    return cast(HttpResponse, response)
