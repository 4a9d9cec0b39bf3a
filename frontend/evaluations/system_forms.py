"""The form for predictions made elsewhere."""

from typing import Any

from django import forms
from django.utils.translation import gettext as now
from django.utils.translation import gettext_lazy as _

from corpora.core.bundle.layout import SIZES
from evaluation.core.predictions import FORMATS, format_of
from frontend.shell.choices import data_choices
from winoplatform.http.bodies import UPLOADED_BYTES


class PredictionsForm(forms.Form):
    """A file of predictions, what they answer, and what made them."""

    questions = forms.ChoiceField(label=_("Questions"))
    system_name = forms.CharField(
        label=_("System"),
        max_length=100,
        help_text=_("What made the predictions, as the comparison will name it."),
    )
    file = forms.FileField(label=_("File"), help_text=_("Text in UTF-8."))
    format = forms.ChoiceField(
        label=_("Format"),
        required=False,
        choices=[("", _("by the file’s name")), *FORMATS.items()],
        help_text=_("By its name: .jsonl, .csv, .lst (WinoGrande’s list) or .txt (answers)."),
    )
    size = forms.ChoiceField(
        label=_("Training size"),
        required=False,
        choices=[("", "–"), *((name, name) for name in SIZES)],
        help_text=_("Of WinoGrande’s list, which has a label for each size."),
    )
    id_column = forms.CharField(
        label=_("Column of the id"),
        max_length=200,
        required=False,
        help_text=_("Of a CSV file; if empty, “id”."),
    )
    prediction_column = forms.CharField(
        label=_("Column of the prediction"),
        max_length=200,
        required=False,
        help_text=_("Of a CSV file; if empty, “prediction”."),
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
                now(
                    "The file has more than %d MB. Use the command manage.py score_predictions "
                    "--store."
                )
                % (UPLOADED_BYTES >> 20),
            )
        elif file := data.get("file"):
            data["format"] = data.get("format") or format_of(file.name or "")
            if not data["format"]:
                self.add_error("format", now("The name does not tell the format: choose it."))
        self._require_size()
        return data

    def _require_size(self) -> None:
        is_list, size = self.cleaned_data.get("format") == "winogrande", self.cleaned_data["size"]
        if is_list and not size:
            self.add_error("size", now("Choose the training size whose labels are stored."))
        elif size and not is_list:
            self.add_error("size", now("Only WinoGrande’s list has training sizes."))

    def data_asked(self) -> dict[str, Any]:
        """Return the set and split, as the service's arguments."""
        return self.of_data[self.cleaned_data["questions"]].asked

    def how(self) -> dict[str, Any]:
        """Return what made the predictions and how to read them, as the service's arguments."""
        return {name: self.cleaned_data[name] for name in self.HOW}
