"""Forms of a leaderboard: a submission, and what a year accepts."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from evaluation.models import Leaderboard, Submission
from winoplatform.described import form_field


class SubmissionForm(forms.Form):
    """A file of predictions, and what is shown beside its scores."""

    file = forms.FileField(
        label=_("Predictions"),
        help_text=_(
            "1 or 2 for each question, in the order of test.jsonl: one per line, or WinoGrande’s "
            "five columns. JSONL and CSV name the question by qID."
        ),
    )
    system = form_field(Submission, "system")
    link = form_field(Submission, "link", assume_scheme="https")

    def __init__(self, *args: Any, too_large: list[str] | None = None, **options: Any) -> None:
        super().__init__(*args, **options)
        self.too_large = too_large or []

    def clean(self) -> dict[str, Any] | None:
        """Say that a file was too large, instead of that it is missing."""
        if "file" in self.too_large:
            self.errors.pop("file", None)
            self.add_error("file", _("The file is too large."))
        return self.cleaned_data


class LeaderboardForm(forms.Form):
    """How many submissions a year accepts, and whether it accepts any."""

    per_year = form_field(Leaderboard, "per_year", label=_("Submissions a year"))
    is_open = forms.BooleanField(label=_("Accept submissions"), required=False, initial=True)
