"""What the curators' pages of crowd studies take in."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from collection.models import Study
from workers.models import Qualification

SECRET_CHARACTERS = 32


class StudyChangesForm(forms.Form):
    """What a study can change; a secret left empty stays as it is."""

    SECRETS = ("event_secret", "secret")

    name = forms.CharField(
        label=_("Name"), max_length=120, help_text=_("For curators; participants do not see it.")
    )
    places = forms.IntegerField(
        label=_("Places"),
        min_value=1,
        max_value=2**31 - 1,
        help_text=_(
            "How many people may take part, as on the platform. Those who were paid for the "
            "exercise and then not let in keep their place: allow for them."
        ),
    )
    completion_code = forms.CharField(
        label=_("Completion code"),
        max_length=64,
        required=False,
        help_text=_("If the platform has made one; otherwise one is made here."),
    )
    screen_out_code = forms.CharField(
        label=_("Screen-out code"),
        max_length=64,
        required=False,
        help_text=_("For whoever may not take part."),
    )
    failure_code = forms.CharField(
        label=_("Code for stopping"),
        max_length=64,
        required=False,
        help_text=_("For whoever stops before the end, or finds no work."),
    )
    return_url = forms.URLField(
        label=_("Return address"),
        max_length=500,
        required=False,
        assume_scheme="https",
        help_text=_(
            "Where a session ends; {code} and {session} are filled in. Leave it empty for "
            "Prolific and Mechanical Turk, which have their own."
        ),
    )
    event_secret = forms.CharField(
        label=_("Event secret"),
        max_length=200,
        required=False,
        help_text=_("What the platform signs its events with. It is not shown again."),
    )
    secret = forms.CharField(
        label=_("Link secret"),
        min_length=SECRET_CHARACTERS,
        max_length=64,
        required=False,
        help_text=_(
            "For a platform or script that signs links itself: 32 to 64 characters that it knows "
            "too. Left empty, one is made, and links are signed here only. It is not shown again."
        ),
    )

    def stored(self) -> dict[str, Any]:
        """Return what is to be stored: an empty secret says nothing."""
        values = self.cleaned_data.items()
        return {name: value for name, value in values if value or name not in self.SECRETS}


class StudyForm(StudyChangesForm):
    """A new study, with what stays as it is made."""

    provider = forms.ChoiceField(
        label=_("Where do people come from?"),
        choices=Study.Provider.choices,
        error_messages={"required": _("Choose the platform.")},
    )
    skill = forms.ChoiceField(
        label=_("What do they do?"),
        choices=[
            (Qualification.Skill.WRITE, _("write twins")),
            (Qualification.Skill.VALIDATE, _("validate questions")),
        ],
    )
    units = forms.IntegerField(
        label=_("How many for one session?"),
        min_value=1,
        max_value=1000,
        help_text=_("Twins, or questions validated. A session with so many is complete."),
    )


class LinksForm(forms.Form):
    """Participants, one a line."""

    LINES_MAX = 200

    participants = forms.CharField(
        label=_("Participants"),
        widget=forms.Textarea,
        help_text=_("The platform’s id of each, one a line."),
        error_messages={"required": _("Write one participant’s id a line.")},
    )
    approvals = forms.IntegerField(label=_("Approved tasks of each"), required=False, min_value=0)
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
            raise forms.ValidationError(_("An id has 120 printable characters at most."))
        return names

    def history(self) -> dict[str, Any]:
        """Return what is said of the participants' approvals, as link parameters."""
        names = ("approvals", "approval_rate")
        said = {name: self.cleaned_data.get(name) for name in names}
        return {name: str(value) for name, value in said.items() if value is not None}
