"""The papers' tables with the figures measured here: read, download, attach to a release."""

from django import forms
from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as later

from corpora.models import Release
from evaluation.core.published_tables import TABLES, WRITERS
from evaluation.selectors.paper_tables import paper_table as table_for
from evaluation.services import attach_paper_table
from frontend.http import REFUSALS, PageRequest, curators_only, refusal_of, show, signed_in
from winoplatform.http.rights import reader
from winoplatform.runs.models import RunStatus


class AttachForm(forms.Form):
    """A release, and the form of the file to attach to it."""

    release = forms.ModelChoiceField(label=later("Release"), queryset=Release.objects.none())
    ending = forms.ChoiceField(
        label=later("Form"), choices=[("csv", "CSV"), ("tex", "LaTeX")], required=True
    )

    def __init__(self, data: object = None) -> None:
        super().__init__(data)  # type: ignore[arg-type]
        done = Release.objects.filter(Release.of_member(reader()), status=RunStatus.DONE)
        self.fields["release"].queryset = done.order_by("-pk")  # type: ignore[attr-defined]


@signed_in()
def paper_tables(request: PageRequest) -> HttpResponse:
    """List the papers' tables."""
    context = {"tables": TABLES.values()}
    return show(request, "frontend/fine_tunings/paper_tables.html", context, part="main")


@signed_in()
def paper_table(request: PageRequest, name: str) -> HttpResponse:
    """Show a table: published figures, and those measured here beside them."""
    return _page(request, _table_name(name), AttachForm())


@signed_in()
def paper_table_file(request: PageRequest, name: str, ending: str) -> HttpResponse:
    """Download a table."""
    _table_name(name)
    if ending not in WRITERS:
        raise Http404(_("There is no such file."))
    write, media_type = WRITERS[ending]
    response = HttpResponse(write(table_for(request.user, name)), content_type=media_type)
    response["Content-Disposition"] = f'attachment; filename="{name}.{ending}"'
    return response


@curators_only("POST")
def attach(request: PageRequest, name: str) -> HttpResponse:
    """Attach a table to a release, beside its bundle, with its hash; without blind tests."""
    _table_name(name)
    form = AttachForm(request.POST)
    if not form.is_valid():
        return _page(request, name, form, status=400)
    ending, release = form.cleaned_data["ending"], form.cleaned_data["release"]
    try:
        report = attach_paper_table(release=release, table=name, ending=ending, by=request.user)
    except REFUSALS as error:
        form.add_error(None, refusal_of(error).message)
        return _page(request, name, form, status=409)
    message = _("%(name)s was attached to %(release)s (SHA-256 %(hash)s).")
    about = {"name": report.name, "release": release.name, "hash": report.artifact.sha256}
    messages.success(request, message % about)
    return redirect("paper-table", name)


def _page(request: PageRequest, name: str, form: AttachForm, *, status: int = 200) -> HttpResponse:
    filled = table_for(request.user, name)
    context = {"filled": filled, "form": form if request.user.is_curator else None}
    return show(
        request, "frontend/fine_tunings/paper_table.html", context, part="main", status=status
    )


def _table_name(name: str) -> str:
    if name not in TABLES:
        raise Http404(_("There is no such table."))
    return name
