"""What a curator asks of a campaign's votes."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from collection.models import Campaign, Twin
from frontend.days import day_begins, day_ends


class HumanForm(forms.Form):
    """Which questions human performance is asked of; days are the reader's own."""

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
        """The chosen questions, as the selector takes them; the last day is a whole one."""
        data = self.cleaned_data
        return {
            "domain": data["domain"],
            "since": day_begins(data["since"]),
            "until": day_ends(data["until"]),
            "kind": data["kind"] or "counted",
        }


class WhatIfForm(forms.Form):
    policy = forms.ChoiceField(label=_("Policy"), choices=Campaign.Policy.choices)
