"""Start evaluations and ensembles, and upload predictions."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from django.contrib import messages
from django.core import signing
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.csrf import csrf_exempt, csrf_protect

from evaluation import services
from evaluation.methods import METHODS
from evaluation.methods.ensemble import ENSEMBLE
from evaluation.models import Evaluation
from evaluation.selectors import evaluations_of
from frontend.evaluations.forms import EvaluateForm
from frontend.evaluations.plans import MOST_RUNS, Plan, Planned
from frontend.evaluations.system_forms import PredictionsForm
from frontend.evaluations.verdicts import report_of
from frontend.evaluations.views import compared_questions
from frontend.http import REFUSALS, PageRequest, curators_only, refusal_of, show
from frontend.runs.views import started
from frontend.shell.evaluations import REFUSED_AT, EnsembleForm, questions_of
from winoplatform.artifacts import store
from winoplatform.http.bodies import UPLOADED_BYTES, SkipLarge, accept_files
from winoplatform.models import Artifact


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


TEMPLATE = "frontend/evaluations/predictions.html"
SALT = "checked predictions"
# Files that no row refers to are kept for an hour.
CHECKED_SECONDS = 50 * 60


@csrf_exempt  # `_check` checks the token, after it is known who may send files
@curators_only("GET", "POST")
def new_predictions(request: PageRequest) -> HttpResponse:
    """Read a file of predictions, and report what it has, without storing an evaluation."""
    return _check(request, accept_files(request))


@csrf_protect
def _check(request: PageRequest, limit: SkipLarge) -> HttpResponse:
    is_sent = request.method == "POST"
    sent = (request.POST, request.FILES) if is_sent else (None, None)
    asked = {"questions": request.GET.get("questions", "")}
    form = PredictionsForm(*sent, initial=asked, too_large=bool(limit.skipped))
    context: dict[str, Any] = {"form": form, "upload_megabytes": UPLOADED_BYTES >> 20}
    if is_sent and form.is_valid():
        context |= _checked(request, form)
    status = 400 if is_sent and form.errors else 200
    return show(request, TEMPLATE, context, part="checked", status=status)


def _checked(request: PageRequest, form: PredictionsForm) -> dict[str, Any]:
    """Return the report on a form's file; a refusal is added to the form."""
    file = form.cleaned_data["file"]
    try:
        made = services.examine_predictions(file=file, **form.data_asked(), **form.how())
    except REFUSALS as error:
        refusal = refusal_of(error)
        form.add_error(
            "file" if refusal.code == "predictions_unreadable" else None, refusal.message
        )
        return {}
    kept = {
        "sha256": store.put_file(file).sha256,
        "questions": form.cleaned_data["questions"],
        "how": form.how(),
        "by": request.user.pk,
    }
    return {
        "checked": signing.dumps(kept, salt=SALT),
        "report": report_of(made),
        "of": questions_of(made),
        "system_name": made.system_name,
        "file_name": file.name,
    }


@curators_only("POST")
def store_checked(request: PageRequest) -> HttpResponse:
    """Store the predictions whose report was shown, and request their metrics."""
    try:
        made = _stored(request)
    except (signing.BadSignature, FileNotFoundError, KeyError):
        messages.warning(request, _("The file is not kept any longer. Please choose it again."))
        return redirect("new-predictions")
    except REFUSALS as error:
        messages.warning(request, refusal_of(error).message)
        return redirect("new-predictions")
    messages.success(request, _("The predictions are stored; their metrics are queued."))
    return redirect("evaluation", made.public_id)


def _stored(request: PageRequest) -> Evaluation:
    checked = request.POST.get("checked", "")
    kept = signing.loads(checked, salt=SALT, max_age=CHECKED_SECONDS)
    if kept["by"] != request.user.pk:
        raise signing.BadSignature
    asked = PredictionsForm().of_data[kept["questions"]].asked
    with store.open_artifact(Artifact(sha256=kept["sha256"])) as file:
        return services.store_predictions(file=file, by=request.user, **asked, **kept["how"])
