"""Curators' pages of a set's validation: begin it, follow it, and read its figures."""

import uuid
from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from collection.services.campaigns import budget
from frontend.http import REFUSALS, PageRequest, curators_only, existing, refusal_of
from frontend.knowledge.forms import BeginForm, ValidationStatusForm
from frontend.knowledge.reads import set_for
from knowledge import services
from knowledge.core.published import MEAN_KAPPA, N_PROBLEMS, N_VALID, RAW_AGREEMENT
from knowledge.models import Enrolment, KnowledgeSet, Sentence, SetValidation
from knowledge.selectors import set_figures
from knowledge.selectors.annotation import progress
from winoplatform.errors import DomainError

KINDS = dict(Sentence.Kind.choices)


@curators_only("GET", "POST")
def validation(request: PageRequest, name: str) -> HttpResponse:
    """Show the form, or the progress and figures; POST begins the validation."""
    found = set_for(request.user, name)
    begun = SetValidation.objects.filter(knowledge_set=found).select_related("campaign").first()
    if begun is not None and request.method == "GET":
        return _figures(request, found, begun)
    form = BeginForm(request.POST if request.method == "POST" else None)
    context: dict[str, Any] = {"set": found, "form": form, "n_pairs": _pairs(found)}
    status = 200
    if form.is_bound and not form.is_valid():
        status = 400
    elif form.is_bound:
        try:
            services.begin_validation(knowledge_set=found, by=request.user, **form.asked())
        except REFUSALS as error:
            context["refusal"] = refusal_of(error)
            status = context["refusal"].status
        else:
            messages.success(request, _("The validation has begun."))
            return redirect("knowledge-validation", name)
    return render(request, "frontend/knowledge/begin.html", context, status=status)


def _pairs(found: KnowledgeSet) -> int:
    return found.sentences.filter(of__isnull=False).count()


def _figures(request: PageRequest, found: KnowledgeSet, begun: SetValidation) -> HttpResponse:
    figures = set_figures(begun)
    each = (
        begun.whole_set if begun.whole_set is not None else (begun.reward or 0) * begun.n_problems
    )
    result = figures.figures
    context = {
        "set": found,
        "validation": begun,
        "campaign": begun.campaign,
        "progress": progress(begun),
        "figures": result,
        "annotators": [(figures.annotators[one.annotator], one) for one in result.annotators],
        "by_kind": [
            (KINDS.get(kind, kind), estimate, *result.valid_by_kind[kind])
            for kind, estimate in sorted(result.by_kind.items(), key=_place)
        ],
        "n_valid_pairs": _valid_pairs(begun, figures.valid),
        "cost": each * begun.annotators,
        "left": budget.state(begun.campaign).left,
        "enrolments": begun.enrolments.select_related("worker").order_by("number", "pk"),
        "published": {
            "raw": RAW_AGREEMENT, "kappa": MEAN_KAPPA, "n": N_PROBLEMS, "n_valid": N_VALID,
        },
    }  # fmt: skip
    return render(request, "frontend/knowledge/validation.html", context)


def _place(found: tuple[str, Any]) -> int:
    return [*KINDS].index(found[0])


def _valid_pairs(begun: SetValidation, valid: frozenset[int]) -> int:
    """Return the pairs of which both problems are valid."""
    false = Sentence.objects.filter(knowledge_set=begun.knowledge_set_id, of__isnull=False)
    return sum(key in valid and of in valid for key, of in false.values_list("pk", "of"))


@curators_only("POST")
def change_status(request: PageRequest, name: str) -> HttpResponse:
    """Pause, reopen or close the validation."""
    begun = _begun(request, name)
    form = ValidationStatusForm(request.POST)
    if not form.is_valid():
        raise DomainError("status_unknown", _("Choose a status."))
    services.change_validation_status(validation=begun, status=form.cleaned_data["status"])
    return redirect("knowledge-validation", name)


@curators_only("POST")
def end_enrolment(request: PageRequest, name: str, enrolment_id: uuid.UUID) -> HttpResponse:
    """End an enrolment, so that another person may take its number."""
    begun = _begun(request, name)
    rows = Enrolment.objects.filter(validation=begun)
    row = existing(rows, _("There is no such annotator."), public_id=enrolment_id)
    try:
        services.end_enrolment(enrolment=row)
    except REFUSALS as error:
        messages.warning(request, refusal_of(error).message)
    return redirect("knowledge-validation", name)


def _begun(request: PageRequest, name: str) -> SetValidation:
    found = set_for(request.user, name)
    rows = SetValidation.objects.filter(knowledge_set=found)
    return existing(rows, _("The validation of this set has not begun."))
