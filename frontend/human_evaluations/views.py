"""Curators' pages: request a human evaluation, see its progress and results."""

import uuid
from typing import Any

from django.core.exceptions import ValidationError
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from collection.services.campaigns import budget
from evaluation import selectors, services
from evaluation.exports.human_votes import human_votes_csv
from evaluation.models import HumanEvaluation
from frontend.http import REFUSALS, PageRequest, curators_only, existing, refusal_of
from frontend.human_evaluations.forms import NewForm, StatusForm
from frontend.paging import page_of
from winoplatform.errors import DomainError
from workers.models import AuditEvent
from workers.services.audit import audits

DISPUTED = 100
PAGE = 25


@curators_only()
def human_evaluations(request: PageRequest) -> HttpResponse:
    """List the human evaluations, newest first."""
    rows = HumanEvaluation.objects.select_related(
        "campaign", "release", "snapshot", "reference_set"
    )
    page = page_of(selectors.with_counts(rows), request, parameter="before", size=PAGE)
    return render(request, "frontend/human_evaluations/list.html", {"page": page})


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
                made = services.start_human_evaluation(by=request.user, **form.asked())
                return redirect("human-evaluation", made.public_id)
            context["plan"] = _plan(request, form)
        except REFUSALS as error:
            context["refusal"] = refusal_of(error)
            status = context["refusal"].status
    return render(request, "frontend/human_evaluations/new.html", context, status=status)


def _plan(request: PageRequest, form: NewForm) -> dict[str, Any]:
    """Return what would be asked and what it costs; nothing is stored."""
    made = services.planned(by=request.user, **form.asked())
    items, _questions = services.drawn(made)
    n_votes = len(items) * made.votes_per_item
    return {
        "evaluation": made,
        "n_items": len(items),
        "n_groups": len({item.group for item in items}),
        "n_votes": n_votes,
        "cost": n_votes * made.reward,
        "left": budget.state(made.campaign).left,
    }


def _found(public_id: uuid.UUID) -> HumanEvaluation:
    rows = HumanEvaluation.objects.select_related(
        "campaign", "release", "snapshot", "reference_set", "created_by"
    )
    return existing(rows, _("There is no such evaluation."), public_id=public_id)


@curators_only()
def human_evaluation(request: PageRequest, public_id: uuid.UUID) -> HttpResponse:
    """Show progress and results of the items that have all their votes."""
    evaluation = _found(public_id)
    return render(request, "frontend/human_evaluations/result.html", _result(evaluation))


def _result(evaluation: HumanEvaluation) -> dict[str, Any]:
    items = selectors.human_answers(evaluation)
    outvoted = sorted((one for one in items if one.is_outvoted), key=lambda one: one.right)
    progress = selectors.progress_of(evaluation)
    return {
        "evaluation": evaluation,
        "campaign": evaluation.campaign,
        "progress": progress,
        "cost": (progress.n_wanted + progress.n_unused) * evaluation.reward,
        "spent": (progress.n_votes + progress.n_unused) * evaluation.reward,
        "scores": selectors.scores_of(items) if items else None,
        "domains": selectors.scores_by_domain(items),
        "voters": selectors.voters_of(evaluation),
        "outvoted": outvoted[:DISPUTED],
        "n_outvoted": len(outvoted),
    }


@curators_only("POST")
def change_status(request: PageRequest, public_id: uuid.UUID) -> HttpResponse:
    """Pause, reopen or close an evaluation."""
    evaluation = _found(public_id)
    form = StatusForm(request.POST)
    if not form.is_valid():
        refusal = refusal_of(ValidationError(_("Choose a status.")))
    else:
        try:
            status = form.cleaned_data["status"]
            services.change_human_status(evaluation=evaluation, status=status)
            return redirect("human-evaluation", public_id)
        except DomainError as error:
            refusal = error
    context = _result(evaluation) | {"refusal": refusal}
    template = "frontend/human_evaluations/result.html"
    return render(request, template, context, status=refusal.status)


@audits(AuditEvent.Kind.LABELS_FILE)
@curators_only()
def votes_file(request: PageRequest, public_id: uuid.UUID) -> HttpResponse:
    """Send every vote as CSV."""
    return human_votes_csv(_found(public_id))  # type: ignore[return-value]
