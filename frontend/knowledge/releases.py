"""Releases of knowledge sets: build them, read their files, and test models on them."""

from functools import partial
from typing import Any

from django import forms
from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as now
from django.utils.translation import gettext_lazy as _

from corpora.core.bundle.layout import CROISSANT
from corpora.selectors import release_files
from corpora.services import retract_release
from evaluation import services as evaluations
from evaluation.methods import METHODS, STATEMENTS
from evaluation.methods.ensemble import ENSEMBLE
from evaluation.selectors import knowledge_tables, reason_table, statements_visible_to
from frontend.forms import RetractionForm
from frontend.http import (
    PageRequest,
    curators_only,
    sent_file,
    show,
    signed_in,
)
from frontend.knowledge.checking import majority_form
from frontend.knowledge.forms import PLAIN
from frontend.knowledge.reads import set_for
from frontend.metadata import json_ld, sent_metadata
from frontend.paging import page_of
from frontend.runs.reads import run_row, workers_state
from frontend.runs.views import started
from frontend.shell.evaluations import REFUSED_AT, EnsembleForm
from frontend.shell.proposals import not_published, waiting
from knowledge import services
from knowledge.models import KnowledgeRelease, Reason
from modeling.specs import SMOLLM2
from winoplatform import clock
from winoplatform.described import form_field
from winoplatform.runs.models import RunStatus
from workers.models import User

RELEASES, RUNS = 25, 25


class BuildForm(forms.Form):
    """The name of a release and what its card says."""

    name = form_field(KnowledgeRelease, "name", widget=forms.TextInput(PLAIN))
    title = form_field(KnowledgeRelease, "title")
    licence = form_field(KnowledgeRelease, "licence")


def collections() -> list[tuple[str, str]]:
    names = Reason.objects.order_by("collection").values_list("collection", flat=True).distinct()
    return [("", now("–")), *((name, name) for name in names)]


def methods() -> list[tuple[str, Any]]:
    """Return the methods that answer statements, but the ensemble, which names its members."""
    of_statements = (method for method in METHODS.values() if STATEMENTS in method.about)
    return [(method.name, method.title) for method in of_statements if method.name != ENSEMBLE]


class EvaluateForm(forms.Form):
    """A model, and how it scores the statements."""

    method = forms.ChoiceField(label=_("Method"), choices=methods)
    model = forms.CharField(
        label=_("Model"), max_length=300, initial=SMOLLM2, widget=forms.TextInput(PLAIN)
    )
    trained_on = forms.ChoiceField(
        label=_("Reasons to learn from"),
        choices=collections,
        required=False,
        help_text=_("Of a classifier."),
    )
    is_whole = forms.BooleanField(
        label=_("Train the whole model"), required=False, help_text=_("Of a classifier.")
    )

    def clean(self) -> dict[str, Any]:
        """Return the arguments of ``services.evaluate``, besides the data."""
        asked = dict(self.cleaned_data)
        return asked | {"is_frozen": not asked.pop("is_whole")}


@curators_only("GET", "POST")
def releases(request: PageRequest, name: str) -> HttpResponse:
    """List a set's releases; POST builds one."""
    knowledge_set = set_for(request.user, name)
    form = BuildForm(request.POST if request.method == "POST" else None)
    build = partial(services.build_knowledge_release, knowledge_set=knowledge_set, by=request.user)
    if (made := started(form, build)) is not None:
        messages.success(request, now("The release is being built."))
        return redirect("knowledge-release", made.name)
    page = page_of(knowledge_set.releases.all(), request, parameter="before", size=RELEASES)
    context = {"set": knowledge_set, "page": page, "form": form}
    status = 400 if form.is_bound else 200
    return render(request, "frontend/knowledge/releases.html", context, status=status)


def _release(user: User, name: str) -> KnowledgeRelease:
    """Return the release that holds the name, else the newest that had it."""
    rows = KnowledgeRelease.objects.visible_to(user).select_related("knowledge_set")
    found = rows.named(name)
    if found is None:
        raise Http404(now("There is no such release."))
    return found


def _own_release(user: User, name: str) -> KnowledgeRelease:
    """As `_release`, of a set whose content the user may change."""
    found = _release(user, name)
    if not found.is_of_member(user):
        raise Http404(now("There is no such release."))
    return found


@signed_in()
def release(request: PageRequest, name: str) -> HttpResponse:
    """Show a release: its files, and the models that were tested on it."""
    return _page(request, _release(request.user, name), EvaluateForm())


