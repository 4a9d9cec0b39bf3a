"""Releases of knowledge sets: build them, read their files, and test models on them."""

from functools import partial
from typing import Any

from django import forms
from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as now
from django.utils.translation import gettext_lazy as _

from corpora.services import retract_release
from evaluation import services as evaluations
from evaluation.core.paper_tables import FilledTable
from evaluation.methods import METHODS, STATEMENTS
from evaluation.methods.ensemble import ENSEMBLE
from evaluation.selectors import knowledge_tables, reason_table, statements_visible_to
from frontend.forms import RetractionForm
from frontend.http import (
    REFUSALS,
    PageRequest,
    curators_only,
    existing,
    refusal_of,
    sent_file,
    show,
    signed_in,
)
from frontend.knowledge.checking import majority_form
from frontend.knowledge.forms import PLAIN
from frontend.knowledge.reads import set_for
from frontend.paging import page_of
from frontend.runs.reads import run_row, workers_state
from frontend.runs.views import started
from frontend.shell.evaluations import REFUSED_AT, EnsembleForm
from knowledge import services
from knowledge.models import KnowledgeRelease, KnowledgeReleaseFile, Reason
from modeling.specs import SMOLLM2
from winoplatform import clock
from winoplatform.runs.models import RunStatus
from workers.models import User

RELEASES, RUNS = 25, 25


class BuildForm(forms.Form):
    """The name of a release and what its card says."""

    name = forms.SlugField(
        label=_("Name"),
        max_length=50,
        widget=forms.TextInput(PLAIN),
        help_text=_("It is permanent."),
    )
    title = forms.CharField(label=_("Title"), max_length=200, required=False)
    licence = forms.CharField(label=_("Licence"), max_length=200, initial="CC-BY-4.0")


def collections() -> list[tuple[str, str]]:
    names = Reason.objects.order_by("collection").values_list("collection", flat=True).distinct()
    return [("", now("–")), *((name, name) for name in names)]


def methods() -> list[tuple[str, Any]]:
    """Return the methods that answer statements, but the ensemble, which names its members."""
    found = (one for one in METHODS.values() if STATEMENTS in one.about)
    return [(one.name, one.title) for one in found if one.name != ENSEMBLE]


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

    def asked(self) -> dict[str, Any]:
        """Return the arguments of ``services.evaluate``, besides the data."""
        found = self.cleaned_data
        asked = {name: found[name] for name in ("method", "model", "trained_on")}
        return asked | {"is_frozen": not found["is_whole"]}


@curators_only("GET", "POST")
def releases(request: PageRequest, name: str) -> HttpResponse:
    """List a set's releases; POST builds one."""
    found = set_for(request.user, name)
    form = BuildForm(request.POST if request.method == "POST" else None)
    if form.is_bound and form.is_valid():
        try:
            made = services.build_knowledge_release(
                knowledge_set=found, by=request.user, **form.cleaned_data
            )
        except REFUSALS as error:
            form.add_error(None, refusal_of(error).message)
        else:
            messages.success(request, now("The release is being built."))
            return redirect("knowledge-release", made.name)
    page = page_of(found.releases.all(), request, parameter="before", size=RELEASES)
    context = {"set": found, "page": page, "form": form}
    status = 400 if form.is_bound else 200
    return render(request, "frontend/knowledge/releases.html", context, status=status)


def _release(user: User, name: str) -> KnowledgeRelease:
    """Return the release that holds the name, else the newest that had it."""
    rows = KnowledgeRelease.objects.visible_to(user).select_related("knowledge_set")
    missing = now("There is no such release.")
    live = rows.live().filter(name=name).first()
    return live or existing(rows.order_by("-pk"), missing, name=name)


@signed_in()
def release(request: PageRequest, name: str) -> HttpResponse:
    """Show a release: its files, and the models that were tested on it."""
    return _page(request, _release(request.user, name), EvaluateForm())


