"""Forms of filter runs."""

from typing import Any, ClassVar

from django import forms
from django.utils.translation import gettext_lazy as _

from filtering.models import AFLITE_SETTINGS, FilterRun
from filtering.selectors.comparisons import goes_by
from frontend.filter_runs.settings import MEANINGS
from frontend.forms import explain, read_seeds

LABELS: dict[str, Any] = {
    "stop": _("Stop"),
    "n": _("n, models per phase"),
    "m": _("m, training questions"),
    "k": _("k, removed per step"),
    "tau": _("τ, threshold"),
    "C": _("C, regularisation"),
    "tol": _("Tolerance"),
    "seed": _("Seed"),
    "partition": _("Sampling unit"),
    "removal": _("Removal unit"),
    "pmi_score": _("Score"),
    "size": _("Size"),
}


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
        explain(self, LABELS, MEANINGS)


class SeedsForm(forms.Form):
    """The other seeds to repeat a run with."""

    seeds = forms.CharField(
        label=_("Seeds"),
        max_length=200,
        help_text=_("Separated by commas, or a range: 1-5."),
        widget=forms.TextInput(attrs={"autocomplete": "off", "inputmode": "text"}),
        error_messages={"required": _("Enter at least one seed.")},
    )

    def clean_seeds(self) -> list[int]:
        return read_seeds(self.cleaned_data["seeds"])
