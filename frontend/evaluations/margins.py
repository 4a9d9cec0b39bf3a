"""The margin of equivalence of a comparison, in percentage points, as a reader chooses it."""

from collections.abc import Mapping

from django import forms
from django.utils.translation import gettext_lazy as later

from evaluation.core.comparison import LEAST_MARGIN, MARGIN, MOST_MARGIN

POINTS = 100


class MarginForm(forms.Form):
    margin = forms.FloatField(
        label=later("Margin, in percentage points"),
        min_value=POINTS * LEAST_MARGIN,
        max_value=POINTS * MOST_MARGIN,
        initial=POINTS * MARGIN,
        widget=forms.NumberInput(attrs={"step": "any", "size": 6}),
    )


def margin_form(query: Mapping[str, str]) -> tuple[MarginForm, float | None]:
    """Return the form, and the margin as a share; None if the address has none, or a wrong one."""
    if "margin" not in query:
        return MarginForm(), None
    form = MarginForm(query)
    return form, form.cleaned_data["margin"] / POINTS if form.is_valid() else None
