"""Pages of filter runs."""

import uuid
from functools import partial
from typing import Any, ClassVar

from django import forms
from django.contrib import messages
from django.db.models import QuerySet
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as later
from django.utils.translation import ngettext

from filtering import services
from filtering.core.parameters import settings
from filtering.models import AFLITE_SETTINGS, Encoding, FilterRun
from filtering.selectors import chosen_run, questions_in
from filtering.selectors.comparisons import (
    SETTINGS,
    Comparison,
    compare_runs,
    goes_by,
    runs_to_compare,
    unused_seeds,
)
from filtering.selectors.questions import removed_questions
from frontend.filter_runs import reads as selectors
from frontend.filter_runs.reads import charts_of, chooser, looks_of, main_chart, seconds_left
from frontend.filter_runs.words import PRESET_NAMES, presets_for, settings_of
from frontend.findings import DIRECTIONS, FRESH_ROWS, controls_button, verdict
from frontend.forms import read_seeds, settings_form
from frontend.http import REFUSALS, PageRequest, curators_only, existing, refusal_of, show
from frontend.lookups import campaign_for, find_filter_run
from frontend.paging import numbered
from frontend.runs.reads import shown_run
from frontend.runs.views import changed, started
from winoplatform.errors import Conflict, DomainError
from winoplatform.runs.models import RunStatus
from workers.models import User


class FilterRunForm(forms.ModelForm):
    """The settings that the instance's method uses, filled with the instance's values."""

    class Meta:
        model = FilterRun
        fields: ClassVar[list[str]] = [*AFLITE_SETTINGS, "pmi_score", "size"]

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        used = {*goes_by(self.instance), "tau"}  # the stop chosen here may use it
        if self.instance.method != FilterRun.Method.AFLITE:
            used -= {"tau"}
        if self.instance.reference_id:
            used -= {"size"}
        if self.instance.method != FilterRun.Method.PMI:
            used -= {"pmi_score"}
        for name in [name for name in self.fields if name not in used]:
            del self.fields[name]
        settings_form(self)


class SeedsForm(forms.Form):
    """The other seeds to repeat a run with."""

    seeds = forms.CharField(
        label=later("Seeds"),
        max_length=200,
        help_text=later("Separated by commas, or a range: 1-5."),
        widget=forms.TextInput(attrs={"autocomplete": "off", "inputmode": "text"}),
        error_messages={"required": later("Enter at least one seed.")},
    )

    def clean_seeds(self) -> list[int]:
        return read_seeds(self.cleaned_data["seeds"])


@curators_only("POST")
def choose_run(request: PageRequest, public_id: uuid.UUID) -> HttpResponse:
    """Let the campaign of a filter run show its results."""
    choose = partial(
        services.choose_run, run=find_filter_run(request.user, public_id), by=request.user
    )
    return changed(request, choose, _("The campaign now shows the results of this run."))


@curators_only("POST")
def show_latest_release(request: PageRequest, slug: str) -> HttpResponse:
    """Let a campaign show the run of its latest release again."""
    services.show_latest_release(campaign=campaign_for(request.user, slug))
    messages.success(request, _("The campaign now shows the run of its latest release."))
    return redirect("campaign", slug)


MORE_SEEDS = 5


@curators_only()
def filter_run(request: PageRequest, public_id: uuid.UUID) -> HttpResponse:
    """Show a filter run; its live part polls while the run is open."""
    return run_page(request, find_filter_run(request.user, public_id))


def run_page(
    request: PageRequest,
    run: FilterRun,
    *,
    seeds: SeedsForm | None = None,
    status: int = 200,
) -> HttpResponse:
    phases = list(run.steps.defer("arrays"))
    context = {
        **shown_run(request, run),
        "campaign": run.encoding.snapshot.campaign,
        "n_start": run.encoding.n_questions,
        "phases": phases,
        "last_phase": phases[-1] if phases else None,
        "unconverged": sum(phase.unconverged for phase in phases),
        "fallbacks": sum(phase.fallbacks for phase in phases),
        "seconds_left": seconds_left(run, phases),
        "releases": run.selection.releases.order_by("pk"),
        "controls_button": controls_button(run),
        "is_shown": chosen_run(run.encoding.snapshot.campaign) == run,
        "fresh_rows": FRESH_ROWS,
        "directions": DIRECTIONS,
        "looks": looks_of(phases) if phases else [],
        "verdict": verdict(run),
        **charts_of(run, phases),
    }
    context |= main_chart(context)
    if (
        not request.htmx or run.has_ended
    ):  # the last response to the poll updates the runs to compare with
        context |= _around(run, seeds)
    return show(
        request, "frontend/filter_runs/filter_run.html", context, part="live", status=status
    )


def _around(run: FilterRun, seeds: SeedsForm | None) -> dict[str, Any]:
    """Return the context of the page outside its live part."""
    more = ", ".join(str(seed) for seed in unused_seeds(run, MORE_SEEDS))
    return {
        "settings": settings_of(run),
        "chooser": chooser(run.encoding, this=run),
        "seeds": seeds or SeedsForm(initial={"seeds": more}),
    }


REMOVED = 50


