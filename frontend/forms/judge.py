"""What the judging pages take in."""

from django import forms
from django.utils.translation import gettext_lazy as _


class LocalAnswerForm(forms.Form):
    """0 stands for "cannot tell"."""

    option = forms.TypedChoiceField(choices=[("1", "1"), ("2", "2"), ("0", "0")], coerce=int)

    def shown_option(self) -> int | None:
        return self.cleaned_data["option"] or None


class VoteForm(forms.Form):
    option = forms.TypedChoiceField(
        choices=[("1", "1"), ("2", "2")],
        coerce=int,
        error_messages={"required": _("Choose the option that fills the gap first.")},
    )
    clarity = forms.ChoiceField(
        choices=[("clear", _("clearly one")), ("both", _("both plausible"))],
        error_messages={"required": _("Say whether it is clearly one option.")},
    )

    @property
    def ambiguous(self) -> bool:
        return bool(self.cleaned_data["clarity"] == "both")
