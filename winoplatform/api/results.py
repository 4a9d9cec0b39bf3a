"""Serializers of responses that follow from dataclasses."""

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
    """The fields of a dataclass, or those that ``Meta.fields`` names.

    Types are those of the dataclass, and help texts those of its docstring; ``Meta.help`` has
    others by name. A field that the class declares replaces that of the dataclass. In
    ``Meta.fields``, a property is named as a field is, and ``vote.worker`` is the field ``worker``
    of what the field ``vote`` has; ``Meta.paths`` has such paths of fields with other names.
    """

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        meta = cls.Meta  # type: ignore[attr-defined]
        if cls.__doc__ is None:
            cls.__doc__ = (meta.dataclass.__doc__ or "").partition("\n\n")[0]
        if meta is cls.__dict__.get("Meta"):
            _declared.setdefault(meta.dataclass, cls)

    def get_fields(self) -> dict[str, Any]:
        declared, meta = super().get_fields(), self.Meta  # type: ignore[attr-defined]
        known = [field.name for field in fields(meta.dataclass)]
        paths = paths_of(meta, getattr(meta, "fields", None) or [*known, *declared])
        texts = getattr(meta, "help", {})
        return {
            name: declared.get(name) or field_at(meta.dataclass, path, texts.get(name))
            for name, path in paths.items()
        }


_declared: dict[type, type[ResultSerializer]] = {}


def result_serializer(kind: type) -> type[ResultSerializer]:
    """Return the serializer declared for a dataclass; else one with the docstring's summary."""
    if kind not in _declared:
        meta = type("Meta", (), {"dataclass": kind})
        type(f"{kind.__name__}Serializer", (ResultSerializer,), {"Meta": meta})
    return _declared[kind]


def paths_of(meta: Any, names: Iterable[str]) -> dict[str, str]:
    """Return the path of each field by its name."""
    others = getattr(meta, "paths", {})
    return {(name := path.rpartition(".")[2]): others.get(name, path) for path in names}


def field_at(kind: type, path: str, text: str | None = None) -> Any:
    """Return the field for what stands at a path of a dataclass or of a model.

    It is not required where a row on the way may be missing.
    """
    *way, name = path.split(".")
    is_null = False
    for step in way:
        kind, may_miss = _step(kind, step)
        is_null |= may_miss
    if not issubclass(kind, Model) and _is_row(_hint(kind, name)):
        kind, way, name = _hint(kind, name), path.split("."), key_of(_hint(kind, name)).name
    if issubclass(kind, Model):
        return _of_row(kind, name, way, text, is_null=is_null)
    options: dict[str, Any] = {"source": path} if way else {}
    options |= {"allow_null": True, "default": None} if is_null else {}
    return _field(_hint(kind, name), text or texts_of(kind).get(name), **options)


def _step(kind: type, name: str) -> tuple[type, bool]:
    """Return what a field holds, and whether it may hold nothing."""
    found = relation_of(kind, name) if issubclass(kind, Model) else None
    if found is not None:
        return found.related_model, found.null  # type: ignore[return-value]
    hint = _hint(kind, name)
    if get_origin(hint) in (Union, types.UnionType):
        [known] = [one for one in get_args(hint) if one is not types.NoneType]
        return known, True
    return hint, False


def _of_row(
    kind: type[Model], name: str, way: list[str], text: str | None, *, is_null: bool
) -> Any:
    """Return the field for a column, for the key of another row, or for a property of a row."""
    found = relation_of(kind, name)
    if found is not None:
        column, is_null = key_of(found.related_model), is_null or found.null
        path = [*way, name, column.name]
    else:
        column = column_of(kind, "public_id" if name == "id" else name)
        path = [*way, column.name if column else name]
        text = text or (column.help_text if column and name != "id" else "")
    options: dict[str, Any] = {} if path == [name] else {"source": ".".join(path)}
    options |= {"allow_null": True, "default": None} if is_null else {}
    if column is None:
        return _field(_hint(kind, name), text or texts_of(kind).get(name), **options)
    return _of_column(column, {"help_text": text} | options if text else options)


def _of_column(column: Any, options: dict[str, Any]) -> Any:
    if column.null:
        options["allow_null"] = True
    if column.choices:
        return serializers.ChoiceField(column.choices, allow_blank=column.blank, **options)
    kind = ClassLookupDict(serializers.ModelSerializer.serializer_field_mapping)[column]
    if kind is serializers.DecimalField:
        options |= {"max_digits": column.max_digits, "decimal_places": column.decimal_places}
    return kind(**options)


def _is_row(hint: Any) -> bool:
    return isinstance(hint, type) and issubclass(hint, Model)


def relation_of(kind: type[Model], name: str) -> Any:
    """Return the column by which a row refers to another one; None if *name* is none."""
    column = column_of(kind, name)
    return column if column is not None and (column.many_to_one or column.one_to_one) else None


def key_of(kind: type[Model]) -> Any:
    """Return the column that other rows are named by."""
    return next(column for name in KEYS if (column := column_of(kind, name)))


def column_of(kind: type[Model], name: str) -> Any:
    """Return a column; None if there is none of this name."""
    try:
        return kind._meta.get_field(name)
    except FieldDoesNotExist:
        return None


@cache
def texts_of(kind: type) -> dict[str, str]:
    """Return the texts of a dataclass's parameters, by name, as a reader of JSON needs them."""
    doc = "\n".join(inspect.cleandoc(one.__doc__ or "") for one in reversed(kind.__mro__[:-1]))
    found: dict[str, str] = {}
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
        if origin is tuple and inner[1:] == inner[:1]:
            options |= {"min_length": 2, "max_length": 2}
        return serializers.ListField(child=_field(inner[0]), **options)
    if origin is Mapping:
        return serializers.DictField(child=_field(inner[1]), **options)
    if is_dataclass(hint):
        return result_serializer(hint)(**options)  # type: ignore[arg-type]
    if origin is Literal or issubclass(hint, Enum):
        values = inner or [one.value for one in hint]
        return serializers.ChoiceField(choices=values, **options)
    return PLAIN[hint](**options)