def _page(
    request: PageRequest,
    found: KnowledgeRelease,
    form: EvaluateForm,
    *,
    majority: EnsembleForm | None = None,
    retraction: RetractionForm | None = None,
    status: int = 200,
) -> HttpResponse:
    at = clock.now()
    rows = statements_visible_to(request.user).filter(knowledge_release=found)
    runs = [
        run_row(run, at) for run in rows.select_related("knowledge_release").order_by("-pk")[:RUNS]
    ]
    is_open = not found.has_ended or any(not row.run.has_ended for row in runs)
    context: dict[str, Any] = {
        "release": found,
        "set": found.knowledge_set,
        "row": run_row(found, at),
        "files": _files(found, request.user),
        "runs": runs,
        "is_open": is_open,
        "workers": workers_state() if is_open else None,
    }
    if not request.htmx or not is_open:  # the last answer to the poll has the tables
        context["tables"] = _tables(request.user, found)
    if request.user.is_curator:
        context["form"] = form
        context["majority"] = majority or majority_form(found)
        if found.status == RunStatus.DONE and found.retracted_at is None:
            context["retraction"] = retraction or RetractionForm()
    return show(request, "frontend/knowledge/release.html", context, part="live", status=status)


def _files(found: KnowledgeRelease, user: User) -> list[KnowledgeReleaseFile]:
    files = found.files.select_related("artifact")
    return list(files if user.is_curator else files.filter(restricted=False))


def _tables(user: User, found: KnowledgeRelease) -> list[FilledTable]:
    return knowledge_tables(user, found) if found.status == RunStatus.DONE else []


@curators_only("POST")
def evaluate(request: PageRequest, name: str) -> HttpResponse:
    """Test a model on a release, or count the majority of some evaluations of it."""
    found = _release(request.user, name)
    if "majority" in request.POST:
        return _count_majority(request, found)
    form = EvaluateForm(request.POST)
    if form.is_valid():
        try:
            evaluations.evaluate(by=request.user, knowledge_release=found, **form.asked())
        except ValidationError as error:
            form.add_error(None, error.messages[0])
        except REFUSALS as error:
            form.add_error(None, refusal_of(error).message)
        else:
            messages.success(request, now("The evaluation is queued."))
            return redirect("knowledge-release", name)
    return _page(request, found, form, status=400)


def _count_majority(request: PageRequest, found: KnowledgeRelease) -> HttpResponse:
    form = majority_form(found, request.POST)
    made = started(form, partial(evaluations.combine, by=request.user), refused_at=REFUSED_AT)
    if made is None:
        return _page(request, found, EvaluateForm(), majority=form, status=400)
    is_counted = made.status == RunStatus.DONE
    said = (
        now("This majority is counted.")
        if is_counted
        else now("The majority is queued or running.")
    )
    messages.success(request, said)
    return redirect("knowledge-release", found.name)


@curators_only("POST")
def retract(request: PageRequest, name: str) -> HttpResponse:
    """Retract a release, with a reason that stays visible."""
    found = _release(request.user, name)
    form = RetractionForm(request.POST)

    def retract_with(reason: str) -> KnowledgeRelease:
        return retract_release(release=found, reason=reason, by=request.user)

    if started(form, retract_with) is None:  # type: ignore[type-var]
        return _page(request, found, EvaluateForm(), retraction=form, status=400)
    return redirect("knowledge-release", name)


@signed_in()
def release_file(request: PageRequest, name: str, file_name: str) -> HttpResponse:
    """Send one file of a release, as stored."""
    found = _release(request.user, name)
    return sent_file(request, _files(found, request.user), file_name)


@curators_only()
def reason_figures(request: PageRequest, collection: str) -> HttpResponse:
    """Show each system's figures on a collection of reasons."""
    if not Reason.objects.visible_to(request.user).filter(collection=collection).exists():
        raise Http404(now("There are no such reasons."))
    context = {"collection": collection, "filled": reason_table(request.user, collection)}
    return render(request, "frontend/knowledge/reason_figures.html", context)
