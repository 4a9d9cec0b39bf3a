"""What the pages take in. Forms check the form of input; the rules live in services."""

import uuid
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from collection.models import Campaign, Twin
from collection.services import TwinText
from filtering.models import Release


class OneLine(forms.CharField):
    """Text in which line breaks and runs of spaces are one space, as a sentence is one line."""

    def to_python(self, value: Any) -> str:
        return " ".join((super().to_python(value) or "").replace("\x00", " ").split())


class KeyField(forms.UUIDField):
    """A client-made key; a missing or malformed one is replaced, as a person cannot mend it."""

    def clean(self, value: Any) -> uuid.UUID:
        try:
            return super().clean(value)
        except forms.ValidationError:
            return uuid.uuid4()


class TwinForm(forms.Form):
    """A twin as its writer types it; the second answer is always the other option."""

    client_key = KeyField()
    anchor = OneLine(required=False, max_length=120)
    domain = forms.ChoiceField(
        choices=[choice for choice in Twin.Domain.choices if choice[0] != Twin.Domain.UNKNOWN],
        error_messages={"required": _("Choose what the twin is about.")},
    )
    option1 = OneLine(required=False, max_length=120)
    option2 = OneLine(required=False, max_length=120)
    sentence1 = OneLine(required=False)
    sentence2 = OneLine(required=False)
    answer1 = forms.TypedChoiceField(
        choices=[("1", _("Option 1")), ("2", _("Option 2"))],
        coerce=int,
        empty_value=None,
        required=False,
    )

    def missing(self) -> frozenset[str]:
        """Name the fields in which nothing was typed or chosen."""
        names = (name for name in self.fields if name != "client_key")
        return frozenset(name for name in names if not str(self.data.get(name, "")).strip())

    def text(self) -> TwinText:
        """Return what was typed; what is missing or malformed is empty."""
        values = self.cleaned_data
        answer = values.get("answer1") or 0
        return TwinText(
            sentences=(values.get("sentence1", ""), values.get("sentence2", "")),
            options=(values.get("option1", ""), values.get("option2", "")),
            answers=(answer, 3 - answer if answer else 0),
            anchor=values.get("anchor", ""),
            domain=values.get("domain", ""),
        )


def blank_twin_form() -> TwinForm:
    """Return an empty form with a key of its own, so that a double submit is one submit."""
    return TwinForm(initial={"client_key": uuid.uuid4()})


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


class StatusForm(forms.Form):
    status = forms.ChoiceField(choices=Campaign.Status.choices)


class PipelineForm(forms.Form):
    release_name = forms.SlugField(
        label=_("Release name"),
        max_length=50,
        error_messages={
            "invalid": _("Use letters a to z, digits, hyphens and underscores only, no spaces.")
        },
        help_text=_(
            "Letters, digits, hyphens and underscores. A release that is built keeps its name."
        ),
    )

    def clean_release_name(self) -> str:
        name: str = self.cleaned_data["release_name"]
        if Release.objects.live().filter(name=name).exists():
            raise forms.ValidationError(_("There is a release of this name already."))
        return name


class TokenForm(forms.Form):
    name = forms.CharField(
        label=_("What is it for?"),
        max_length=80,
        help_text=_("A name to know the token by, such as “notebook”."),
    )
