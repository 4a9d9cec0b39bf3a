"""Forms of the curators' filter run pages."""

import re
from typing import Any, ClassVar

from django import forms
from django.utils.translation import gettext as now
from django.utils.translation import gettext_lazy as _

from collection.models import Campaign
from filtering.models import AFLITE_SETTINGS, FilterRun
from filtering.selectors.comparisons import goes_by
from filtering.services.variations import SEEDS_AT_ONCE
from frontend.runs.reads import listed_kinds
from frontend.runs.settings import short_float
from winoplatform.described import as_typed, label
from winoplatform.runs.models import RunStatus


def settings_form(form: forms.ModelForm) -> None:
    """Give each field of a form of settings the name and bounds of its column."""
    for name in form.fields:
        if isinstance(form.initial.get(name), float):
            form.initial[name] = short_float(form.initial[name])
        form.fields[name].label = label(form._meta.model, name)
        as_typed(form.fields[name])


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


def read_seeds(text: str) -> list[int]:
    """Parse seeds as people write them: "1, 2, 5-8"."""
    seeds: list[int] = []
    for part in re.split(r"[,;\s]+", "-".join(map(str.strip, re.split("[-–]", text)))):
        found = re.fullmatch(r"(\d{1,18})(?:-(\d{1,18}))?", part)
        if found is None:
            raise forms.ValidationError(
                now("Enter whole numbers separated by commas, such as 1, 2, 3 or 1-5.")
            )
        first = int(found[1])
        last = int(found[2] or first)
        if last < first or last - first >= SEEDS_AT_ONCE:
            raise forms.ValidationError(
                now("Enter 1 to %(most)d seeds at a time.") % {"most": SEEDS_AT_ONCE}
            )
        seeds += range(first, last + 1)
    return seeds


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


class JobsForm(forms.Form):
    """Which runs the list of jobs shows; an invalid value shows all."""

    state = forms.ChoiceField(
        label=_("State"),
        required=False,
        choices=[("", _("Any")), ("open", _("Waiting or running")), *RunStatus.choices[2:]],
    )
    kind = forms.ChoiceField(label=_("Kind"), required=False)
    campaign = forms.ModelChoiceField(
        Campaign.objects.all(),
        label=_("Campaign"),
        required=False,
        to_field_name="slug",
        empty_label=_("Any"),
    )
    kept = forms.ChoiceField(
        label=_("List"),
        required=False,
        choices=[
            ("", _("All but archived")),
            ("starred", _("Starred")),
            ("archived", _("Archived")),
        ],
    )
    sort = forms.ChoiceField(
        label=_("Order"),
        required=False,
        choices=[
            ("", _("Newest first")),
            ("oldest", _("Oldest first")),
            ("name", _("By name")),
            ("state", _("By state")),
            ("kind", _("By kind")),
            ("by", _("By person")),
            ("starred", _("Starred first")),
        ],
    )

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        kinds = {str(model._meta.model_name): model._meta.verbose_name for model in listed_kinds()}
        choices = sorted(kinds.items(), key=lambda kind: str(kind[1]))
        self.fields["kind"].choices = [("", _("Any")), *choices]  # type: ignore[attr-defined]

    def chosen(self) -> dict[str, Any]:
        """Return the valid values that were chosen."""
        if not self.is_bound:
            return {}
        self.is_valid()
        return {name: value for name, value in self.cleaned_data.items() if value}


class KeepForm(forms.Form):
    """One change of a run as a row: its name, its star, or whether it is archived."""

    caption = forms.CharField(max_length=100, required=False)
    is_starred = forms.NullBooleanField(required=False)
    is_archived = forms.NullBooleanField(required=False)

    def changes(self) -> dict[str, Any]:
        """Return the fields that were sent."""
        return {name: self.cleaned_data[name] for name in self.fields if name in self.data}
