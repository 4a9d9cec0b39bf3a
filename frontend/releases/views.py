"""A release: what it contains, its files, reports and evaluations; retract it."""

from functools import partial
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from corpora import selectors, services
from corpora.models import Release
from corpora.selectors import release_files
from evaluation.exports.croissant_tasks import tasks_of_release
from evaluation.exports.paper_kits import MEDIA_TYPE, kit_archive, kit_name
from evaluation.models import Leaderboard
from filtering.models import FilterRun
from frontend.forms import RetractionForm
from frontend.http import PageRequest, curators_only, sent_file
from frontend.lookups import rights_here
from frontend.metadata import (
    address_of,
    files_address,
    json_ld,
    json_ld_element,
    sent_metadata,
)
from frontend.releases.browsing import first_rows
from frontend.releases.copies import ErratumForm, PlaceForm, copy_rows, unpublishable
from frontend.releases.documents import documents_of
from frontend.releases.readers import RELEASES, open_to_readers
from frontend.releases.reads import (
    fresh_models,
    left_out,
    origin_sentences,
    shown_files,
    split_rows,
    use_lines,
    versions_of,
)
from frontend.runs.reads import run_row
from frontend.runs.views import started
from frontend.shell.proposals import not_published, waiting
from publishing.core.places import HUB
from winoplatform import clock
from winoplatform.errors import NotFound
from winoplatform.http.rights import Right


@require_safe
@open_to_readers()
def release_page(request: HttpRequest, release: Release) -> HttpResponse:
    """Show a release: to members with its run, else what is published; public ones to everyone."""
    return _page(request, release, RetractionForm())


def _page(
    request: HttpRequest, release: Release, form: RetractionForm, status: int = 200
) -> HttpResponse:
    user = request.user
    is_member = release.is_of_member(user)
    readable = release_files(release, user=user, is_member=is_member)  # type: ignore[arg-type]
    files = list(readable)
    campaign = release.snapshot.campaign
    context: dict[str, Any] = {
        "release": release,
        "campaign": campaign,
        "notices": selectors.notices_of(release),
        "files": shown_files(release, files),
        "archive": next((file for file in files if file.name.endswith(".zip")), None),
        "reports": release.reports.select_related("artifact"),
        "copies": copy_rows(release, is_member=is_member),
        "board": Leaderboard.objects.filter(campaign=campaign.pk).exists(),
        "versions": versions_of(release, user),
        "json_ld": json_ld_element(json_ld(request, release, page="release")),
        **documents_of(files),
    }
    if facts := context.get("facts"):
        context |= {
            "splits": split_rows(facts),
            "left_out": left_out(facts),
            "made": origin_sentences(facts),
            "fresh": fresh_models(facts),
            "rows": first_rows(selectors.labelled_splits(release)),
            "use_lines": use_lines(release, {file.name for file in files}),
            "base": request.build_absolute_uri("/").rstrip("/"),
        }
    if is_member:
        context |= {
            "is_member": True,
            "may_manage": Right.MANAGE in rights_here(request, campaign),  # type: ignore[arg-type]
            "run": FilterRun.objects.filter(selection=release.selection_id).first(),
            "row": run_row(release, clock.now()),
            "evaluations": release.evaluations.order_by("pk"),
            "form": form,
            "erratum_form": ErratumForm(),
            "place_form": PlaceForm(initial={"target": HUB}),
            "unpublishable": unpublishable(release),
            "waiting": waiting(user, release=release.public_id),
            "ended": not_published(user, release),
        }
    return render(request, "frontend/releases/release.html", context, status=status)


@curators_only("POST")
def retract_release(request: PageRequest, name: str) -> HttpResponse:
    """Retract a release, with a reason that stays visible."""
    release = RELEASES.filter(Release.of_member(request.user)).named(name)
    if release is None:
        raise Http404(_("There is no such release."))
    form = RetractionForm(request.POST)
    if started(form, partial(services.retract_release, release=release, by=request.user)) is None:
        return _page(request, release, form, status=400)
    return redirect("release", name)


@require_safe
@open_to_readers(packs=False)
def release_file(request: HttpRequest, release: Release, file_name: str) -> HttpResponse:
    """Send one file of a release, as stored."""
    files = release_files(release, user=request.user)  # type: ignore[arg-type]
    return _sent(request, files, file_name)


@require_safe
@open_to_readers(packs=False)
def release_metadata(request: HttpRequest, release: Release) -> HttpResponse:
    """Send the Croissant description of a release, with the addresses of its files."""
    return sent_metadata(json_ld(request, release, page="release"))


@require_safe
@open_to_readers()
def release_tasks(request: HttpRequest, release: Release) -> HttpResponse:
    """Send the Croissant Tasks of a release: how it is evaluated, and what is known of it."""
    metadata = json_ld(request, release, page="release")
    tasks = metadata and tasks_of_release(
        release,
        metadata,
        user=request.user,  # type: ignore[arg-type]
        page=address_of(request, release, page="release"),
        description=address_of(request, release, page="release-metadata"),
        base_url=files_address(request, release, page="release"),
    )
    return sent_metadata(tasks)


@require_safe
@open_to_readers(packs=False)
def release_paper_kit(request: HttpRequest, release: Release) -> HttpResponse:
    """Send what a paper about a release needs, made from its public files."""
    try:
        kit = kit_archive(release, user=request.user)  # type: ignore[arg-type]
    except NotFound as refusal:
        raise Http404(_("The release has no paper kit.")) from refusal
    response = HttpResponse(kit, content_type=MEDIA_TYPE)
    response["Content-Disposition"] = f'attachment; filename="{kit_name(release)}.zip"'
    return response


@require_safe
@open_to_readers(packs=False)
def release_report(request: HttpRequest, release: Release, file_name: str) -> HttpResponse:
    """Send a report that was attached to a release."""
    return _sent(request, release.reports.select_related("artifact"), file_name)


def _sent(request: HttpRequest, files: Any, file_name: str) -> HttpResponse:
    response = sent_file(request, files, file_name)
    response["X-Robots-Tag"] = "noindex"  # a copy in an index outlives a retraction
    return response
