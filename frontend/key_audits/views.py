"""Pages of audits of keys."""

import uuid
from functools import partial
from typing import Any

from django import forms
from django.http import Http404, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from corpora.models import Release
from evaluation import services
from evaluation.core.key_model import FEWEST_SYSTEMS
from evaluation.models import KeyAudit, KeyPanel
from evaluation.selectors.key_audits import n_auditable
from frontend.http import PageRequest, curators_only, existing, show
from frontend.key_audits.reads import audit_page, audits, key_page, listed_audits, map_of
from frontend.key_audits.words import about_set
from frontend.lookups import find_set, find_snapshot
from frontend.paging import page_of
from frontend.runs.reads import run_row, shown_run
from frontend.runs.views import started
from winoplatform import clock
from winoplatform.described import form_field
from winoplatform.ids import as_uuid
from workers.models import AuditEvent, User
from workers.services.audit import hands_out

EARLIER = 10


class KeyAuditForm(forms.Form):
    seed = form_field(KeyAudit, "seed")


@curators_only("GET", "POST")
def key_audits(request: PageRequest, kind: str, name: str, split: str) -> HttpResponse:
    """Start an audit of the keys of a split of a set, and list earlier ones."""
    data = _set_named(request.user, kind, name) | {"split": split}
    draft = KeyAudit(**data)
    form = KeyAuditForm(request.POST if request.method == "POST" else None)
    if request.method == "POST":
        made = started(form, partial(services.audit_keys, **data, by=request.user))
        if made is not None:
            return redirect("key-audit", made.public_id)
    rows = listed_audits(request.user).filter(**data)
    page = page_of(rows, request, parameter="audits", size=EARLIER)
    now = clock.now()
    context = {
        "form": form,
        **about_set(draft),
        "split": split,
        "n_systems": n_auditable(draft, request.user),
        "fewest": FEWEST_SYSTEMS,
        "page": page,
        "rows": [run_row(run, now) for run in page.rows],
    }
    status = 400 if request.method == "POST" else 200
    return render(request, "frontend/key_audits/key_audits.html", context, status=status)


def _set_named(user: User, kind: str, name: str) -> dict[str, Any]:
    if kind == "reference-set":
        return {"reference_set": find_set(user, name)}
    if kind == "snapshot" and (public_id := as_uuid(name)):
        return {"snapshot": find_snapshot(user, public_id)}
    if kind != "release":
        raise Http404(_("There is no such set."))
    rows = Release.objects.live().filter(Release.of_member(user))
    return {"release": existing(rows, _("There is no such release."), name=name)}


@curators_only()
def key_audit(request: PageRequest, public_id: uuid.UUID) -> HttpResponse:
    """Show an audit: its verdict first, the map and the suspects; it polls while it is open."""
    run = _audit_of(request, public_id)
    if run.result is not None:
        hands_out(request, AuditEvent.Kind.LABELS)
    context = {
        **shown_run(request, run),
        **about_set(run),
        "found": audit_page(run, request.user),
        "panels": KeyPanel.objects.visible_to(request.user)
        .filter(audit=run)
        .select_related("panel"),
    }
    return show(request, "frontend/key_audits/key_audit.html", context, part="live")


@curators_only()
def key_map(request: PageRequest, public_id: uuid.UUID) -> HttpResponse:
    """Send the map of all questions; apart from the page, which is read without it."""
    run = _audit_of(request, public_id)
    hands_out(request, AuditEvent.Kind.LABELS)
    return JsonResponse(map_of(run).as_json())


@curators_only()
def audited_key(request: PageRequest, public_id: uuid.UUID, number: int) -> HttpResponse:
    """Show what an audit says of one key, and its curve with the systems."""
    run = _audit_of(request, public_id)
    key = existing(run.keys.all(), _("There is no such question."), number=number)
    hands_out(request, AuditEvent.Kind.LABELS)
    context = {"run": run, **about_set(run), "found": key_page(run, key, request.user)}
    return render(request, "frontend/key_audits/audited_key.html", context)


def _audit_of(request: PageRequest, public_id: uuid.UUID) -> KeyAudit:
    return existing(audits(request.user), _("There is no such audit."), public_id=public_id)
