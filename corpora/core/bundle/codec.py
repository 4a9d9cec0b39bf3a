"""Convert frozen dataclasses to canonical JSON and back, with errors that name the field."""

import dataclasses
import json
import math
import re
import types
from collections.abc import Mapping
from enum import StrEnum
from functools import cache
from typing import Any, TypeVar, Union, get_args, get_origin, get_type_hints

T = TypeVar("T")
_LATER = "later"
_UNWRITABLE = re.compile("[\0\ud800-\udfff]")  # no row, or no file, can hold them
_PLAIN: dict[type, str] = {str: "a text", int: "an integer", bool: "true or false"}


def later_field() -> Any:
    """Return a field that earlier formats lack: it is left out of the text while it is None."""
    return dataclasses.field(default=None, metadata={_LATER: True})


def to_json(value: Any) -> str:
    """Return the one JSON text of a dataclass: sorted keys, two spaces, a newline at the end.

    Raises
    ------
    ValueError
        When a number is not finite.
    """
    return _text(value, indent=2)


def to_line(value: Any) -> str:
    """Return the one JSON line of a dataclass: sorted keys, no spaces, a newline at the end."""
    return _text(value, separators=(",", ":"))


def _text(value: Any, **layout: Any) -> str:
    plain = _plain_value(value)
    return json.dumps(plain, sort_keys=True, ensure_ascii=False, allow_nan=False, **layout) + "\n"


def _plain_value(value: Any) -> Any:
    if dataclasses.is_dataclass(value):
        held = ((field, getattr(value, field.name)) for field in dataclasses.fields(value))
        return {
            field.name: _plain_value(part)
            for field, part in held
            if part is not None or not field.metadata.get(_LATER)
        }
    if isinstance(value, Mapping):
        return {key: _plain_value(part) for key, part in value.items()}
    if isinstance(value, list | tuple):
        return [_plain_value(part) for part in value]
    return value


def from_json(kind: type[T], text: str) -> T:
    """Read a dataclass from the JSON of `to_json` or `to_line`.

    Raises
    ------
    ValueError
        When the text is not JSON, or a field is missing, unknown, of another type or breaks a
        rule of its class. The message names the field, such as ``splits.dev.pairs``.
    """
    try:
        plain = json.loads(text, parse_constant=_refuse, object_pairs_hook=_distinct)
    except (json.JSONDecodeError, RecursionError) as error:
        raise ValueError(f"The text is not JSON: {error}") from error
    return value_of(kind, plain)


def value_of(kind: type[T], plain: Any) -> T:
    """Return the value of a type from JSON values; errors as of `from_json`.

    >>> value_of(tuple[float, ...], [1, 0.5])
    (1.0, 0.5)
    """
    value: T = _convert(kind, plain, "")
    return value


def _refuse(constant: str) -> Any:
    raise ValueError(f"numbers must be finite, got {constant}")


def _distinct(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    fields = dict(pairs)
    if len(fields) < len(pairs):
        raise ValueError(f"keys of an object must differ, got {sorted(key for key, _ in pairs)}")
    return fields


def _convert(kind: Any, value: Any, path: str) -> Any:
    """Convert a JSON value to a type: a dataclass, tuple, mapping, optional, plain type or Any.

    Keys of a mapping are texts, or members of an enumeration of texts.
    """
    origin, inner = get_origin(kind), get_args(kind)
    if kind is Any:
        return value
    if origin in (Union, types.UnionType):
        (some,) = (each for each in inner if each is not type(None))
        return None if value is None else _convert(some, value, path)
    if origin is tuple:
        _require(isinstance(value, list), path, "a list", value)
        return tuple(_convert(inner[0], each, f"{path}[{at}]") for at, each in enumerate(value))
    if origin is Mapping:
        _require(isinstance(value, dict), path, "an object", value)
        return {
            _convert(inner[0], key, _join(path, key)): _convert(inner[1], each, _join(path, key))
            for key, each in value.items()
        }
    if dataclasses.is_dataclass(kind):
        return _read_dataclass(kind, value, path)
    return _read_plain(kind, value, path)


def _read_dataclass(kind: Any, value: Any, path: str) -> Any:
    _require(isinstance(value, dict), path, "an object", value)
    hints, fields = _hints(kind), dataclasses.fields(kind)
    for name in value:
        if name not in hints:
            raise ValueError(f"{_join(path, name)} is not a field of {kind.__name__}")
    for field in fields:
        missing = field.name not in value
        if missing and field.default is field.default_factory is dataclasses.MISSING:
            raise ValueError(f"{_join(path, field.name)} is missing")
    arguments = {
        name: _convert(hints[name], each, _join(path, name)) for name, each in value.items()
    }
    try:
        return kind(**arguments)
    except ValueError as error:
        raise ValueError(_join(path, str(error))) from error


@cache
def _hints(kind: Any) -> dict[str, Any]:
    return get_type_hints(kind)


def _read_plain(kind: type, value: Any, path: str) -> Any:
    if issubclass(kind, StrEnum):
        values = [member.value for member in kind]
        _require(value in values, path, f"one of {', '.join(values)}", value)
        return kind(value)
    if kind is float:
        number = isinstance(value, int | float) and not isinstance(value, bool)
        _require(number and math.isfinite(value), path, "a finite number", value)
        return float(value)
    _require(type(value) is kind, path, _PLAIN[kind], value)
    if kind is str:
        _require(
            not _UNWRITABLE.search(value), path, "a text without lone surrogates or NUL", value
        )
    return value


def _require(holds: bool, path: str, rule: str, value: Any) -> None:
    if not holds:
        text = json.dumps(value)
        text = text if len(text) <= 80 else f"{text[:79]}…"
        raise ValueError(f"{path or 'the manifest'} must be {rule}, got {text}")


def _join(path: str, name: str) -> str:
    return f"{path}.{name}" if path else name
