"""A release: what it contains, its files, reports and evaluations; retract it."""

from functools import partial
from typing import Any

from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from corpora import selectors, services
from corpora.core.bundle.layout import CROISSANT, MANIFEST
from corpora.models import Release
from corpora.selectors import release_files
from evaluation.exports.paper_kits import MEDIA_TYPE, kit_archive, kit_name
from evaluation.models import Leaderboard
from filtering.models import FilterRun
from frontend.forms import RetractionForm
from frontend.http import PageRequest, curators_only, sent_file
from frontend.metadata import json_ld, sent_metadata
from frontend.releases.copies import ErratumForm, PlaceForm
from frontend.releases.reads import (
    fresh_models,
    left_out,
    origin_sentences,
    shown_files,
    split_rows,
)
from frontend.runs.reads import run_row
from frontend.runs.views import started
from frontend.shell.proposals import waiting
from publishing.core.places import HUB
from publishing.selectors import finished_copies
from winoplatform import clock
from winoplatform.errors import NotFound

RELEASES = Release.objects.select_related("snapshot__campaign", "selection", "previous")


def _visible(request: HttpRequest, name: str) -> Release | None:
    """Return the release that has the name, if the visitor may see it."""
    return RELEASES.visible_to(request.user).named(name)


def _refuse(request: HttpRequest, sentence: str) -> HttpResponse:
    """Ask strangers to sign in, whether there is such a release or not."""
    if request.user.is_authenticated:
        raise Http404(sentence)
    return redirect_to_login(request.get_full_path())


@require_safe
def release(request: HttpRequest, name: str) -> HttpResponse:
    """Show a release: to curators with its run, else what is published; public ones to everyone."""
    visible_release = _visible(request, name)
    if visible_release is None:
        return _refuse(request, _("There is no such release."))
    return _page(request, visible_release, RetractionForm())


def _page(
    request: HttpRequest, visible_release: Release, form: RetractionForm, status: int = 200
) -> HttpResponse:
    user = request.user
    files = list(release_files(visible_release, user=user))  # type: ignore[arg-type]
    context: dict[str, Any] = {
        "release": visible_release,
        "campaign": visible_release.snapshot.campaign,
        "files": shown_files(visible_release, files),
        "has_metadata": any(file.name == CROISSANT for file in files),
        "archive": next((file for file in files if file.name.endswith(".zip")), None),
        "reports": visible_release.reports.select_related("artifact"),
        "copies": finished_copies(visible_release),
        "errata": visible_release.errata.all(),
        "board": Leaderboard.objects.filter(campaign=visible_release.snapshot.campaign_id).exists(),
    }
    if any(file.name == MANIFEST for file in files):
        facts = selectors.read_manifest(visible_release)
        context |= {
            "facts": facts,
            "splits": split_rows(facts),
            "left_out": left_out(facts),
            "made": origin_sentences(facts),
            "fresh": fresh_models(facts),
        }
    if visible_release.is_of_member(user):
        context |= {
            "is_member": True,
            "run": FilterRun.objects.filter(selection=visible_release.selection).first(),
            "row": run_row(visible_release, clock.now()),
            "evaluations": visible_release.evaluations.order_by("pk"),
            "form": form,
            "erratum_form": ErratumForm(),
            "place_form": PlaceForm(initial={"target": HUB}),
            "waiting": waiting(user, release=visible_release.public_id),
        }
    return render(request, "frontend/releases/release.html", context, status=status)


@curators_only("POST")
def retract_release(request: PageRequest, name: str) -> HttpResponse:
    """Retract a release, with a reason that stays visible."""
    visible_release = RELEASES.filter(Release.of_member(request.user)).named(name)
    if visible_release is None:
        raise Http404(_("There is no such release."))
    form = RetractionForm(request.POST)
    if (
        started(form, partial(services.retract_release, release=visible_release, by=request.user))
        is None
    ):
        return _page(request, visible_release, form, status=400)
    return redirect("release", name)


@require_safe
def release_file(request: HttpRequest, name: str, file_name: str) -> HttpResponse:
    """Send one file of a release, as stored."""
    visible_release = _visible(request, name)
    if visible_release is None:
        return _refuse(request, _("There is no such release."))
    files = release_files(visible_release, user=request.user)  # type: ignore[arg-type]
    return sent_file(request, files, file_name)


@require_safe
def release_metadata(request: HttpRequest, name: str) -> HttpResponse:
    """Send the Croissant description of a release, with the addresses of its files."""
    visible_release = _visible(request, name)
    if visible_release is None:
        return _refuse(request, _("There is no such release."))
    return sent_metadata(json_ld(request, visible_release, page="release"))


@require_safe
def release_report(request: HttpRequest, name: str, file_name: str) -> HttpResponse:
    """Send a report that was attached to a release."""
    visible_release = _visible(request, name)
    if visible_release is None:
        return _refuse(request, _("There is no such release."))
    return sent_file(request, visible_release.reports.select_related("artifact"), file_name)


@require_safe
def release_paper_kit(request: HttpRequest, name: str) -> HttpResponse:
    """Send what a paper about a release needs, made from its public files."""
    visible_release = _visible(request, name)
    if visible_release is None:
        return _refuse(request, _("There is no such release."))
    try:
        kit = kit_archive(visible_release, user=request.user)  # type: ignore[arg-type]
    except NotFound as refusal:
        raise Http404(_("The release has no paper kit.")) from refusal
    response = HttpResponse(kit, content_type=MEDIA_TYPE)
    response["Content-Disposition"] = f'attachment; filename="{kit_name(visible_release)}.zip"'
    return response
