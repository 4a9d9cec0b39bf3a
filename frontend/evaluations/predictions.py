"""Predictions made elsewhere: a file is read and reported on, and stored when that is accepted."""

from typing import Any

from django.contrib import messages
from django.core import signing
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.csrf import csrf_exempt, csrf_protect

from evaluation import services
from evaluation.models import Evaluation
from frontend.evaluations.system_forms import PredictionsForm
from frontend.evaluations.words import report_of
from frontend.http import REFUSALS, PageRequest, curators_only, refusal_of, show
from frontend.shell.evaluations import questions_of
from winoplatform.artifacts import store
from winoplatform.http.bodies import UPLOADED_BYTES, SkipLarge, accept_files
from winoplatform.models import Artifact

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
