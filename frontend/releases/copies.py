"""Copies of a release outside: what would be sent, how it goes, and where it stands."""

import uuid
from dataclasses import dataclass
from functools import partial
from typing import Any

from django import forms
from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as later

from corpora import services as releases
from corpora.models import Release
from frontend.forms import exact_text
from frontend.http import REFUSALS, PageRequest, curators_only, refusal_of
from frontend.runs.reads import RunRow, run_row
from frontend.runs.views import changed
from publishing import selectors, services
from publishing.core.places import HUB, ZENODO
from publishing.models import Publication
from winoplatform import clock
from winoplatform.errors import DomainError

MOST_ROWS = 50
"""Newest publications that the page lists."""


class PlaceForm(forms.Form):
    """Where a copy is sent."""

    target = forms.ChoiceField(
        label=later("Send to"),
        choices=[(HUB, later("Hugging Face Hub")), (ZENODO, later("Zenodo"))],
    )
    repository = forms.CharField(
        label=later("Repository"),
        max_length=193,
        required=False,
        widget=exact_text(),
        help_text=later("On the Hub: organisation/name. It is made if there is none."),
    )

    def to(self) -> str:
        """Return the place as services name it."""
        target, repository = self.cleaned_data["target"], self.cleaned_data["repository"]
        return ZENODO if target == ZENODO else f"{HUB}:{repository}"


class ErratumForm(forms.Form):
    client_key = forms.UUIDField(widget=forms.HiddenInput, initial=uuid.uuid4)
    text = forms.CharField(
        label=later("Erratum"),
        max_length=1000,
        widget=forms.Textarea(attrs={"rows": 2}),
        help_text=later(
            "What is wrong, and what is right. It stays, and is sent to each copy. Copies that do "
            "not tell it yet are marked in the list of copies."
        ),
    )


@curators_only("POST")
def add_erratum(request: PageRequest, name: str) -> HttpResponse:
    """Add an erratum to a release, and lead back to its page."""
    release, form = _own(request, name), ErratumForm(request.POST)

    def add() -> None:
        if "client_key" in form.errors:
            raise DomainError("invalid", _("This form was not complete. Load the page again."))
        if "text" in form.errors:
            raise DomainError("invalid", str(form.errors["text"][0]))
        data = form.cleaned_data
        releases.add_erratum(
            release=release, text=data["text"], key=data["client_key"], by=request.user
        )

    return changed(request, add, at=reverse("release", args=[name]))


@curators_only("GET", "POST")
def publish_release(request: PageRequest, name: str) -> HttpResponse:
    """Show what a copy would have, and send it."""
    release = _own(request, name)
    asked = request.POST if request.method == "POST" else request.GET
    form = PlaceForm(asked if "target" in asked else None)
    if request.method == "POST" and form.is_valid():
        send = partial(services.publish_release, release=release, to=form.to(), by=request.user)
        return changed(request, send, at=f"{request.path}?{urlencode(form.cleaned_data)}")
    context = {"release": release, "campaign": release.snapshot.campaign, "form": form}
    rows = publication_rows(release)
    context |= {
        "rows": rows[:MOST_ROWS],
        "has_more": len(rows) > MOST_ROWS,
        "is_open": any(not row.run.has_ended for row in rows),
        "plan": _plan(release, form),
        "unpublishable": unpublishable(release),
    }
    status = 400 if request.method == "POST" else 200
    return render(request, "frontend/releases/publish.html", context, status=status)


def _own(request: PageRequest, name: str) -> Release:
    rows = Release.objects.select_related("snapshot__campaign")
    release = rows.filter(Release.of_member(request.user)).named(name)
    if release is None:
        raise Http404(_("There is no such release."))
    return release


def _plan(release: Release, form: PlaceForm) -> Any:
    """Return what would be sent; a refusal is shown above the fields."""
    if not (form.is_bound and form.is_valid()):
        return None
    try:
        return services.plan_publication(release=release, to=form.to())
    except REFUSALS as error:
        form.add_error(None, refusal_of(error).message)
        return None


def unpublishable(release: Release) -> str:
    """Return why a release can be sent to no place at all; empty if it can."""
    try:
        selectors.refuse_everywhere(release)
    except DomainError as refusal:
        return refusal.message
    return ""


def publication_rows(release: Release) -> list[RunRow]:
    """Return the newest publications of a release, at most one more than `MOST_ROWS`."""
    now = clock.now()
    runs = release.publications.select_related("release", "created_by")
    return [run_row(run, now) for run in runs[: MOST_ROWS + 1]]


@dataclass(frozen=True, slots=True)
class CopyRow:
    """A copy, and the release that has yet to be sent there, with the notices that it lacks."""

    copy: Publication
    lacking: Release | None = None

    @property
    def query(self) -> str:
        """The copy's place, as the page of copies asks for it."""
        place = self.copy.place
        return urlencode({"target": place.target, "repository": place.repository})


def copy_rows(release: Release, *, is_member: bool) -> list[CopyRow]:
    """Return where copies of a release stand; members see private ones and missing notices too."""
    copies = selectors.finished_copies(release)
    if not is_member:
        return [CopyRow(copy) for copy in copies if copy.visibility == "public"]
    return [CopyRow(copy, _lacking(copy)) for copy in copies]


def _lacking(copy: Publication) -> Release | None:
    current = selectors.newest_at(copy.release, copy.place)
    if current is None or not selectors.untold(current, copy.place):
        return None
    return current.release
