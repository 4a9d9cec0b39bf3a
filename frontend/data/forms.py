"""The Data tab's address: search, filters, order and columns."""

from collections.abc import Sequence
from typing import Any

from django import forms
from django.core.exceptions import NON_FIELD_ERRORS, ValidationError
from django.core.validators import ProhibitNullCharactersValidator
from django.http import QueryDict
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as later

from collection.models import Twin
from evaluation.core.facets import votes_of
from evaluation.selectors.question_list import (
    FACETS,
    LONGEST_SENTENCE,
    QUESTION_ID,
    SORTS,
    QuestionQuery,
)
from evaluation.selectors.questions import ON_REQUEST
from frontend.data.words import COLUMNS, FACET_NAMES, SORT_NAMES, STATE_NAMES
from frontend.findings import REASON_NAMES

DEFAULT_COLUMNS = ("verdict", "agreement", "domain", "anchor", "writer")
MOST_VALUES, LONGEST_VALUE = 50, 120
MOST_PAGES = 99_999
OF_THE_MOMENT = ("page", "open", "show")
"""Parts of an address that are no part of the view: a page, what is counted, a preview."""


class ManyValues(forms.Field):
    """Several values of one name in the address."""

    widget = forms.MultipleHiddenInput

    def __init__(self, *, is_valid: Any = None, **options: Any) -> None:
        super().__init__(required=False, **options)
        self.is_valid = is_valid or (lambda value: None)

    def to_python(self, value: Any) -> list[str]:
        return [str(each) for each in value or () if each]

    def validate(self, value: Sequence[str]) -> None:
        if len(value) > MOST_VALUES:
            raise ValidationError(_("At most %(n)d values.") % {"n": MOST_VALUES})
        for each in value:
            ProhibitNullCharactersValidator()(each)
            try:
                if len(each) > LONGEST_VALUE:
                    raise ValueError
                self.is_valid(each)
            except ValueError:
                raise ValidationError(
                    _("“%(value)s” is not a value of this filter.") % {"value": each[:40]}
                ) from None


def _uuid(value: str) -> None:
    forms.UUIDField().run_validators(forms.UUIDField().to_python(value))


def _choices(names: Any) -> list[tuple[str, Any]]:
    return [(str(value), name) for value, name in names]


class DataForm(forms.Form):
    """Everything in the address of a list of questions; other names are refused."""

    q = forms.CharField(
        label=later("Words"),
        required=False,
        max_length=300,
        widget=forms.TextInput(attrs={"type": "search", "data-key": "/"}),
    )
    like = forms.CharField(
        label=later("Similar to a sentence"),
        required=False,
        max_length=1000,
        widget=forms.TextInput(attrs={"type": "search"}),
    )
    near = forms.CharField(
        label=later("Near in meaning to a sentence"),
        required=False,
        max_length=LONGEST_SENTENCE,
        widget=forms.TextInput(attrs={"type": "search"}),
    )
    id = ManyValues(label=later("Selected questions"))
    verdict = forms.MultipleChoiceField(required=False, choices=_choices(STATE_NAMES.items()))
    reason = forms.MultipleChoiceField(required=False, choices=_choices(REASON_NAMES.items()))
    agreement = ManyValues(is_valid=votes_of)
    domain = forms.MultipleChoiceField(required=False, choices=Twin.Domain.choices)
    run = ManyValues(is_valid=_uuid)
    release = ManyValues()
    writer = ManyValues()
    validator = ManyValues()
    anchor = ManyValues()
    sort = forms.ChoiceField(
        label=later("Order"),
        required=False,
        choices=[(name, SORT_NAMES[name]) for name in SORTS],
    )
    twins = forms.BooleanField(label=later("With the twin’s other question"), required=False)
    columns = forms.MultipleChoiceField(
        label=later("Columns"), required=False, choices=_choices(COLUMNS.items())
    )
    open = forms.ChoiceField(
        label=later("Counted filters"),
        required=False,
        choices=[("", ""), *((n, n) for n in ON_REQUEST)],
    )
    page = forms.IntegerField(
        label=later("Page"), required=False, min_value=1, max_value=MOST_PAGES
    )
    show = forms.RegexField(QUESTION_ID, label=later("Preview"), max_length=36, required=False)

    def clean(self) -> dict[str, Any]:
        unknown = sorted(set(self.data) - set(self.fields))
        if unknown:
            raise ValidationError(
                _("There is no filter “%(name)s”. Filters are %(known)s.")
                % {"name": unknown[0][:40], "known": ", ".join(self.fields)}
            )
        return super().clean() or {}

    @property
    def problems(self) -> list[str]:
        """What is wrong with the address, each with the name that the page has for its part."""
        return [
            str(problem) if name == NON_FIELD_ERRORS else f"{self._name_of(name)}: {problem}"
            for name, problems in self.errors.items()
            for problem in problems
        ]

    def _name_of(self, name: str) -> str:
        return str(FACET_NAMES.get(name) or self[name].label)

    def query(self) -> QuestionQuery:
        data = self.cleaned_data
        return QuestionQuery(
            q=data["q"],
            like=data["like"],
            near=data["near"],
            id=tuple(data["id"]),
            **{facet: tuple(data[facet]) for facet in FACETS},
        )

    @staticmethod
    def view_of(address: QueryDict) -> str:
        """Return the filters, order and columns of an address, as they stand in it."""
        left = address.copy()
        for name in OF_THE_MOMENT:
            left.pop(name, None)
        return left.urlencode()

    @property
    def shown_columns(self) -> list[str]:
        return [*(self.cleaned_data["columns"] or DEFAULT_COLUMNS)]
