"""The form that combines evaluations of the same questions."""

from collections.abc import Mapping
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from evaluation.methods import METHODS
from evaluation.methods.ensemble import ENSEMBLE
from evaluation.models import Evaluation

REFUSED_AT = {
    "members_too_few": "members",
    "members_differ": "members",
    "member_not_done": "members",
    "member_unsuitable": "members",
    "scores_unsuitable": "members",
}


class EnsembleForm(forms.Form):
    """Which evaluations of the same questions to combine, and how."""

    members = forms.MultipleChoiceField(
        widget=forms.CheckboxSelectMultiple,
        error_messages={"required": _("Choose at least two systems.")},
    )
    variant = forms.ChoiceField(
        label=_("Combine by"),
        choices=lambda: list(METHODS[ENSEMBLE].variants.items()),
        widget=forms.RadioSelect,
    )

    def __init__(
        self,
        *args: Any,
        of_members: dict[str, Evaluation],
        labels: Mapping[str, str] | None = None,
        **options: Any,
    ) -> None:
        super().__init__(*args, **options)
        self.of_members = of_members
        choices = [(id, labels[id] if labels else id) for id in of_members]
        self.fields["members"].choices = choices  # type: ignore[attr-defined]

    def clean_members(self) -> list[Evaluation]:
        return [self.of_members[id] for id in self.cleaned_data["members"]]
