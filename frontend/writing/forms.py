"""Forms of the writing pages."""

import uuid
from collections.abc import Mapping
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from collection.core.words import one_line
from collection.models import Assignment, Twin
from collection.services import TwinText


class OneLine(forms.CharField):
    """Text on one line: line breaks and runs of spaces become single spaces."""

    def to_python(self, value: Any) -> str:
        return one_line((super().to_python(value) or "").replace("\x00", " "))


class KeyField(forms.UUIDField):
    """A key made by the client; if missing or malformed, it is replaced, as users cannot fix it."""

    def clean(self, value: Any) -> uuid.UUID:
        try:
            return super().clean(value)
        except forms.ValidationError:
            return uuid.uuid4()


class TwinForm(forms.Form):
    """A twin as its writer types it; the second answer is always the other option."""

    client_key = KeyField()
    anchor = OneLine(label=_("Your anchor"), required=False, max_length=120)
    domain = forms.ChoiceField(
        label=_("Domain"),
        choices=[choice for choice in Twin.Domain.choices if choice[0] != Twin.Domain.UNKNOWN],
        error_messages={"required": _("Choose a domain.")},
    )
    option1 = OneLine(label=_("Option 1"), required=False, max_length=120)
    option2 = OneLine(label=_("Option 2"), required=False, max_length=120)
    sentence1 = OneLine(label=_("Sentence 1"), required=False, max_length=5000)
    sentence2 = OneLine(label=_("Sentence 2"), required=False, max_length=5000)
    answer1 = forms.TypedChoiceField(
        label=_("Correct answer for the blank"),
        choices=[("1", _("Option 1")), ("2", _("Option 2"))],
        coerce=int,
        empty_value=None,
        required=False,
    )

    def missing(self) -> frozenset[str]:
        """Return the fields left empty."""
        names = (name for name in self.fields if name != "client_key")
        return frozenset(name for name in names if not str(self.data.get(name, "")).strip())

    def marked(self) -> list[forms.BoundField]:
        """Return the fields of a submitted form that have an error or are empty."""
        missing = self.missing()
        return [field for field in self if field.errors or field.name in missing]

    def text(self) -> TwinText:
        """Return the text entered; a missing or malformed value is empty."""
        values = self.cleaned_data
        answer = values.get("answer1") or 0
        return TwinText(
            sentences=(values.get("sentence1", ""), values.get("sentence2", "")),
            options=(values.get("option1", ""), values.get("option2", "")),
            answers=(answer, 3 - answer if answer else 0),
            anchor=values.get("anchor", ""),
            domain=values.get("domain", ""),
        )


def twin_form(fields: Mapping[str, str]) -> TwinForm:
    """Return a form with *fields*; its key makes a repeated submission count once."""
    return TwinForm(initial={"client_key": str(uuid.uuid4()), **fields})


class ReturnForm(forms.Form):
    """Why an article is returned, and whether another one is requested."""

    reason = forms.ChoiceField(choices=Assignment.ReturnReason.choices, required=False)
    comment = OneLine(required=False, max_length=300)
