"""Forms of the validation pages."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from frontend.validating.reads import Said
from validation.models import Vote

COMMENT_MOST = 500


class LocalAnswerForm(forms.Form):
    """The first step's answer; 0 means "cannot tell"."""

    option = forms.TypedChoiceField(choices=[("1", "1"), ("2", "2"), ("0", "0")], coerce=int)

    def shown_option(self) -> int | None:
        return self.cleaned_data["option"] or None


class VoteForm(forms.Form):
    option = forms.TypedChoiceField(
        choices=[("1", "1"), ("2", "2")],
        coerce=int,
        error_messages={"required": _("First choose the option that fills the blank.")},
    )
    clarity = forms.ChoiceField(
        choices=[("clear", _("not ambiguous")), ("both", _("ambiguous"))],
        error_messages={"required": _("Choose whether the question is ambiguous.")},
    )
    comment = forms.CharField(max_length=COMMENT_MOST, required=False)
    report = forms.ChoiceField(choices=Vote.Report.choices, required=False)

    def vote(self) -> dict[str, Any]:
        """Return the vote as the services take it."""
        return {
            "shown_option": self.cleaned_data["option"],
            "ambiguous": self.cleaned_data["clarity"] == "both",
            "comment": self.cleaned_data["comment"],
            "report": self.cleaned_data["report"],
        }

    def typed(self) -> Said:
        """Return the submitted values to show again: a missing one must not discard others."""
        option = str(self.data.get("option"))
        return Said(
            option=int(option) if option in ("1", "2") else 0,
            clarity="",
            comment=str(self.data.get("comment", "")),
            report=str(self.data.get("report", "")),
        )

    @property
    def first_error(self) -> str:
        return str(next(iter(self.errors.values()))[0])


class ReturnForm(forms.Form):
    """Why a question is returned; an invalid reason must not prevent the return."""

    report = forms.ChoiceField(choices=Vote.Report.choices, required=False)

    def reported(self) -> str:
        return self.cleaned_data["report"] if self.is_valid() else ""
