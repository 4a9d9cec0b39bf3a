"""Lists of knowledge sets and of the questions of one, and sweeps."""

from dataclasses import replace
from functools import partial
from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from frontend.http import REFUSALS, PageRequest, curators_only, refusal_of, show, signed_in
from frontend.knowledge.forms import NewSetForm
from frontend.knowledge.reads import (
    Questions,
    formalising_for,
    questions_of,
    set_for,
    sets_of,
    with_counts,
)
from frontend.paging import numbered, page_of
from frontend.runs.reads import run_row, workers_state
from frontend.runs.views import started
from knowledge import services
from knowledge.models import KnowledgeSet
from winoplatform import clock

SETS, QUESTIONS, SWEEPS = 25, 25, 5


@signed_in()
def knowledge_sets(request: PageRequest) -> HttpResponse:
    """List the sets that the user may work on, newest first."""
    page = page_of(with_counts(sets_of(request.user)), request, parameter="before", size=SETS)
    formalising = [] if request.user.is_curator else formalising_for(request.user)
    context = {"page": page, "formalising": formalising}
    return render(request, "frontend/knowledge/sets.html", context)


@curators_only("GET", "POST")
def new_knowledge_set(request: PageRequest) -> HttpResponse:
    """Make an empty set over a release or a reference set."""
    form = NewSetForm(request.POST if request.method == "POST" else None)
    create = partial(services.create_knowledge_set, by=request.user)
    if (made := started(form, create, refused_at={"release_not_done": "over"})) is not None:
        return redirect("knowledge-set", made.name)
    status = 400 if form.is_bound else 200
    return render(request, "frontend/knowledge/new_set.html", {"form": form}, status=status)


@signed_in()
def knowledge_set(request: PageRequest, name: str) -> HttpResponse:
    """Show the questions of a set with their status, and what to do next."""
    named_set = set_for(request.user, name)
    sweeps = _sweeps(named_set)
    context: dict[str, Any] = {
        "set": named_set,
        "sweeps": sweeps,
        "is_sweeping": any(not row.run.has_ended for row in sweeps),
    }
    if context["is_sweeping"]:
        context["workers"] = workers_state()
    if not request.htmx:  # the poll updates only the sweeps
        context |= _questions(request, named_set)
    return show(request, "frontend/knowledge/set.html", context, part="sweeps")


def _questions(request: PageRequest, named_set: KnowledgeSet) -> dict[str, Any]:
    every = questions_of(request.user, named_set)
    status = request.GET.get("status", "")
    page = numbered(every.of(status), request.GET.get("page", ""), QUESTIONS)
    return {
        "counts": every.counts,
        "n_questions": len(every.listed.rows),
        "hides": every.listed.hides,
        "status": status,
        "page": replace(page, rows=every.read(page.rows)),
        "next": _next_step(every, named_set),
    }


def _next_step(every: Questions, named_set: KnowledgeSet) -> str:
    """Return the code of what comes next in a set."""
    counts = {code: n for code, _words, n in every.counts}
    if named_set.panel_id is not None:
        return "validation"
    if not counts["verified"]:
        return "mend" if counts["refuted"] + counts["undecided"] else "formalise"
    paired = named_set.sentences.paired().count()
    return "validate" if paired else "write"


def _sweeps(named_set: KnowledgeSet) -> list[Any]:
    now = clock.now()
    rows = named_set.sweeps.select_related("knowledge_set").order_by("-pk")[:SWEEPS]
    return [run_row(run, now) for run in rows]


@curators_only("POST")
def start_sweep(request: PageRequest, name: str) -> HttpResponse:
    """Prove the newest version of every formalised question again."""
    named_set = set_for(request.user, name)
    try:
        services.start_sweep(knowledge_set=named_set, by=request.user)
    except REFUSALS as error:
        messages.warning(request, refusal_of(error).message)
    else:
        messages.success(request, _("The sweep is queued."))
    return redirect("knowledge-set", name)
