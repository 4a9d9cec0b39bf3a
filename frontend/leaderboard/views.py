"""The leaderboard of a release: scores on its blind test, and a form for predictions."""

from typing import Any

from django import forms
from django.contrib import messages
from django.db.models import QuerySet
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as later
from django.views.decorators.csrf import csrf_exempt, csrf_protect
from rest_framework.permissions import SAFE_METHODS

from corpora.models import Release
from evaluation import selectors, services
from evaluation.core import leaderboard as core
from evaluation.models import Leaderboard, Submission
from frontend.http import (
    REFUSALS,
    PageRequest,
    answered,
    curators_only,
    existing,
    refusal_of,
    signed_in,
)
from winoplatform import clock
from winoplatform.described import form_field
from winoplatform.http.bodies import UPLOADED_BYTES, SkipLarge, accept_files
from winoplatform.runs.models import RunStatus


class SubmissionForm(forms.Form):
    """A file of predictions, and what is shown beside its scores."""

    file = forms.FileField(
        label=later("Predictions"),
        help_text=later(
            "1 or 2 for each question, in the order of test.jsonl: one per line, or WinoGrande’s "
            "five columns. JSONL and CSV name the question by qID."
        ),
    )
    system = form_field(Submission, "system")
    link = form_field(Submission, "link", assume_scheme="https")

    def __init__(self, *args: Any, too_large: list[str] | None = None, **options: Any) -> None:
        super().__init__(*args, **options)
        self.too_large = too_large or []

    def clean(self) -> dict[str, Any] | None:
        """Say that a file was too large, instead of that it is missing."""
        if "file" in self.too_large:
            self.errors.pop("file", None)
            self.add_error("file", later("The file is too large."))
        return self.cleaned_data


class LeaderboardForm(forms.Form):
    """How many submissions a year accepts, and whether it accepts any."""

    per_year = form_field(Leaderboard, "per_year", label=later("Submissions a year"))
    is_open = forms.BooleanField(label=later("Accept submissions"), required=False, initial=True)


REFUSED_AT = {"predictions_unreadable": "file", "no_sizes": "file"}


@csrf_exempt  # `_page` checks the token, after it is known who may send files
def leaderboard(request: PageRequest, name: str) -> HttpResponse:
    """Show the submissions for a release, of a public one to everyone, and accept one."""
    if not request.user.is_authenticated and request.method in SAFE_METHODS:
        release = _visible(request).filter(name=name).first()
        if release is not None:
            return answered(request, lambda: _show(request, release, None, status=200))
    return _own_leaderboard(request, name)


@signed_in("GET", "POST")
def _own_leaderboard(request: PageRequest, name: str) -> HttpResponse:
    return _page(request, _release(request, name), accept_files(request))


@csrf_protect
def _page(request: PageRequest, release: Release, limit: SkipLarge) -> HttpResponse:
    is_sent = request.method == "POST"
    sent = (request.POST, request.FILES) if is_sent else (None, None)
    form = SubmissionForm(*sent, too_large=limit.skipped)
    if is_sent and form.is_valid() and _submitted(request, release, form):
        return redirect("leaderboard", release.name)
    return _show(request, release, form, status=400 if is_sent else 200)


def _submitted(request: PageRequest, release: Release, form: SubmissionForm) -> bool:
    file = form.cleaned_data["file"]
    try:
        made = services.submit(
            release=release, by=request.user, file_name=file.name, **form.cleaned_data
        )
    except REFUSALS as error:
        refusal = refusal_of(error)
        form.add_error(REFUSED_AT.get(refusal.code), refusal.message)
        return False
    message = _("“%(system)s” was scored: accuracy %(accuracy).1f%%.")
    messages.success(request, message % {"system": made.system, "accuracy": 100 * made.accuracy})
    return True


@curators_only("POST")
def change_leaderboard(request: PageRequest, name: str) -> HttpResponse:
    """Open the leaderboard of a release's campaign, change what it accepts, or close it."""
    release = _release(request, name)
    if not release.is_of_member(request.user):
        raise Http404(_("There is no such release."))
    settings = LeaderboardForm(request.POST)
    if not settings.is_valid():
        return _show(request, release, SubmissionForm(), settings=settings, status=400)
    campaign, wanted = release.snapshot.campaign, settings.cleaned_data
    if wanted["is_open"] and (warning := services.too_small(release, per_year=wanted["per_year"])):
        settings.add_error("per_year", warning)
        return _show(request, release, SubmissionForm(), settings=settings, status=409)
    board = services.open_leaderboard(campaign=campaign, per_year=wanted["per_year"])
    if not wanted["is_open"]:
        services.close_leaderboard(leaderboard=board)
    return redirect("leaderboard", release.name)


def _release(request: PageRequest, name: str) -> Release:
    return existing(_visible(request), _("There is no such release."), name=name)


def _visible(request: PageRequest) -> "QuerySet[Release]":
    releases = Release.objects.visible_to(request.user).filter(status=RunStatus.DONE)
    return releases.select_related("snapshot__campaign")


def _show(
    request: PageRequest,
    release: Release,
    form: SubmissionForm | None,
    *,
    settings: LeaderboardForm | None = None,
    status: int,
) -> HttpResponse:
    board = Leaderboard.objects.filter(campaign=release.snapshot.campaign_id).first()
    context: dict[str, Any] = {
        "release": release,
        "board": board,
        "form": form,
        "upload_megabytes": UPLOADED_BYTES >> 20,
        "share": core.SHARE,
    }
    if board is not None:
        now = clock.now()
        context["rows"] = selectors.ranked(release)
        if form is not None:
            context["remaining"] = selectors.remaining(board, user=request.user, now=now)
        context["noise"] = selectors.noise_of(board, release)
        context["refused"] = services.why_refused(release) if board.is_open else ""
    if release.is_of_member(request.user):
        context["is_member"] = True
        initial = {"per_year": board.per_year, "is_open": board.is_open} if board else None
        context["settings"] = settings or LeaderboardForm(initial=initial)
        # The fewest that can be accepted: with one a year the test may be twelve times smaller.
        context["never"] = services.too_small(release, per_year=1)
        context["needs"] = services.too_small(release)
    return render(request, "frontend/leaderboard/leaderboard.html", context, status=status)
