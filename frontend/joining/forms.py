"""Forms of the joining pages."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from collection.selectors.exercise import ShownItem

PREFIX = "item-"
CHOICE = re.compile(r"[0-9]{1,3}")


class AcceptForm(forms.Form):
    version = forms.IntegerField(min_value=1)


def training_answers(data: Mapping[str, Any]) -> dict[str, int]:
    """Return the choices posted so far for a training, the latest last; 0 for an invalid one."""
    return {
        name.removeprefix(PREFIX): int(value) if CHOICE.fullmatch(str(value)) else 0
        for name, value in data.items()
        if name.startswith(PREFIX)
    }


@dataclass(frozen=True, slots=True)
class Row:
    """One item on the page, with its choice and the error about it."""

    item: ShownItem
    name: str
    chosen: str
    error: str


class ExerciseForm(forms.Form):
    """One choice for each item of the exercise, in the order that the worker sees."""

    number = forms.IntegerField(min_value=1, max_value=1000, widget=forms.HiddenInput)

    def __init__(self, items: Sequence[ShownItem], *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.items = items
        for item in items:
            self.fields[PREFIX + item.id] = forms.TypedChoiceField(
                choices=[(f"{n}", text) for n, text in enumerate(item.choices, start=1)],
                coerce=int,
                error_messages={"required": _("Choose an answer.")},
            )

    def rows(self) -> Iterator[Row]:
        for item in self.items:
            name = PREFIX + item.id
            errors = self.errors.get(name, [""]) if self.is_bound else [""]
            yield Row(item, name, str(self.data.get(name, "")), str(errors[0]))

    def answers(self) -> dict[str, int]:
        """Return the choice for each item, and 0 for items that no longer exist."""
        sent = {name: 0 for name in self.data if name.startswith(PREFIX)}
        chosen = {name: self.cleaned_data.get(name, 0) for name in self.fields if name != "number"}
        return {name.removeprefix(PREFIX): choice for name, choice in (sent | chosen).items()}

    @property
    def is_outdated(self) -> bool:
        """Return whether it answers items that this exercise does not have."""
        return any(name.startswith(PREFIX) and name not in self.fields for name in self.data)
