"""Start evaluations and ensembles: the form “Evaluate”, and what is started."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Any

from django import forms
from django.conf import settings
from django.contrib import messages
from django.http import HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as later
from django.utils.translation import ngettext

from corpora.loading import permitted
from evaluation import services
from evaluation.methods import METHODS, Method
from evaluation.methods.ensemble import ENSEMBLE
from evaluation.models import Evaluation
from evaluation.selectors import evaluations_of
from frontend.evaluations.plans import MOST_RUNS, Plan, Planned, plan
from frontend.evaluations.views import compared_questions
from frontend.forms import exact_text, read_seeds
from frontend.http import REFUSALS, PageRequest, curators_only, refusal_of, show
from frontend.runs.views import started
from frontend.shell.choices import (
    SERVER,
    MethodChoice,
    ModelChoice,
    data_choices,
    method_choices,
    model_choices,
    transformation_choices,
)
from frontend.shell.evaluations import REFUSED_AT, EnsembleForm
from modeling.specs import SMOLLM2

FIRST_METHODS = ("causal:partial", "majority:")


@dataclass(frozen=True, slots=True)
class Tick:
    """A checkbox: its value, its label with a remark, and whether it is ticked."""

    value: str
    label: str
    about: str
    is_ticked: bool


@dataclass(frozen=True, slots=True)
class Section:
    """Some checkboxes of a field under a title; folded where no chosen model fits them."""

    field: str
    title: str
    ticks: tuple[Tick, ...]
    is_folded: bool = False


KINDS: dict[str, Any] = {
    "causal": later("Causal language models"),
    "masked": later("Masked language models"),
    "choice": later("Models with a multiple-choice head"),
    "entailment": later("Entailment models"),
    "pooled": later("Encoders"),
    "server": later("Models on the operator’s server"),
}


def _title(method: Method) -> str:
    """Return the title above a method's checkboxes: the kind of model that it needs."""
    if method.kind:
        return str(KINDS[method.kind])
    return _("With a local corpus") if method.reads == "corpus" else _("Without a model")


