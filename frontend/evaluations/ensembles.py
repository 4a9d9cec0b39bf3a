"""Combine evaluations of the same questions."""

from dataclasses import dataclass
from functools import partial

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from evaluation import services
from evaluation.methods import METHODS
from evaluation.methods.ensemble import ENSEMBLE
from evaluation.models import Evaluation
from evaluation.selectors import evaluations_of
from frontend.evaluations.views import compared_questions
from frontend.http import PageRequest, curators_only
from frontend.runs.views import started
from frontend.shell.ensembles import REFUSED_AT, EnsembleForm


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
