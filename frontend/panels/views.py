"""Curators' pages: request a human evaluation, see its progress and results."""

import uuid
from typing import Any

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from collection.services.campaigns import budget
from evaluation.models import KeyPanel
from frontend.http import REFUSALS, PageRequest, curators_only, existing, refusal_of
from frontend.paging import page_of
from frontend.panels.forms import NewForm, StatusForm
from frontend.panels.reads import name_of
from panels import selectors, services
from panels.adapters import adapter_of
from panels.exports import votes_csv
from panels.models import Enrolment, Panel
from winoplatform.errors import DomainError
from workers.models import AuditEvent, User
from workers.services.audit import audits

DISPUTED = 100
PAGE = 25


@curators_only()
def human_evaluations(request: PageRequest) -> HttpResponse:
    """List the human evaluations, newest first."""
    rows = Panel.objects.visible_to(request.user).select_related(
        "campaign", "release", "snapshot", "reference_set"
    )
    page = page_of(selectors.with_counts(rows), request, parameter="before", size=PAGE)
    context = {"page": page, "rows": [(row, name_of(row)) for row in page.rows]}
    return render(request, "frontend/panels/list.html", context)


@curators_only("GET", "POST")
def new(request: PageRequest) -> HttpResponse:
    """Show the form; POST shows what it costs, and with ``start`` starts it."""
    form = NewForm(request.POST if request.method == "POST" else None)
    context: dict[str, Any] = {"form": form}
    status = 200
    if form.is_bound and not form.is_valid():
        status = 400
    elif form.is_bound:
        try:
            if "start" in request.POST:
                made = services.start_human_evaluation(by=request.user, **form.arguments())
                return redirect("human-evaluation", made.public_id)
            context["plan"] = plan = _plan(request, form)
            context["left"] = budget.state(plan["panel"].campaign).left
        except REFUSALS as error:
            context["refusal"] = refusal_of(error)
            status = context["refusal"].status
    return render(request, "frontend/panels/new.html", context, status=status)


def _plan(request: PageRequest, form: NewForm) -> dict[str, Any]:
    """Return what would be asked and what it costs; nothing is stored."""
    made = services.planned(by=request.user, **form.arguments())
    items, _questions = services.items_and_questions(made)
    n_votes = len(items) * made.votes_per_item
    return {
        "panel": made,
        "n_items": len(items),
        "n_groups": len({item.group for item in items}),
        "n_votes": n_votes,
        "cost": n_votes * made.pay_of(0),
    }


def panel_of(user: User, public_id: uuid.UUID) -> Panel:
    rows = Panel.objects.visible_to(user).select_related(
        "campaign", "release", "snapshot", "reference_set", "created_by"
    )
    return existing(rows, _("There is no such evaluation."), public_id=public_id)


@curators_only()
def human_evaluation(request: PageRequest, public_id: uuid.UUID) -> HttpResponse:
    """Show progress and results of the items that have all their votes."""
    return render(
        request, "frontend/panels/result.html", _result(request, panel_of(request.user, public_id))
    )


def _result(request: PageRequest, panel: Panel) -> dict[str, Any]:
    items = selectors.panel_answers(panel)
    outvoted = sorted((item for item in items if item.is_outvoted), key=lambda item: item.right)
    progress = selectors.progress_of(panel)
    return {
        "panel": panel,
        "panel_name": name_of(panel),
        "words": adapter_of(panel),
        "is_of_keys": KeyPanel.objects.visible_to(request.user).filter(panel=panel).exists(),
        "campaign": panel.campaign,
        "enrolments": panel.enrolments.select_related("worker"),
        "progress": progress,
        **selectors.costs_of(panel),
        "left": budget.state(panel.campaign).left,
        "scores": selectors.scores_of(items) if items else None,
        "domains": selectors.scores_by_domain(items),
        "voters": selectors.voters_of(panel),
        "outvoted": outvoted[:DISPUTED],
        "n_outvoted": len(outvoted),
        "reported": selectors.reported_in(panel)[:DISPUTED],
    }


@curators_only("POST")
def change_status(request: PageRequest, public_id: uuid.UUID) -> HttpResponse:
    """Pause, reopen or close an evaluation."""
    panel = panel_of(request.user, public_id)
    form = StatusForm(request.POST)
    if not form.is_valid():
        refusal = refusal_of(ValidationError(_("Choose a status.")))
    else:
        try:
            status = form.cleaned_data["status"]
            services.change_panel_status(panel=panel, status=status)
            return redirect("human-evaluation", public_id)
        except DomainError as error:
            refusal = error
    context = _result(request, panel) | {"refusal": refusal}
    template = "frontend/panels/result.html"
    return render(request, template, context, status=refusal.status)


@curators_only("POST")
def end_enrolment(
    request: PageRequest, public_id: uuid.UUID, enrolment_id: uuid.UUID
) -> HttpResponse:
    """End an enrolment, so that another person may take its number."""
    rows = Enrolment.objects.filter(panel=panel_of(request.user, public_id))
    row = existing(rows, _("There is no such annotator."), public_id=enrolment_id)
    try:
        services.end_enrolment(enrolment=row)
    except REFUSALS as error:
        messages.warning(request, refusal_of(error).message)
    return redirect("human-evaluation", public_id)


@audits(AuditEvent.Kind.LABELS_FILE)
@curators_only()
def votes_file(request: PageRequest, public_id: uuid.UUID) -> HttpResponse:
    """Send every vote as CSV."""
    return votes_csv(panel_of(request.user, public_id))  # type: ignore[return-value]