class EvaluateForm(forms.Form):
    """Every combination of the choices is one evaluation."""

    questions = forms.MultipleChoiceField(
        error_messages={"required": later("Choose what to score.")}
    )
    models = forms.MultipleChoiceField(required=False)
    other_model = forms.CharField(
        label=later("Another model"),
        required=False,
        max_length=300,
        help_text=later(
            "A hub id such as roberta-large, a folder, or pkg:module/folder. The operator decides "
            "which are permitted."
        ),
        widget=exact_text(),
    )
    server_model = forms.CharField(
        label=later("A model on the operator’s server"),
        required=False,
        max_length=300,
        help_text=later("Its name there, such as llama3:8b. Only the method on a server uses it."),
        widget=exact_text(),
    )
    methods = forms.MultipleChoiceField(error_messages={"required": later("Choose a method.")})
    transformations = forms.MultipleChoiceField(required=False)
    dtype = forms.ChoiceField(
        label=later("Number format"),
        choices=Evaluation.Dtypes.choices,
        help_text=later("Of the models’ computation."),
    )
    seeds = forms.CharField(
        label=later("Seeds"),
        max_length=200,
        help_text=later("Of random answers: 0, or several such as 1-3."),
        widget=forms.TextInput(attrs={"autocomplete": "off", "inputmode": "text"}),
    )
    confirm_remote = forms.BooleanField(
        label=later("I confirm that these blind questions may be sent to the server."),
        required=False,
    )

    def __init__(self, sent: QueryDict, *, is_start: bool = False) -> None:
        self.of_data = {one.value: one for one in data_choices()}
        self.of_models = {choice.spec: choice for choice in model_choices()}
        self.of_methods = {choice.value: choice for choice in method_choices()}
        is_chosen = is_start or "seeds" in sent  # a field that a browser always sends
        super().__init__(sent if is_chosen else self._first(sent))
        if not settings.REMOTE_MODEL_URL:
            del self.fields["server_model"]
        for name, choices in {
            "questions": [(key, one.label) for key, one in self.of_data.items()],
            "models": [(key, choice.label) for key, choice in self.of_models.items()],
            "methods": [(key, choice.label) for key, choice in self.of_methods.items()],
            "transformations": transformation_choices(),
        }.items():
            self.fields[name].choices = choices  # type: ignore[attr-defined]

    def _first(self, sent: QueryDict) -> QueryDict:
        """Return the choices before anything is chosen, so that the page can show their cost.

        The address may choose the data: a release's or a reference set's page leads here.
        """
        questions = [value for value in sent.getlist("questions") if value in self.of_data]
        first = QueryDict(mutable=True)
        first.setlist("questions", questions or [*self.of_data][:1])
        first.setlist("models", [SMOLLM2])
        first.setlist("methods", FIRST_METHODS)
        first.setlist("transformations", [""])
        first["dtype"], first["seeds"] = Evaluation.Dtypes.FLOAT32.value, "0"
        return first

    def clean_other_model(self) -> str:
        name: str = self.cleaned_data["other_model"].strip()
        if name:
            try:
                permitted(name)
            except ValueError as error:
                raise forms.ValidationError(str(error)) from error
        return name

    def clean_seeds(self) -> list[int]:
        return read_seeds(self.cleaned_data["seeds"])

    def plan(self) -> Plan | None:
        """Return what the choices ask for; None if the form has errors."""
        if not self.is_valid():
            return None
        data = self.cleaned_data
        made = plan(
            data=[self.of_data[value] for value in data["questions"]],
            models=self._chosen_models(),
            methods=[self.of_methods[value] for value in data["methods"]],
            transformations=data["transformations"] or [""],
            dtype=data["dtype"],
            seeds=data["seeds"],
        )
        if not made.runs:
            self.add_error(None, " ".join(made.skipped) or _("Nothing is chosen."))
            return None
        return made

    def _chosen_models(self) -> list[ModelChoice]:
        """Return the models that are ticked or typed, also while other fields have errors."""
        ticked = self.data.getlist("models")  # type: ignore[attr-defined]
        models = [self.of_models[spec] for spec in ticked if spec in self.of_models]
        if self._named:
            models.append(self._named)
        if name := self.cleaned_data.get("server_model"):
            models.append(ModelChoice(name, SERVER))
        return models

    @cached_property
    def _named(self) -> ModelChoice | None:
        name = "" if "other_model" in self.errors else self.cleaned_data["other_model"]
        return ModelChoice.named(name) if name else None

    @property
    def kind_of_named(self) -> str:
        """Say what kind of model the typed one is, or that this is not known; empty without one."""
        if self._named is None:
            return ""
        names = {"model": self._named.label, "kind": self._named.kind}
        if self._named.kind:
            return _("%(model)s is %(kind)s, by its configuration here.") % names
        return (
            _(
                "What kind of model %(model)s is can be known only when a worker has loaded it: no "
                "configuration on this machine says so. An evaluation by a method that does not "
                "fit fails then, and says why."
            )
            % names
        )

    def require_confirmation(self, made: Plan) -> bool:
        """Return whether blind questions may be sent to a server, if they are; else say so."""
        if made.sends_blind and not self.cleaned_data["confirm_remote"]:
            self.add_error(
                "confirm_remote", _("Confirm that the server may receive these blind questions.")
            )
            return False
        return True

    def query(self) -> str:
        """Return the choices as the query of an address, without the confirmation."""
        data: QueryDict = self.data  # type: ignore[assignment]
        sent = data.copy()
        for name in ("csrfmiddlewaretoken", "confirm_remote"):
            sent.pop(name, None)
        return sent.urlencode()

    @property
    def has_more(self) -> bool:
        """Whether a choice differs from the usual one in the part that is folded at first."""
        usual = {"transformations": [""], "dtype": ["float32"], "seeds": ["0"]}
        sent: QueryDict = self.data  # type: ignore[assignment]
        return any(sent.getlist(name) != value for name, value in usual.items())

    @property
    def sections(self) -> list[Section]:
        """The choices by field and group, as the page shows them."""
        kinds = {
            "release": _("Releases"),
            "reference-set": _("Reference sets"),
            "snapshot": _("Snapshots"),
        }
        data = [
            self._section("questions", title, self._data(kind)) for kind, title in kinds.items()
        ]
        models = [
            (choice.spec, choice.label, " · ".join(filter(None, [choice.about, choice.kind])))
            for choice in self.of_models.values()
        ]
        changes = self.fields["transformations"].choices  # type: ignore[attr-defined]
        return [
            *(section for section in data if section.ticks),
            self._section("models", _("Models"), models),
            *self._methods(),
            self._section(
                "transformations", _("Transformation"), [(*change, "") for change in changes]
            ),
        ]

    @property
    def folded_kinds(self) -> str:
        """The kinds of models whose methods are folded; empty if none are."""
        return ", ".join(section.title for section in self.sections if section.is_folded)

    def _data(self, kind: str) -> list[tuple[str, str, str]]:
        choices = [choice for choice in self.of_data.values() if choice.kind == kind]
        return [(choice.value, choice.label, choice.about) for choice in choices]

    def _methods(self) -> list[Section]:
        """Return the methods by kind; folded if no chosen model fits them and none is ticked."""
        models = self._chosen_models() or [*self.of_models.values()]
        groups: dict[str, list[MethodChoice]] = {}
        for choice in self.of_methods.values():
            groups.setdefault(_title(choice.method), []).append(choice)
        sections = []
        for title, choices in groups.items():
            section = self._section("methods", title, [(c.value, c.label, "") for c in choices])
            is_used = any(tick.is_ticked for tick in section.ticks)
            method = choices[0].method
            fits = not method.kind or any(model.fits(method) for model in models)
            sections.append(replace(section, is_folded=not (is_used or fits)))
        return sections

    def _section(self, field: str, title: str, rows: Iterable[tuple[str, str, str]]) -> Section:
        chosen = set(self.data.getlist(field))  # type: ignore[attr-defined]
        ticks = [Tick(*row, row[0] in chosen) for row in rows]
        return Section(field, title, tuple(ticks))


