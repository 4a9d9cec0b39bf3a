"""Serializers of responses that follow from dataclasses."""

import inspect
import re
import types
from collections.abc import Mapping, Sequence
from dataclasses import fields, is_dataclass
from datetime import date, datetime
from decimal import Decimal
from enum import Enum
from functools import cache
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from django.utils.text import capfirst
from rest_framework import serializers

# "name, name : type" and the indented text below it.
PARAMETER = re.compile(r"^(?P<names>\w+(?:, \w+)*)(?: : .*)?\n(?P<text>(?: {4}.+(?:\n|$))+)", re.M)


class MoneyField(serializers.DecimalField):
    """An amount, or a sum of amounts."""

    def __init__(self, **options: Any) -> None:
        super().__init__(max_digits=24, decimal_places=2, **options)


PLAIN: Mapping[Any, type[Any]] = {
    str: serializers.CharField,
    int: serializers.IntegerField,
    float: serializers.FloatField,
    bool: serializers.BooleanField,
    datetime: serializers.DateTimeField,
    date: serializers.DateField,
    Decimal: MoneyField,
}


class ResultSerializer(serializers.Serializer[Any]):
    """The fields of a dataclass, or those and the properties that ``Meta.fields`` names.

    Types are those of the dataclass, and help texts those of its docstring; ``Meta.help`` has
    others by name. A field that the class declares replaces that of the dataclass.
    """

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        if cls.__doc__ is None:
            cls.__doc__ = (cls.Meta.dataclass.__doc__ or "").partition("\n\n")[0]  # type: ignore[attr-defined]

    def get_fields(self) -> dict[str, Any]:
        declared, meta = super().get_fields(), self.Meta  # type: ignore[attr-defined]
        known = [field.name for field in fields(meta.dataclass)]
        names = getattr(meta, "fields", None) or dict.fromkeys([*known, *declared])
        texts = {**described(meta.dataclass), **getattr(meta, "help", {})}
        return {
            name: declared.get(name) or _field(_hint(meta.dataclass, name), texts.get(name))
            for name in names
        }


@cache
def result_serializer(kind: type) -> type[ResultSerializer]:
    """Return the serializer of a dataclass, with the summary of its docstring."""
    meta = type("Meta", (), {"dataclass": kind})
    return type(f"{kind.__name__}Serializer", (ResultSerializer,), {"Meta": meta})


@cache
def described(kind: type) -> dict[str, str]:
    """Return the texts of a dataclass's parameters, by name, as a reader of JSON needs them."""
    doc = "\n".join(inspect.cleandoc(one.__doc__ or "") for one in reversed(kind.__mro__[:-1]))
    found = {}
    for one in PARAMETER.finditer(doc):
        text = re.sub(r"\bNone\b", "null", " ".join(one["text"].split()).replace("``", "`"))
        found |= dict.fromkeys(one["names"].split(", "), capfirst(text))
    return found


def _hint(kind: type, name: str) -> Any:
    """Return the type of a field or of a property."""
    found = getattr(kind, name, None)
    if isinstance(found, property):
        return get_type_hints(found.fget)["return"]
    return get_type_hints(kind)[name]


def _field(hint: Any, text: str | None = None, **options: Any) -> Any:
    origin, inner = get_origin(hint), get_args(hint)
    if text:
        options["help_text"] = text
    if origin in (Union, types.UnionType):
        [known] = [one for one in inner if one is not types.NoneType]
        return _field(known, allow_null=True, **options)
    if origin in (tuple, list, Sequence):
        if is_dataclass(inner[0]):
            return result_serializer(inner[0])(many=True, **options)  # type: ignore[arg-type]
        return serializers.ListField(child=_field(inner[0]), **options)
    if origin is Mapping:
        return serializers.DictField(child=_field(inner[1]), **options)
    if is_dataclass(hint):
        return result_serializer(hint)(**options)  # type: ignore[arg-type]
    if origin is Literal or issubclass(hint, Enum):
        values = inner or [one.value for one in hint]
        return serializers.ChoiceField(choices=values, **options)
    return PLAIN[hint](**options)
