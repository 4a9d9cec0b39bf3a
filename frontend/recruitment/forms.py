"""Forms of the curators' crowd study pages."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from collection.models import Study
from workers.models import Qualification

SECRET_CHARACTERS = 32


class StudyChangesForm(forms.Form):
    """The editable fields of a study; an empty secret keeps the stored one."""

    SECRETS = ("event_secret", "secret")

    name = forms.CharField(
        label=_("Name"), max_length=120, help_text=_("Visible to curators only.")
    )
    places = forms.IntegerField(
        label=_("Places"),
        min_value=1,
        max_value=2**31 - 1,
        help_text=_(
            "How many people can take part, as on the platform. Participants who were paid for "
            "the test but did not pass it keep their place, so allow for them."
        ),
    )
    completion_code = forms.CharField(
        label=_("Completion code"),
        max_length=64,
        required=False,
        help_text=_("If the platform has generated one. Leave it empty to generate one here."),
    )
    screen_out_code = forms.CharField(
        label=_("Screen-out code"),
        max_length=64,
        required=False,
        help_text=_("For participants who cannot take part."),
    )
    failure_code = forms.CharField(
        label=_("Early-exit code"),
        max_length=64,
        required=False,
        help_text=_("For participants who stop early or find no work."),
    )
    return_url = forms.URLField(
        label=_("Return address"),
        max_length=500,
        required=False,
        assume_scheme="https",
        help_text=_(
            "The address that participants return to; {code} and {session} are filled in. Leave "
            "it empty for Prolific and Mechanical Turk, which have their own."
        ),
    )
    event_secret = forms.CharField(
        label=_("Event secret"),
        max_length=200,
        required=False,
        help_text=_("The key with which the platform signs its events. It is not shown again."),
    )
    secret = forms.CharField(
        label=_("Link secret"),
        min_length=SECRET_CHARACTERS,
        max_length=64,
        required=False,
        help_text=_(
            "For a platform or script that signs links itself: 32 to 64 characters that both "
            "share. If you leave it empty, one is generated and only this site can sign links. "
            "It is not shown again."
        ),
    )

    def stored(self) -> dict[str, Any]:
        """Return the values to store, without empty secrets."""
        values = self.cleaned_data.items()
        return {name: value for name, value in values if value or name not in self.SECRETS}


class StudyForm(StudyChangesForm):
    """A new study, including the fields that cannot be changed later."""

    provider = forms.ChoiceField(
        label=_("Platform"),
        choices=Study.Provider.choices,
        error_messages={"required": _("Choose the platform.")},
    )
    skill = forms.ChoiceField(
        label=_("Task"),
        choices=[
            (Qualification.Skill.WRITE, _("write twins")),
            (Qualification.Skill.VALIDATE, _("validate questions")),
        ],
    )
    units = forms.IntegerField(
        label=_("Units per session"),
        min_value=1,
        max_value=1000,
        help_text=_("Number of twins or validated questions that complete a session."),
    )


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
        said = {name: self.cleaned_data.get(name) for name in names}
        return {name: str(value) for name, value in said.items() if value is not None}
