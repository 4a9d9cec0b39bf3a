"""Forms and fields that several pages have, and finders of rows."""

import re
from collections.abc import Iterator
from importlib.metadata import distribution
from typing import Any

from django import forms
from django.contrib.auth.password_validation import password_validators_help_texts
from django.contrib.staticfiles.finders import BaseFinder
from django.contrib.staticfiles.utils import matches_patterns
from django.core.files.storage import FileSystemStorage
from django.utils.translation import gettext as now
from django.utils.translation import gettext_lazy as _

from filtering.services.filter_runs import SEEDS_AT_ONCE
from frontend.people import short_float
from winoplatform.described import as_typed, label

FILE = "plotly.min.js"


class PlotlyFinder(BaseFinder):
    """Finds plotly.js in the wheel ``plotly``, as ``plotly/plotly.min.js``."""

    def __init__(self, app_names: Any = None, *args: Any, **kwargs: Any) -> None:
        folder = distribution("plotly").locate_file("plotly/package_data")
        self.storage = FileSystemStorage(location=str(folder))
        self.storage.prefix = "plotly"  # type: ignore[attr-defined]  # what Django's finders set

    def find(self, path: str, find_all: bool = False, **kwargs: Any) -> Any:
        found = self.storage.path(FILE) if path == f"plotly/{FILE}" else None
        if find_all:
            return [found] if found else []
        return found

    def list(self, ignore_patterns: Any) -> Iterator[Any]:
        if not matches_patterns(FILE, ignore_patterns or []):
            yield FILE, self.storage


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
        found = re.fullmatch(r"(\d{1,18})(?:-(\d{1,18}))?", part)
        if found is None:
            raise forms.ValidationError(
                now("Enter whole numbers separated by commas, such as 1, 2, 3 or 1-5.")
            )
        first = int(found[1])
        last = int(found[2] or first)
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
        widget=forms.TextInput(
            attrs={"autocomplete": "off", "autocapitalize": "none", "spellcheck": "false"}
        ),
    )
