"""Serializers of responses that follow from dataclasses and tables."""

import inspect
import re
import types
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields, is_dataclass
from datetime import date, datetime
from decimal import Decimal
from enum import Enum
from functools import cache
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from django.core.exceptions import FieldDoesNotExist
from django.db.models import Model
from django.utils.text import capfirst
from rest_framework import serializers
from rest_framework.utils.field_mapping import ClassLookupDict

# "name, name : type" and the indented text below it.
PARAMETER = re.compile(r"^(?P<names>\w+(?:, \w+)*)(?: : .*)?\n(?P<text>(?: {4}.+(?:\n|$))+)", re.M)


KEYS = ("slug", "public_id", "name")
"""What other rows are named by; the first that a table has."""


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
    """The fields of a dataclass, or those of it or of a table that ``Meta.fields`` names.

    Types are those of ``Meta.of``, and help texts those of its docstring or columns; ``Meta.help``
    has others by name. A field that the class declares replaces another one. In ``Meta.fields``, a
    property is named as a field is, and ``vote.worker`` is the field ``worker`` of what the field
    ``vote`` has; ``Meta.paths`` has such paths of fields with other names.
    """

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        meta = cls.Meta  # type: ignore[attr-defined]
        if cls.__doc__ is None:
            cls.__doc__ = (meta.of.__doc__ or "").partition("\n\n")[0]

    def get_fields(self) -> dict[str, Any]:
        declared, meta = super().get_fields(), self.Meta  # type: ignore[attr-defined]
        names = getattr(meta, "fields", None)
        paths = paths_of(meta, names or [*(one.name for one in fields(meta.of)), *declared])
        texts = getattr(meta, "help", {})
        return {
            name: declared.get(name) or field_at(meta.of, path, name=name, text=texts.get(name))
            for name, path in paths.items()
        }


@cache
def result_serializer(kind: type) -> type[ResultSerializer]:
    """Return a serializer of all fields of a dataclass, with its summary."""
    meta = type("Meta", (), {"of": kind})
    return type(f"{kind.__name__}Serializer", (ResultSerializer,), {"Meta": meta})


def paths_of(meta: Any, names: Iterable[str]) -> dict[str, str]:
    """Return the path of each field by its name."""
    others = getattr(meta, "paths", {})
    return {(name := path.rpartition(".")[2]): others.get(name, path) for path in names}


def field_at(kind: type, path: str, *, name: str, text: str | None = None) -> Any:
    """Return the field for what stands at a path of a dataclass or of a row, under a name.

    Another row at its end is shown by its key. The field is not required where a row on the way may
    be missing.
    """
    *way, last = path.split(".")
    is_null = False
    for step in way:
        kind, may_miss = _step(kind, step)
        is_null |= may_miss
    row, may_miss = _step(kind, last)
    if isinstance(row, type) and issubclass(row, Model):
        way, kind, last, is_null = [*way, last], row, key_of(row), is_null or may_miss
    column = column_of(kind, "public_id" if last == "id" else last)
    source = ".".join([*way, column.name if column else last])
    options: dict[str, Any] = {} if source == name else {"source": source}
    options |= {"allow_null": True, "default": None} if is_null else {}
    if column is None:
        return _field(_hint(kind, last), text or _text_of(kind, last), **options)
    text = text or ("" if last in ("id", *KEYS) else column.help_text)
    return _of_column(column, {"help_text": text} | options if text else options)


def _step(kind: type, name: str) -> tuple[Any, bool]:
    """Return what a field holds, and whether it may hold nothing."""
    column = column_of(kind, name)
    if column is not None:
        is_row = column.many_to_one or column.one_to_one
        return (column.related_model if is_row else None), column.null
    return _without_none(_hint(kind, name))


def _without_none(hint: Any) -> tuple[Any, bool]:
    """Return a type, and whether None may stand in its place."""
    if get_origin(hint) not in (Union, types.UnionType):
        return hint, False
    [plain] = [kind for kind in get_args(hint) if kind is not types.NoneType]
    return plain, True


def _of_column(column: Any, options: dict[str, Any]) -> Any:
    if column.null:
        options["allow_null"] = True
    if column.choices:
        return serializers.ChoiceField(choices=column.choices, allow_blank=column.blank, **options)
    kinds: Any = ClassLookupDict(serializers.ModelSerializer.serializer_field_mapping)
    kind = kinds[column]
    if kind is serializers.DecimalField:
        options |= {"max_digits": column.max_digits, "decimal_places": column.decimal_places}
    return kind(**options)


def key_of(row: type[Model]) -> str:
    """Return the name of the column that other rows are named by."""
    return next(name for name in KEYS if column_of(row, name))


def column_of(kind: type, name: str) -> Any:
    """Return a column of a row; None if there is none of this name."""
    try:
        return kind._meta.get_field(name) if issubclass(kind, Model) else None
    except FieldDoesNotExist:
        return None


@cache
def texts_of(kind: type) -> dict[str, str]:
    """Return the texts of a dataclass's parameters, by name, as a reader of JSON needs them."""
    doc = "\n".join(inspect.cleandoc(base.__doc__ or "") for base in reversed(kind.__mro__[:-1]))
    texts: dict[str, str] = {}
    for match in PARAMETER.finditer(doc):
        texts |= dict.fromkeys(match["names"].split(", "), _for_json(match["text"]))
    return texts


def _for_json(text: str) -> str:
    words = " ".join(text.split()).replace("``", "`")
    return str(capfirst(re.sub(r"\bNone\b", "null", words)))


def _text_of(kind: type, name: str) -> str | None:
    """Return the text of a field, or the summary of a property."""
    found = getattr(kind, name, None)
    if isinstance(found, property):
        return _for_json((inspect.getdoc(found) or "").partition("\n\n")[0])
    return texts_of(kind).get(name)


@cache
def _hint(kind: type, name: str) -> Any:
    """Return the type of a field or of a property."""
    hint = getattr(kind, name, None)
    if isinstance(hint, property):
        return get_type_hints(hint.fget)["return"]
    return get_type_hints(kind)[name]


def _field(hint: Any, text: str | None = None, **options: Any) -> Any:
    hint, may_be_none = _without_none(hint)
    origin, inner = get_origin(hint), get_args(hint)
    if text:
        options["help_text"] = text
    if may_be_none:
        options["allow_null"] = True
    if origin in (tuple, list, Sequence):
        if is_dataclass(inner[0]):
            return result_serializer(inner[0])(many=True, **options)  # type: ignore[arg-type]
        if origin is tuple and inner[1:] == inner[:1]:
            options |= {"min_length": 2, "max_length": 2}
        return serializers.ListField(child=_field(inner[0]), **options)
    if origin in (Mapping, dict):
        return serializers.DictField(child=_field(inner[1]), **options)
    if is_dataclass(hint):
        return result_serializer(hint)(**options)  # type: ignore[arg-type]
    if origin is Literal or issubclass(hint, Enum):
        values = inner or [member.value for member in hint]
        return serializers.ChoiceField(choices=values, **options)
    return PLAIN[hint](**options)
