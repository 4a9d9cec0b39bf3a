"""Curators' page of a set's validation: begin it, and read its figures."""

from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from frontend.http import REFUSALS, PageRequest, curators_only, refusal_of
from frontend.knowledge.forms import BeginForm
from frontend.knowledge.reads import set_for
from knowledge import services
from knowledge.core.statistics import MEAN_KAPPA, N_PROBLEMS, N_VALID, RAW_AGREEMENT
from knowledge.models import KnowledgeSet, Sentence
from knowledge.selectors import set_figures
from panels.models import Panel
from panels.selectors import progress_of

KINDS = dict(Sentence.Kind.choices)


@curators_only("GET", "POST")
def validation(request: PageRequest, name: str) -> HttpResponse:
    """Show the form, or the progress and figures; POST begins the validation."""
    found = set_for(request.user, name)
    if found.panel is not None and request.method == "GET":
        return _figures(request, found, found.panel)
    form = BeginForm(request.POST if request.method == "POST" else None)
    context: dict[str, Any] = {
        "set": found,
        "form": form,
        "n_pairs": found.sentences.filter(of__isnull=False).count(),
    }
    status = 200
    if form.is_bound and not form.is_valid():
        status = 400
    elif form.is_bound:
        try:
            services.begin_validation(knowledge_set=found, by=request.user, **form.cleaned_data)
        except REFUSALS as error:
            context["refusal"] = refusal_of(error)
            status = context["refusal"].status
        else:
            messages.success(request, _("The validation has begun."))
            return redirect("knowledge-validation", name)
    return render(request, "frontend/knowledge/begin.html", context, status=status)


def _figures(request: PageRequest, knowledge_set: KnowledgeSet, panel: Panel) -> HttpResponse:
    figures = set_figures(knowledge_set)
    result = figures.figures
    context = {
        "set": knowledge_set,
        "panel_of_set": panel,
        "progress": progress_of(panel),
        "figures": result,
        "annotators": [(figures.annotators[one.annotator], one) for one in result.annotators],
        "by_kind": [
            (KINDS.get(kind, kind), estimate, *result.valid_by_kind[kind])
            for kind, estimate in sorted(
                result.by_kind.items(), key=lambda found: [*KINDS].index(found[0])
            )
        ],
        "n_valid_pairs": _valid_pairs(knowledge_set, figures.valid),
        "published": {
            "raw": RAW_AGREEMENT, "kappa": MEAN_KAPPA, "n": N_PROBLEMS, "n_valid": N_VALID,
        },
    }  # fmt: skip
    return render(request, "frontend/knowledge/validation.html", context)


def _valid_pairs(of: KnowledgeSet, valid: frozenset[int]) -> int:
    """Return the pairs of which both problems are valid."""
    false = Sentence.objects.filter(knowledge_set=of, of__isnull=False)
    return sum(key in valid and of in valid for key, of in false.values_list("pk", "of"))
