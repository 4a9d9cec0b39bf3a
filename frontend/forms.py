"""Forms, and help for forms, of several features."""

import re

from django import forms
from django.contrib.auth.password_validation import password_validators_help_texts
from django.utils.translation import gettext as now
from django.utils.translation import gettext_lazy as _

from filtering.services import SEEDS_AT_ONCE
from frontend.names import short_float
from winoplatform.described import as_typed, label

SLUG = {"invalid": _("Use letters a to z, digits, hyphens and underscores only, no spaces.")}
"""What is said of a name for addresses with other characters."""


def exact_text(**attributes: str) -> forms.TextInput:
    """Return the input of a name or a code, which the browser leaves as it is typed."""
    return forms.TextInput({"autocapitalize": "none", "spellcheck": "false"} | attributes)


class ReasonForm(forms.Form):
    reason = forms.CharField(
        label=_("Reason"),
        max_length=500,
        widget=forms.Textarea(attrs={"rows": 2}),
        help_text=_("The worker sees this text."),
        error_messages={"required": _("Enter a reason. The worker sees it.")},
    )


def settings_form(form: forms.ModelForm) -> None:
    """Give each field of a form of settings the name and bounds of its column."""
    for name in form.fields:
        if isinstance(form.initial.get(name), float):
            form.initial[name] = short_float(form.initial[name])
        form.fields[name].label = label(form._meta.model, name)
        as_typed(form.fields[name])


def read_seeds(text: str) -> list[int]:
    """Parse seeds as people write them: "1, 2, 5-8"."""
    seeds: list[int] = []
    for part in re.split(r"[,;\s]+", "-".join(map(str.strip, re.split("[-–]", text)))):
        match = re.fullmatch(r"(\d{1,18})(?:-(\d{1,18}))?", part)
        if match is None:
            raise forms.ValidationError(
                now("Enter whole numbers separated by commas, such as 1, 2, 3 or 1-5.")
            )
        first = int(match[1])
        last = int(match[2] or first)
        if last < first or last - first >= SEEDS_AT_ONCE:
            raise forms.ValidationError(
                now("Enter 1 to %(most)d seeds at a time.") % {"most": SEEDS_AT_ONCE}
            )
        seeds += range(first, last + 1)
    return seeds


class RetractionForm(forms.Form):
    reason = forms.CharField(
        label=_("Reason"),
        max_length=1000,
        help_text=_("Shown wherever the release is. The files stay as they are."),
        widget=forms.Textarea(attrs={"rows": 2}),
    )


def with_plain_help(form: forms.BaseForm, field: str) -> None:
    """Describe a good password in sentences: Django's list would end the field's paragraph."""
    form.fields[field].help_text = " ".join(password_validators_help_texts())


class CodeForm(forms.Form):
    code = forms.CharField(
        label=_("Code"),
        max_length=200,
        help_text=_("The part of the link after #."),
        widget=exact_text(autocomplete="off"),
    )