def _page(
    request: PageRequest,
    knowledge_release: KnowledgeRelease,
    form: EvaluateForm,
    *,
    majority: EnsembleForm | None = None,
    retraction: RetractionForm | None = None,
    status: int = 200,
) -> HttpResponse:
    at, is_member = clock.now(), knowledge_release.is_of_member(request.user)
    rows = statements_visible_to(request.user).filter(knowledge_release=knowledge_release)
    runs = [
        run_row(run, at) for run in rows.select_related("knowledge_release").order_by("-pk")[:RUNS]
    ]
    is_open = not knowledge_release.has_ended or any(not row.run.has_ended for row in runs)
    files = list(release_files(knowledge_release, user=request.user, is_member=is_member))
    context: dict[str, Any] = {
        "release": knowledge_release,
        "set": knowledge_release.knowledge_set,
        "row": run_row(knowledge_release, at),
        "files": files,
        "has_metadata": any(file.name == CROISSANT for file in files),
        "runs": runs,
        "is_open": is_open,
        "workers": workers_state() if is_open else None,
    }
    if not request.htmx or not is_open:  # the last answer to the poll has the tables
        is_done = knowledge_release.status == RunStatus.DONE
        context["tables"] = knowledge_tables(request.user, knowledge_release) if is_done else []
    if is_member:
        context["is_member"] = True
        context["waiting"] = waiting(request.user, release=knowledge_release.public_id)
        context["ended"] = not_published(request.user, knowledge_release)
        context["form"] = form
        context["majority"] = majority or majority_form(knowledge_release)
        if knowledge_release.status == RunStatus.DONE and knowledge_release.retracted_at is None:
            context["retraction"] = retraction or RetractionForm()
    return show(request, "frontend/knowledge/release.html", context, part="live", status=status)


@curators_only("POST")
def evaluate(request: PageRequest, name: str) -> HttpResponse:
    """Test a model on a release, or count the majority of some evaluations of it."""
    found = _own_release(request.user, name)
    if "majority" in request.POST:
        return _count_majority(request, found)
    form = EvaluateForm(request.POST)
    evaluate = partial(evaluations.evaluate, by=request.user, knowledge_release=found)
    if started(form, evaluate) is None:
        return _page(request, found, form, status=400)
    messages.success(request, now("The evaluation is queued."))
    return redirect("knowledge-release", name)


def _count_majority(request: PageRequest, knowledge_release: KnowledgeRelease) -> HttpResponse:
    form = majority_form(knowledge_release, request.POST)
    made = started(form, partial(evaluations.combine, by=request.user), refused_at=REFUSED_AT)
    if made is None:
        return _page(request, knowledge_release, EvaluateForm(), majority=form, status=400)
    is_counted = made.status == RunStatus.DONE
    message = (
        now("This majority is counted.")
        if is_counted
        else now("The majority is queued or running.")
    )
    messages.success(request, message)
    return redirect("knowledge-release", knowledge_release.name)


@curators_only("POST")
def retract(request: PageRequest, name: str) -> HttpResponse:
    """Retract a release, with a reason that stays visible."""
    knowledge_release = _own_release(request.user, name)
    form = RetractionForm(request.POST)
    if started(form, partial(retract_release, release=knowledge_release, by=request.user)) is None:
        return _page(request, knowledge_release, EvaluateForm(), retraction=form, status=400)
    return redirect("knowledge-release", name)


@signed_in()
def release_file(request: PageRequest, name: str, file_name: str) -> HttpResponse:
    """Send one file of a release, as stored."""
    knowledge_release = _release(request.user, name)
    return sent_file(request, release_files(knowledge_release, user=request.user), file_name)


@signed_in()
def release_metadata(request: PageRequest, name: str) -> HttpResponse:
    """Send the Croissant description of a release, with the addresses of its files."""
    knowledge_release = _release(request.user, name)
    return sent_metadata(json_ld(request, knowledge_release, page="knowledge-release"))


@curators_only()
def reason_figures(request: PageRequest, collection: str) -> HttpResponse:
    """Show each system's figures on a collection of reasons."""
    if not Reason.objects.visible_to(request.user).filter(collection=collection).exists():
        raise Http404(now("There are no such reasons."))
    context = {"collection": collection, "filled": reason_table(request.user, collection)}
    return render(request, "frontend/knowledge/reason_figures.html", context)