def _encoding(user: User, public_id: uuid.UUID) -> Encoding:
    rows: QuerySet[Encoding] = Encoding.objects.visible_to(user).select_related(
        "snapshot__campaign", "tuning__snapshot"
    )
    return existing(rows, _("There is no such encoding."), public_id=public_id)


@curators_only("GET", "POST")
def new_filter_run(request: PageRequest, public_id: uuid.UUID) -> HttpResponse:
    """Start AFLite over an encoding; ``?preset`` fills in the settings of that preset."""
    encoding = _encoding(request.user, public_id)
    n_questions = questions_in(encoding)
    preset = request.GET.get("preset", "neutral")
    if preset not in PRESET_NAMES:
        raise Http404(_("There is no such preset."))
    draft = FilterRun(encoding=encoding, **settings(preset, n_questions))
    form = FilterRunForm(request.POST or None, instance=draft)
    if request.method == "POST":
        start = partial(services.start_filter_run, encoding=encoding, by=request.user)
        if (made := started(form, start)) is not None:
            return _to(request, made)
    context: dict[str, Any] = {"form": form, "encoding": encoding}
    context |= {"campaign": encoding.snapshot.campaign}
    context |= {"n_questions": n_questions, "preset": preset, "presets": presets_for(n_questions)}
    return _form(request, context)


@curators_only("GET", "POST")
def clone_filter_run(request: PageRequest, public_id: uuid.UUID) -> HttpResponse:
    """Start a run with the settings of another one, with changes."""
    run = find_filter_run(request.user, public_id)
    draft = FilterRun(encoding=run.encoding, **{name: getattr(run, name) for name in SETTINGS})
    form = FilterRunForm(request.POST or None, instance=draft)
    if request.method == "POST":
        start = partial(services.clone_filter_run, run=run, by=request.user)
        if (made := started(form, start)) is not None:
            return _to(request, made)
    context: dict[str, Any] = {"form": form, "run": run, "encoding": run.encoding}
    context |= {"campaign": run.encoding.snapshot.campaign}
    return _form(request, context | {"n_questions": run.encoding.n_questions})


def _to(request: PageRequest, run: FilterRun) -> HttpResponse:
    return redirect("filter-run", run.public_id)


def _form(request: PageRequest, context: dict[str, Any]) -> HttpResponse:
    status = 400 if request.method == "POST" else 200
    return render(request, "frontend/filter_runs/filter_run_form.html", context, status=status)


@curators_only("POST")
def start_seeds(request: PageRequest, public_id: uuid.UUID) -> HttpResponse:
    """Repeat a run with other seeds."""
    run = find_filter_run(request.user, public_id)
    form = SeedsForm(request.POST)
    if not form.is_valid():
        return run_page(request, run, seeds=form, status=400)
    try:
        made = services.start_seeds(run=run, by=request.user, **form.cleaned_data)
    except REFUSALS as error:
        refusal = refusal_of(error)
        form.add_error("seeds", refusal.message)
        return run_page(request, run, seeds=form, status=refusal.status)
    message = ngettext("%d run is queued.", "%d runs are queued.", len(made)) % len(made)
    messages.success(request, f"{message} {_('You can compare them when they are done.')}")
    return redirect("filter-run", run.public_id)


@curators_only()
def compare(request: PageRequest, public_id: uuid.UUID) -> HttpResponse:
    """Compare the runs that ``?run`` names; without any, list the runs to choose from."""
    encoding = _encoding(request.user, public_id)
    wanted = request.GET.getlist("run")
    context: dict[str, Any] = {"encoding": encoding, "campaign": encoding.snapshot.campaign}
    runs: tuple[FilterRun, ...] = ()
    status = 200
    if wanted:
        try:
            comparison = _comparison(encoding, wanted)
            runs = comparison.runs
            context |= _compared(comparison)
        except DomainError as refusal:
            context["refusal"], status = refusal, refusal.status
    context["chooser"] = selectors.chooser(encoding, ticked=wanted, compared=runs)
    return render(request, "frontend/filter_runs/compare.html", context, status=status)


@curators_only()
def removed(request: PageRequest, public_id: uuid.UUID) -> HttpResponse:
    """List the questions that a finished run removed."""
    run = find_filter_run(request.user, public_id)
    questions = removed_questions(run) if run.status == RunStatus.DONE else []
    page = numbered(questions, request.GET.get("page", ""), REMOVED)
    context = {
        "run": run,
        "campaign": run.encoding.snapshot.campaign,
        "n_removed": len(questions),
        "page": page,
        "rows": selectors.with_sentences(page.rows),
    }
    return render(request, "frontend/filter_runs/removed.html", context)


def _comparison(encoding: Encoding, wanted: list[str]) -> Comparison:
    try:
        runs = runs_to_compare([uuid.UUID(id) for id in wanted])
    except ValueError:
        raise DomainError("malformed", _("This address contains an invalid run id.")) from None
    if runs[0].encoding_id != encoding.pk:
        raise Conflict("other_encoding", _("These runs belong to another encoding."))
    return compare_runs(runs)


def _compared(comparison: Comparison) -> dict[str, Any]:
    columns = selectors.columns_of(comparison)
    return {
        "found": comparison,
        "columns": columns,
        "settings": settings_of(*comparison.runs),
        "matrices": selectors.matrices_of(comparison, columns),
        "stable": [selectors.stable_of(comparison, group) for group in comparison.seeds],
    }
