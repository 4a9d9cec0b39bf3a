"""Upload predictions that a system made elsewhere: their file is read, reported on and stored."""

from typing import Any

from django import forms
from django.contrib import messages
from django.core import signing
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as later
from django.views.decorators.csrf import csrf_exempt, csrf_protect

from corpora.core.bundle.layout import SIZES
from evaluation import services
from evaluation.core.predictions import FORMATS, format_of
from evaluation.models import Evaluation
from frontend.evaluations.verdicts import report_of
from frontend.http import REFUSALS, PageRequest, curators_only, refusal_of, show
from frontend.shell.choices import data_choices
from frontend.shell.evaluations import questions_of
from winoplatform.artifacts import store
from winoplatform.http.bodies import UPLOADED_BYTES, SkipLarge, accept_files
from winoplatform.models import Artifact


class PredictionsForm(forms.Form):
    """A file of predictions, what they answer, and what made them."""

    questions = forms.ChoiceField(label=later("Questions"))
    system_name = forms.CharField(
        label=later("System"),
        max_length=100,
        help_text=later("What made the predictions, as the comparison will name it."),
    )
    file = forms.FileField(label=later("File"), help_text=later("Text in UTF-8."))
    format = forms.ChoiceField(
        label=later("Format"),
        required=False,
        choices=[("", later("by the file’s name")), *FORMATS.items()],
        help_text=later("By its name: .jsonl, .csv, .lst (WinoGrande’s list) or .txt (answers)."),
    )
    size = forms.ChoiceField(
        label=later("Training size"),
        required=False,
        choices=[("", "–"), *((name, name) for name in SIZES)],
        help_text=later("Of WinoGrande’s list, which has a label for each size."),
    )
    id_column = forms.CharField(
        label=later("Column of the id"),
        max_length=200,
        required=False,
        help_text=later("Of a CSV file; if empty, “id”."),
    )
    prediction_column = forms.CharField(
        label=later("Column of the prediction"),
        max_length=200,
        required=False,
        help_text=later("Of a CSV file; if empty, “prediction”."),
    )
    HOW = ("system_name", "format", "size", "id_column", "prediction_column")
    RARE = ("size", "id_column", "prediction_column")

    def __init__(self, *args: Any, too_large: bool = False, **options: Any) -> None:
        super().__init__(*args, **options)
        self.too_large = too_large
        self.of_data = {one.value: one for one in data_choices()}
        choices = [(key, f"{one.label} ({one.about})") for key, one in self.of_data.items()]
        self.fields["questions"].choices = choices  # type: ignore[attr-defined]

    @property
    def usual(self) -> list[forms.BoundField]:
        """The fields that every file needs."""
        return [field for field in self if field.name not in self.RARE]

    @property
    def rare(self) -> list[forms.BoundField]:
        """The fields of some formats."""
        return [self[name] for name in self.RARE]

    @property
    def has_rare(self) -> bool:
        return any(field.value() or field.errors for field in self.rare)

    def clean(self) -> dict[str, Any]:
        """Recognise the format, and require what it needs."""
        data = self.cleaned_data
        if self.too_large:
            self.add_error(
                "file",
                _(
                    "The file has more than %d MB. Use the command manage.py score_predictions "
                    "--store."
                )
                % (UPLOADED_BYTES >> 20),
            )
        elif file := data.get("file"):
            data["format"] = data.get("format") or format_of(file.name or "")
            if not data["format"]:
                self.add_error("format", _("The name does not tell the format: choose it."))
        self._require_size()
        return data

    def _require_size(self) -> None:
        is_list, size = self.cleaned_data.get("format") == "winogrande", self.cleaned_data["size"]
        if is_list and not size:
            self.add_error("size", _("Choose the training size whose labels are stored."))
        elif size and not is_list:
            self.add_error("size", _("Only WinoGrande’s list has training sizes."))

    def data_asked(self) -> dict[str, Any]:
        """Return the set and split, as the service's arguments."""
        return self.of_data[self.cleaned_data["questions"]].asked

    def how(self) -> dict[str, Any]:
        """Return what made the predictions and how to read them, as the service's arguments."""
        return {name: self.cleaned_data[name] for name in self.HOW}


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
    initial = {"questions": request.GET.get("questions", "")}
    form = PredictionsForm(*sent, initial=initial, too_large=bool(limit.skipped))
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
    sent = {
        "sha256": store.put_file(file).sha256,
        "questions": form.cleaned_data["questions"],
        "how": form.how(),
        "by": request.user.pk,
    }
    return {
        "checked": signing.dumps(sent, salt=SALT),
        "report": report_of(made),
        "of": questions_of(made),
        "system_name": made.system_name,
        "file_name": file.name,
    }


@curators_only("POST")
def store_checked(request: PageRequest) -> HttpResponse:
    """Store the predictions whose report was shown, and request their metrics."""
    try:
        made = _store_predictions(request)
    except (signing.BadSignature, FileNotFoundError, KeyError):
        messages.warning(request, _("The file is not kept any longer. Please choose it again."))
        return redirect("new-predictions")
    except REFUSALS as error:
        messages.warning(request, refusal_of(error).message)
        return redirect("new-predictions")
    messages.success(request, _("The predictions are stored; their metrics are queued."))
    return redirect("evaluation", made.public_id)


def _store_predictions(request: PageRequest) -> Evaluation:
    checked = request.POST.get("checked", "")
    values = signing.loads(checked, salt=SALT, max_age=CHECKED_SECONDS)
    if values["by"] != request.user.pk:
        raise signing.BadSignature
    arguments = PredictionsForm().of_data[values["questions"]].asked
    with store.open_artifact(Artifact(sha256=values["sha256"])) as file:
        return services.store_predictions(file=file, by=request.user, **arguments, **values["how"])
