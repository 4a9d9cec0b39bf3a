"""Choose data, models and methods, see what they cost, and start evaluations."""

from collections.abc import Callable, Sequence
from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from evaluation import services
from frontend.evaluations.forms import EvaluateForm
from frontend.evaluations.plans import MOST_RUNS, Plan, Planned
from frontend.http import REFUSALS, PageRequest, curators_only, refusal_of, show


@curators_only("GET", "POST")
def new_evaluations(request: PageRequest) -> HttpResponse:
    """Choose data, models and methods, see what they cost, and start the evaluations."""
    is_start = request.method == "POST"
    form = EvaluateForm(request.POST if is_start else _asked(request), is_start=is_start)
    made = form.plan() if form.of_data else None
    if is_start and made is not None:
        if made.too_many:
            form.add_error(None, _("At most %d evaluations start at a time.") % MOST_RUNS)
        elif form.require_confirmation(made) and _start(request, form, made):
            return redirect("evaluations")
    return _page(request, form, made, status=400 if is_start else 200)


def _asked(request: PageRequest) -> Any:
    """Return the choices in the address; a link to the page cannot confirm anything."""
    asked = request.GET.copy()
    if not request.htmx:
        asked.pop("confirm_remote", None)
    return asked


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
        lambda asked: services.evaluate(
            by=request.user, confirm_remote=_is_confirmed(form), **asked
        ),
    )
    started = len(made.runs) - len(refusals)
    for refusal in refusals:
        if started:
            messages.warning(request, refusal)
        else:
            form.add_error(None, refusal)
    if started:
        said = ngettext("%d evaluation is queued.", "%d evaluations are queued.", started)
        messages.success(request, said % started)
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
