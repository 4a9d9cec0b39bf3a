"""Results as JSON and back: dataclasses of numbers, texts, tuples and mappings."""

from __future__ import annotations

import json
import types
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from functools import cache
from typing import Any, TypeVar, Union, get_args, get_origin, get_type_hints

T = TypeVar("T")


def to_json(value: Any) -> bytes:
    """Return a value as JSON; `from_json` with its type gives an equal one."""
    return json.dumps(_plain(value)).encode()


def from_json(kind: type[T], data: bytes) -> T:
    """Return the value of a type that `to_json` wrote.

    Raises
    ------
    ValueError, TypeError, KeyError
        When the JSON is of another type.

    Examples
    --------
    >>> from_json(dict[int, float | None], to_json({1: 0.5, 2: None}))
    {1: 0.5, 2: None}
    """
    found: T = _value_of(kind, json.loads(data))
    return found


def _plain(value: Any) -> Any:
    if is_dataclass(value):
        return {field.name: _plain(getattr(value, field.name)) for field in fields(value)}
    if isinstance(value, Mapping):
        # As pairs: JSON's keys are texts only.
        return [[_plain(key), _plain(one)] for key, one in value.items()]
    if isinstance(value, tuple | list):
        return [_plain(one) for one in value]
    return value.item() if hasattr(value, "item") else value  # of NumPy's numbers


def _value_of(kind: Any, value: Any) -> Any:
    if is_dataclass(kind) and isinstance(kind, type):
        if not isinstance(value, dict) or value.keys() != _types(kind).keys():
            raise ValueError(f"is no {kind.__name__}")
        return kind(**{name: _value_of(one, value[name]) for name, one in _types(kind).items()})
    origin, of = get_origin(kind), get_args(kind)
    if origin in (Union, types.UnionType):
        [one] = [one for one in of if one is not type(None)]
        return None if value is None else _value_of(one, value)
    if origin is tuple:
        return tuple(_value_of(of[0], one) for one in value)
    if origin is not None and issubclass(origin, Mapping):
        return {_value_of(of[0], key): _value_of(of[1], one) for key, one in value}
    if kind in (int, float, bool, str) and not isinstance(value, kind):
        raise ValueError(f"is no {kind.__name__}")
    return value


@cache
def _types(kind: type) -> dict[str, Any]:
    hints = get_type_hints(kind)
    return {field.name: hints[field.name] for field in fields(kind)}
