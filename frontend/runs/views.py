"""Runs of every kind: list them, start, cancel, resume, name, star and delete them."""

import uuid
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, TypeVar

from django import forms
from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as later

from collection.models import Campaign
from frontend.http import REFUSALS, PageRequest, curators_only, refusal_of, show
from frontend.runs.operation import operation_rows
from frontend.runs.reads import find_run, jobs, listed_kinds, workers_state
from validation.selectors.operation import operation_state
from winoplatform import clock
from winoplatform.errors import DomainError
from winoplatform.runs.attempts import request_cancel
from winoplatform.runs.keeping import annotate, delete_run
from winoplatform.runs.models import Run, RunStatus
from winoplatform.runs.start import resume
from workers.models import User


class JobsForm(forms.Form):
    """Which runs the list of jobs shows; an invalid value shows all."""

    state = forms.ChoiceField(
        label=later("State"),
        required=False,
        choices=[("", later("Any")), ("open", later("Waiting or running")), *RunStatus.choices[2:]],
    )
    kind = forms.ChoiceField(label=later("Kind"), required=False)
    campaign = forms.ModelChoiceField(
        Campaign.objects.none(),
        label=later("Campaign"),
        required=False,
        to_field_name="slug",
        empty_label=later("Any"),
    )
    kept = forms.ChoiceField(
        label=later("List"),
        required=False,
        choices=[
            ("", later("All but archived")),
            ("starred", later("Starred")),
            ("archived", later("Archived")),
        ],
    )
    sort = forms.ChoiceField(
        label=later("Order"),
        required=False,
        choices=[
            ("", later("Newest first")),
            ("oldest", later("Oldest first")),
            ("name", later("By name")),
            ("state", later("By state")),
            ("kind", later("By kind")),
            ("by", later("By person")),
            ("starred", later("Starred first")),
        ],
    )

    def __init__(self, *args: Any, user: User, **options: Any) -> None:
        super().__init__(*args, **options)
        campaigns: Any = self.fields["campaign"]
        campaigns.queryset = Campaign.objects.visible_to(user)
        kinds = {str(model._meta.model_name): model._meta.verbose_name for model in listed_kinds()}
        choices = sorted(kinds.items(), key=lambda kind: str(kind[1]))
        self.fields["kind"].choices = [("", later("Any")), *choices]  # type: ignore[attr-defined]

    def filters(self) -> dict[str, Any]:
        """Return the valid values that were chosen."""
        if not self.is_bound:
            return {}
        self.is_valid()
        return {name: value for name, value in self.cleaned_data.items() if value}


class KeepForm(forms.Form):
    """One change of a run as a row: its name, its star, or whether it is archived."""

    caption = forms.CharField(max_length=100, required=False)
    is_starred = forms.NullBooleanField(required=False)
    is_archived = forms.NullBooleanField(required=False)

    def changes(self) -> dict[str, Any]:
        """Return the fields that were sent."""
        return {name: self.cleaned_data[name] for name in self.fields if name in self.data}


R = TypeVar("R")


def started(
    form: forms.BaseForm, start: Callable[..., R], *, refused_at: Mapping[str, str] | None = None
) -> R | None:
    """Start the run of the form; return None if the form has errors.

    *refused_at* maps codes of refusals to fields; other refusals are shown above all fields.
    """
    if not form.is_valid():
        return None
    try:
        return start(**form.cleaned_data)
    except REFUSALS as error:
        refusal = refusal_of(error)
        form.add_error((refused_at or {}).get(refusal.code), refusal.message)
        return None


def changed(
    request: PageRequest, change: Callable[[], object], said: str = "", *, at: str = "jobs"
) -> HttpResponse:
    """Make a change, say so or why not, and lead back to the page of the form, or else *at*."""
    try:
        change()
    except REFUSALS as error:
        messages.error(request, refusal_of(error).message)
    else:
        if said:
            messages.success(request, said)
    back = request.POST.get("back", "")
    if not url_has_allowed_host_and_scheme(back, allowed_hosts={request.get_host()}):
        back = at
    return redirect(back)


@curators_only("POST")
def cancel_run(request: PageRequest, kind: str, public_id: uuid.UUID) -> HttpResponse:
    """Cancel a run and return to the previous page."""
    return changed(
        request, partial(request_cancel, find_run(request.user, kind, public_id)), at="home"
    )


@curators_only("POST")
def resume_run(request: PageRequest, kind: str, public_id: uuid.UUID) -> HttpResponse:
    """Resume a failed or cancelled run and return to the previous page."""
    return changed(request, partial(resume, find_run(request.user, kind, public_id)), at="home")


@curators_only("POST")
def keep_run(request: PageRequest, kind: str, public_id: uuid.UUID) -> HttpResponse:
    """Name, star or archive a run."""
    run, form = find_run(request.user, kind, public_id), KeepForm(request.POST)

    def keep() -> None:
        if not form.is_valid():
            raise DomainError("invalid", _("A name has at most 100 characters."))
        annotate(run, **form.changes())

    return changed(request, keep, _saved(form, run))


def _saved(form: KeepForm, run: Run) -> str:
    """Say what a change of a run as a row saved; the buttons of a star send the name as well."""
    changes = form.changes() if form.is_valid() else {}
    caption = " ".join(changes.get("caption", run.caption).split())
    said = []
    if caption != run.caption:
        name = {"name": caption}
        said.append(_("The name is saved: %(name)s.") % name if caption else _("No name now."))
    if (is_starred := changes.get("is_starred")) is not None:
        said.append(_("The run is starred.") if is_starred else _("The star is removed."))
    if (is_archived := changes.get("is_archived")) is not None:
        said.append(_("The run is archived.") if is_archived else _("The run is restored."))
    return " ".join(said)


@curators_only("POST")
def remove_run(request: PageRequest, kind: str, public_id: uuid.UUID) -> HttpResponse:
    """Delete a run on which nothing depends."""
    delete = partial(delete_run, find_run(request.user, kind, public_id))
    return changed(request, delete, _("The run is deleted."))


LISTED = 30


@curators_only()
def job_list(request: PageRequest) -> HttpResponse:
    """List the runs of every kind, newest first."""
    form = JobsForm(request.GET or None, user=request.user)
    number = request.GET.get("page", "")
    page = jobs(request.user, form.filters(), number, size=LISTED, now=clock.now())
    context = {
        "form": form,
        "page": page,
        "workers": workers_state(),
        "is_open": any(not row.run.has_ended for row in page.rows),
    }
    if request.user.role == User.Role.ADMIN and not request.htmx:
        context["operation"] = operation_rows(operation_state())
    return show(request, "frontend/runs/jobs.html", context, part="jobs")
