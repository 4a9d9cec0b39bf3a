"""Forms of the quality pages."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from collection.models import Twin
from frontend.days import day_begins, day_ends


class HumanForm(forms.Form):
    """The questions to include in human performance; days are in the reader's time zone."""

    domain = forms.ChoiceField(
        label=_("Domain"),
        choices=[("", _("any")), *Twin.Domain.choices],
        required=False,
    )
    since = forms.DateField(
        label=_("Validated from"), required=False, widget=forms.DateInput(attrs={"type": "date"})
    )
    until = forms.DateField(
        label=_("Validated until"), required=False, widget=forms.DateInput(attrs={"type": "date"})
    )
    kind = forms.ChoiceField(
        label=_("Votes"),
        choices=[("counted", _("votes for verdicts")), ("gold", _("answers to control questions"))],
        required=False,
    )

    def question(self) -> dict[str, Any]:
        """Return the selection as the selector's arguments; the last day is included."""
        data = self.cleaned_data
        return {
            "domain": data["domain"],
            "since": day_begins(data["since"]),
            "until": day_ends(data["until"]),
            "kind": data["kind"] or "counted",
        }
