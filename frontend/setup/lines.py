"""Text formats for lists: one for the exercise, one for the attribute table."""

import re
from collections.abc import Iterable, Iterator
from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from collection.models import Attribute, ExerciseItem
from collection.services import AttributeRow, ItemText

CHOICE = re.compile(r"\(\s*+(x?)\s*+\)\s*+(.*)", re.IGNORECASE)
RULE = re.compile(r"={3,}\s*")
MOST = 200_000
ERRORS_SHOWN = 20


def exercise_text(items: Iterable[ExerciseItem]) -> str:
    """Format an exercise as ``ExerciseTextForm`` parses it."""
    return "\n\n===\n\n".join(
        "\n".join(
            [
                item.prompt.strip(),
                "",
                *(
                    f"({'x' if number == item.answer else ' '}) {choice}"
                    for number, choice in enumerate(item.choices, start=1)
                ),
                "",
                item.explanation.strip(),
            ]
        )
        for item in items
    )


class ExerciseTextForm(forms.Form):
    """Items between lines of ``===``: a question, its choices, why the correct one is correct."""

    text = forms.CharField(
        label=gettext_lazy("Items"),
        max_length=MOST,
        strip=False,
        required=False,
        widget=forms.Textarea(attrs={"rows": 30, "spellcheck": "true", "lang": "en"}),
    )

    def clean_text(self) -> list[ItemText]:
        items, errors = [], []
        for first, lines in _blocks(self.cleaned_data["text"]):
            try:
                items.append(_item(lines))
            except ValueError as error:
                errors.append(_("Item in line %(line)d: %(what)s") % {"line": first, "what": error})
        if errors:
            raise forms.ValidationError(errors[:ERRORS_SHOWN])
        return items


def _blocks(text: str) -> Iterator[tuple[int, list[str]]]:
    """Yield the text between lines of ``===``, with its first line number."""
    first, block = 1, list[str]()
    for number, line in enumerate([*text.replace("\r\n", "\n").split("\n"), "==="], start=1):
        if not RULE.fullmatch(line):
            if not block and not line.strip():
                continue
            first = first if block else number
            block.append(line)
        elif block:
            yield first, block
            block = []


def _item(lines: list[str]) -> ItemText:
    marks = [(n, CHOICE.fullmatch(line.strip())) for n, line in enumerate(lines)]
    marked = [(n, mark) for n, mark in marks if mark]
    if not marked:
        raise ValueError(_("it has no choices; write each as “( ) …”, the correct one as “(x) …”."))
    first, last = marked[0][0], marked[-1][0]
    if any(lines[n].strip() for n in range(first, last + 1) if not marks[n][1]):
        raise ValueError(_("its choices must be on consecutive lines."))
    right = [place for place, (_n, mark) in enumerate(marked, start=1) if mark[1]]
    if len(right) != 1:
        raise ValueError(_("exactly one choice must be marked “(x)”."))
    prompt = "\n".join(lines[:first]).strip()
    explanation = "\n".join(lines[last + 1 :]).strip()
    if not prompt:
        raise ValueError(_("it has no question before its choices."))
    if not explanation:
        raise ValueError(_("it has no explanation after its choices."))
    return ItemText(prompt, tuple(mark[2].strip() for _n, mark in marked), right[0], explanation)


DOMAINS = {
    "people": Attribute.Domain.SOCIAL,
    "things": Attribute.Domain.PHYSICAL,
    "both": Attribute.Domain.BOTH,
}
WORDS = {str(domain): word for word, domain in DOMAINS.items()}


def attributes_text(attributes: Iterable[Attribute]) -> str:
    """Format a table as ``AttributesForm`` parses it."""
    return "\n".join(
        f"{attribute.name} | {WORDS[attribute.domain]} | "
        + "; ".join(" / ".join(pair) for pair in attribute.pairs)
        for attribute in attributes
    )


class AttributesForm(forms.Form):
    """One attribute per line: ``weight | things | heavy / light; overloaded / empty``."""

    text = forms.CharField(
        label=gettext_lazy("Attributes"),
        max_length=MOST,
        strip=False,
        required=False,
        widget=forms.Textarea(
            attrs={"rows": 30, "spellcheck": "true", "lang": "en", "wrap": "off"}
        ),
    )

    def clean_text(self) -> list[AttributeRow]:
        rows, errors = [], []
        for number, line in enumerate(self.cleaned_data["text"].split("\n"), start=1):
            if not line.strip():
                continue
            try:
                rows.append(_attribute(line))
            except ValueError as error:
                errors.append(_("Line %(line)d: %(what)s") % {"line": number, "what": error})
        if errors:
            raise forms.ValidationError(errors[:ERRORS_SHOWN])
        return rows


def _attribute(line: str) -> AttributeRow:
    parts = [part.strip() for part in line.split("|")]
    if len(parts) != 3:
        raise ValueError(_("write “name | people, things or both | first / second; …”."))
    name, domain, pairs = parts
    if not name:
        raise ValueError(_("the attribute has no name."))
    if domain.casefold() not in DOMAINS:
        raise ValueError(_("“%s” is not people, things or both.") % domain)
    read = tuple(_pair(pair) for pair in pairs.split(";") if pair.strip())
    return AttributeRow(name, DOMAINS[domain.casefold()], read)


def _pair(text: str) -> tuple[str, str]:
    sides = [side.strip() for side in re.split(r"\s/\s", text)]
    if len(sides) != 2 or not all(sides):
        raise ValueError(_("“%s” is not a pair; write “first / second”.") % text.strip())
    return sides[0], sides[1]


def add_errors(form: forms.Form, error: Any) -> None:
    """Show a service's refusal at the field that it concerns."""
    for message in error.messages:
        form.add_error("text", message)
