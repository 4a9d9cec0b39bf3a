"""A setting as its column describes it: name, symbol, meaning, choices, bounds, default."""

from typing import Any

from django import forms
from django.core.validators import BaseValidator
from django.db.models import Field, Model
from django.utils.text import capfirst


def column_of(model: type[Model], name: str) -> "Field[Any, Any]":
    """Return the column of a setting."""
    column = model._meta.get_field(name)
    assert isinstance(column, Field)
    return column


def symbol(model: type[Model], name: str) -> str:
    """Return the symbol that papers use for a setting; empty if it has none."""
    symbols: dict[str, str] = getattr(model, "SYMBOLS", {})
    return symbols.get(name, "")


def label(model: type[Model], name: str) -> str:
    """Return a setting's name as forms show it, after its symbol."""
    column = column_of(model, name)
    of_papers = symbol(model, name)
    return (
        f"{of_papers}, {column.verbose_name}" if of_papers else str(capfirst(column.verbose_name))
    )


def form_field(model: type[Model], name: str, **options: Any) -> Any:
    """Return a form's field for a setting, with the bounds of its column."""
    column = column_of(model, name)
    field: Any = column.formfield(**{"label": label(model, name), **options})
    of_type = [
        each
        for each in field.validators
        if not isinstance(each, BaseValidator) and each not in column.validators
    ]
    field.validators = [*of_type, *column.validators]
    as_typed(field)
    return field


def as_typed(field: forms.Field) -> None:
    """Make a number's field a text input: arrow buttons change numbers by accident."""
    if isinstance(field, forms.IntegerField | forms.FloatField):
        field.widget = forms.TextInput(attrs={"inputmode": "decimal", "autocomplete": "off"})
