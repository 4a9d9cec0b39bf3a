"""Forms of the curators' filter run pages."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from collection.models import Campaign
from frontend.runs.reads import listed_kinds
from winoplatform.runs.models import RunStatus


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
