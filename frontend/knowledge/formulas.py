"""The formulas of a set, and the words of their predicates and actions."""

from functools import partial
from typing import Any

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.db.models import Count
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _

from frontend.http import PageRequest, curators_only, signed_in
from frontend.knowledge.forms import FormulaForm, WordsForm
from frontend.knowledge.reads import formulas_of, set_for
from frontend.paging import page_of
from frontend.runs.views import started
from knowledge import services
from knowledge.models import KnowledgeSet
from winoplatform.errors import DomainError
from workers.models import AuditEvent
from workers.services.audit import audits

FORMULAS = 50
WORDS_SHOWN = 500


@audits(AuditEvent.Kind.LABELS)
@signed_in("GET", "POST")
def formulas(request: PageRequest, name: str) -> HttpResponse:
    """List a set's formulas and words; POST adds a formula."""
    knowledge_set = set_for(request.user, name)
    form = FormulaForm(request.POST if request.method == "POST" else None)
    if form.is_bound and form.is_valid():
        try:
            services.add_formula(knowledge_set=knowledge_set, by=request.user, **form.cleaned_data)
        except ValidationError as error:
            form.add_error(None, error.messages[0])
        except DomainError as error:
            form.add_error("text", refusal_text(error))
        else:
            messages.success(request, _("The formula was added."))
            return redirect("knowledge-formulas", name)
    status = 400 if form.is_bound else 200
    return _page(request, knowledge_set, {"form": form, "words_form": WordsForm()}, status=status)


@curators_only("POST")
def put_words(request: PageRequest, name: str) -> HttpResponse:
    """Store the words of a predicate or an action, and return to the page that asked for them."""
    knowledge_set = set_for(request.user, name)
    form = WordsForm(request.POST)
    if started(form, partial(services.put_words, knowledge_set=knowledge_set)) is not None:
        back = request.POST.get("back", "")
        if url_has_allowed_host_and_scheme(back, allowed_hosts={request.get_host()}):
            return redirect(back)
        return redirect("knowledge-formulas", name)
    return _page(request, knowledge_set, {"form": FormulaForm(), "words_form": form}, status=400)


def refusal_text(error: DomainError) -> str:
    """Return a refusal with the place that it points at."""
    details = error.details
    problem = details["problems"][0] if "problems" in details else details
    if "column" not in problem:
        return error.message
    place = _("line %(line)s, column %(column)s: %(sentence)s")
    return place % {
        "line": problem.get("line", 1),
        "column": problem["column"],
        "sentence": error.message,
    }


def _page(
    request: PageRequest, knowledge_set: KnowledgeSet, forms: dict[str, Any], *, status: int
) -> HttpResponse:
    rows = (
        formulas_of(request.user, knowledge_set)
        .select_related("author")
        .annotate(n_used=Count("formalisations__question", distinct=True))
    )
    # The words of all questions, also of those that a release holds back.
    words = knowledge_set.lexicon.order_by("name")[:WORDS_SHOWN] if request.user.is_curator else ()
    context = {
        "set": knowledge_set,
        "page": page_of(rows, request, parameter="before", size=FORMULAS),
        "words": words,
        **forms,
    }
    return render(request, "frontend/knowledge/formulas.html", context, status=status)
