"""Forms of the curators' crowd study pages."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from collection.models import Study
from winoplatform.described import form_field
from workers.models import Qualification

GENERATED: dict[str, Any] = {"required": False, "initial": ""}


class StudyChangesForm(forms.Form):
    """The editable fields of a study; an empty secret keeps the stored one."""

    SECRETS = ("event_secret", "secret")

    name = form_field(Study, "name")
    places = form_field(Study, "places")
    completion_code = form_field(Study, "completion_code", **GENERATED)
    screen_out_code = form_field(Study, "screen_out_code", **GENERATED)
    failure_code = form_field(Study, "failure_code", **GENERATED)
    return_url = form_field(Study, "return_url", assume_scheme="https")
    event_secret = form_field(Study, "event_secret")
    secret = form_field(Study, "secret", **GENERATED)

    def values(self) -> dict[str, Any]:
        """Return the values to store, without empty secrets."""
        values = self.cleaned_data.items()
        return {name: value for name, value in values if value or name not in self.SECRETS}


class StudyForm(StudyChangesForm):
    """A new study, including the fields that cannot be changed later."""

    provider = form_field(
        Study,
        "provider",
        initial=Study.Provider.PROLIFIC,
        error_messages={"required": _("Choose the platform.")},
    )
    skill = forms.ChoiceField(
        label=_("Task"),
        choices=[
            (Qualification.Skill.WRITE, _("write twins")),
            (Qualification.Skill.VALIDATE, _("validate questions")),
        ],
    )
    units = form_field(Study, "units", initial=None)


class LinksForm(forms.Form):
    """Participants, one per line."""

    LINES_MAX = 200

    participants = forms.CharField(
        label=_("Participants"),
        max_length=100_000,
        widget=forms.Textarea,
        help_text=_("The participants’ ids on the platform, one per line."),
        error_messages={"required": _("Enter one participant id per line.")},
    )
    approvals = forms.IntegerField(
        label=_("Approved tasks of each participant"), required=False, min_value=0
    )
    approval_rate = forms.DecimalField(
        label=_("Share approved, 0 to 1"), required=False, min_value=0, max_value=1
    )

    def clean_participants(self) -> list[str]:
        names = [line.strip() for line in self.cleaned_data["participants"].splitlines()]
        names = [name for name in names if name]
        if len(names) > self.LINES_MAX:
            raise forms.ValidationError(
                _("No more than %d at a time; the API takes more.") % self.LINES_MAX
            )
        if any(len(name) > 120 or not name.isprintable() for name in names):
            raise forms.ValidationError(_("An id can have at most 120 printable characters."))
        return names

    def history(self) -> dict[str, Any]:
        """Return the participants' approval history as link parameters."""
        names = ("approvals", "approval_rate")
        values = {name: self.cleaned_data.get(name) for name in names}
        return {name: str(value) for name, value in values.items() if value is not None}