@dataclass(frozen=True, slots=True)
class Member:
    """An evaluation that an ensemble may combine; ``has_logs``: its scores can be averaged."""

    run: Evaluation
    has_logs: bool
    is_ticked: bool


@curators_only("GET", "POST")
def new_ensemble(request: PageRequest, kind: str, name: str, split: str) -> HttpResponse:
    """Choose finished evaluations of the same questions, and how to combine them."""
    data, _others = compared_questions(request, kind, name, split)
    runs = [run for run in evaluations_of(request.user, data) if run.method != ENSEMBLE]
    of_members = {str(run.public_id): run for run in runs}
    is_sent = request.method == "POST"
    form = EnsembleForm(
        request.POST if is_sent else None, of_members=of_members, initial={"variant": "vote"}
    )
    made = started(form, partial(services.combine, by=request.user), refused_at=REFUSED_AT)
    if made is not None:
        messages.success(request, _("The ensemble is queued."))
        return redirect("evaluation", made.public_id)
    ticked = set(request.POST.getlist("members"))
    rows = [_member(run, is_ticked=id in ticked) for id, run in of_members.items()]
    context = {"data": data, "form": form, "members": rows}
    status = 400 if is_sent else 200
    return render(request, "frontend/evaluations/ensemble.html", context, status=status)


def _member(run: Evaluation, *, is_ticked: bool) -> Member:
    method = METHODS.get(run.method)
    has_logs = method is not None and run.variant in method.log_probabilities
    return Member(run, has_logs, is_ticked)


@curators_only("GET", "POST")
def new_evaluations(request: PageRequest) -> HttpResponse:
    """Choose data, models and methods, see what they cost, and start the evaluations."""
    is_start = request.method == "POST"
    form = EvaluateForm(request.POST if is_start else _choices(request), is_start=is_start)
    made = form.plan() if form.of_data else None
    if is_start and made is not None:
        if made.too_many:
            form.add_error(None, _("At most %d evaluations start at a time.") % MOST_RUNS)
        elif form.require_confirmation(made) and _start(request, form, made):
            return redirect("evaluations")
    return _page(request, form, made, status=400 if is_start else 200)


def _choices(request: PageRequest) -> Any:
    """Return the choices in the address; a link to the page cannot confirm anything."""
    choices = request.GET.copy()
    if not request.htmx:
        choices.pop("confirm_remote", None)
    return choices


def _page(
    request: PageRequest, form: EvaluateForm, made: Plan | None, *, status: int
) -> HttpResponse:
    context = {"form": form, "plan": made, "most": MOST_RUNS}
    template = "frontend/evaluations/evaluate.html"
    return show(request, template, context, part="cost", status=status)


def _start(request: PageRequest, form: EvaluateForm, made: Plan) -> int:
    """Start every evaluation that is not refused; return their number.

    Refusals are shown beside the others' progress or, if all are refused, in the form.
    """
    refusals = _each(
        made.runs,
        lambda arguments: services.evaluate(
            by=request.user, confirm_remote=_is_confirmed(form), **arguments
        ),
    )
    started = len(made.runs) - len(refusals)
    for refusal in refusals:
        if started:
            messages.warning(request, refusal)
        else:
            form.add_error(None, refusal)
    if started:
        message = ngettext("%d evaluation is queued.", "%d evaluations are queued.", started)
        messages.success(request, message % started)
    return started


def _is_confirmed(form: EvaluateForm) -> bool:
    return bool(form.cleaned_data.get("confirm_remote"))


def _each(runs: Sequence[Planned], start: Callable[[dict[str, Any]], object]) -> list[str]:
    """Start each of the runs; return what is said about those that are refused."""
    refusals = []
    for planned in runs:
        try:
            start(planned.asked)
        except REFUSALS as error:
            refusals.append(f"{planned.system}, {planned.data}: {refusal_of(error).message}")
    return refusals
