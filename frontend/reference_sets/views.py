"""Reference sets: list, import, items, evaluations; show, hide and delete."""

from typing import Any

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.csrf import csrf_exempt, csrf_protect

from corpora import services
from corpora.models import ReferenceSet
from frontend.http import PageRequest, curators_only, show, signed_in
from frontend.lookups import find_set, with_splits
from frontend.paging import page_of
from frontend.reference_sets.forms import ImportForm, VisibilityForm
from frontend.reference_sets.items import chosen_split, item_page
from frontend.reference_sets.reads import evaluated_split, matching, set_rows
from frontend.shell.evaluations import evaluation_rows, evaluation_table
from winoplatform.errors import DomainError
from winoplatform.http.bodies import UPLOADED_BYTES, SkipLarge, accept_files
from workers.models import AuditEvent
from workers.services.audit import audits

SETS, LEFT_OUT = 30, 10


@signed_in()
def reference_sets(request: PageRequest) -> HttpResponse:
    """List the sets that the user may see, newest first; ``?q`` searches names and titles."""
    query = request.GET.get("q", "").strip()[:200].replace("\x00", "")
    rows = matching(with_splits(request.user), query)
    page = page_of(rows, request, parameter="sets", size=SETS)
    context = {"page": page, "rows": set_rows(page.rows), "query": query}
    return render(request, "frontend/reference_sets/reference_sets.html", context)


@csrf_exempt  # `_import` checks the token, after it is known who may send files
@curators_only("GET", "POST")
def new_reference_set(request: PageRequest) -> HttpResponse:
    """Import a reference set from uploaded files."""
    return _import(request, accept_files(request))


@csrf_protect
def _import(request: PageRequest, limit: SkipLarge) -> HttpResponse:
    is_sent = request.method == "POST"
    sent = (request.POST, request.FILES) if is_sent else (None, None)
    form = ImportForm(*sent, too_large=limit.skipped)
    if is_sent and form.is_valid():
        made = _imported(request, form)
        if made is not None:
            messages.success(request, _("The reference set was imported. Only curators see it."))
            return redirect("reference-set", made.name)
    context = {"form": form, "upload_megabytes": UPLOADED_BYTES >> 20}
    status = 400 if is_sent else 200
    template = "frontend/reference_sets/reference_set_form.html"
    return render(request, template, context, status=status)


def _imported(request: PageRequest, form: ImportForm) -> ReferenceSet | None:
    left_out: list[str] = []
    try:
        made = services.import_reference_set(
            by=request.user, left_out=left_out.append, **form.question()
        )
        for sentence in left_out[:LEFT_OUT]:
            messages.info(request, sentence)
        for split in made.splits.all():
            if split.warning:
                messages.warning(request, split.warning)
        return made
    except ValidationError as error:
        form.add_error(None, error)
    except DomainError as refusal:
        form.refuse(refusal)
    return None


@audits(AuditEvent.Kind.LABELS)
@signed_in()
def reference_set(request: PageRequest, name: str) -> HttpResponse:
    """Show a set: its splits and items and, to curators, its evaluations."""
    return _page(request, find_set(request.user, name))


def _page(
    request: PageRequest,
    found: ReferenceSet,
    *,
    refusal: DomainError | None = None,
    status: int = 200,
) -> HttpResponse:
    context: dict[str, Any] = {"reference_set": found, "refusal": refusal}
    if request.user.is_curator:
        context |= evaluation_table(
            evaluation_rows(request.user).filter(reference_set=found), request
        )
        context["evaluated_split"] = evaluated_split(found)
    if not request.htmx:  # the poll updates only the evaluations
        split = chosen_split(found, request.GET.get("split", ""))
        context["items"] = item_page(split, request.GET.get("page", ""))
    template = "frontend/reference_sets/reference_set.html"
    return show(request, template, context, part="evaluations", status=status)


@curators_only("POST")
def change_reference_set(request: PageRequest, name: str) -> HttpResponse:
    """Show a set to all signed-in users, or only to curators."""
    found = find_set(request.user, name)
    form = VisibilityForm(request.POST)
    if not form.is_valid():
        return _page(request, found, status=400)
    try:
        services.change_reference_set(reference_set=found, **form.cleaned_data)
    except DomainError as refusal:
        return _page(request, found, refusal=refusal, status=refusal.status)
    said = _("All signed-in users can see it now.") if found.is_public else _("It is hidden now.")
    messages.success(request, said)
    return redirect("reference-set", name)


@curators_only("POST")
def delete_reference_set(request: PageRequest, name: str) -> HttpResponse:
    """Delete a set, unless an evaluation refers to it."""
    found = find_set(request.user, name)
    try:
        services.delete_reference_set(reference_set=found)
    except DomainError as refusal:
        return _page(request, find_set(request.user, name), refusal=refusal, status=refusal.status)
    messages.success(request, _("The reference set “%s” was deleted.") % found.title)
    return redirect("reference-sets")
