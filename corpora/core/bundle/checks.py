"""Rules of single values of a manifest; each error names the field."""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from datetime import datetime

_SHA256 = re.compile(r"[0-9a-f]{64}")
_MONEY = re.compile(r"\d+(\.\d+)?", re.ASCII)
_MONTH = re.compile(r"\d{4}-(0[1-9]|1[0-2])", re.ASCII)
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}")
_VERSION = re.compile(r"(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)", re.ASCII)


def sha256(name: str, value: str) -> None:
    _match(name, value, _SHA256, "64 lower-case hexadecimal digits")


def money(name: str, value: str | None) -> None:
    if value is not None:
        _match(name, value, _MONEY, "a decimal number as a text")


def plain_name(name: str, value: str) -> None:
    _match(name, value, _NAME, "at most 100 letters, digits, dots, dashes and underscores")


def version(name: str, value: str) -> None:
    _match(name, value, _VERSION, "three numbers, such as 1.0.0")


def path(name: str, value: str) -> None:
    for part in value.split("/"):
        plain_name(name, part)


def date(name: str, value: str | None) -> None:
    try:
        datetime.fromisoformat(value or "2000-01-01")
    except ValueError:
        raise ValueError(f"{name} must be an ISO 8601 date, got {value!r}") from None


def month(name: str, value: str | None) -> None:
    if value is not None:
        _match(name, value, _MONTH, "a month, such as 2026-01")


def counts(name: str, numbers: Mapping[str, int]) -> None:
    for key, count in numbers.items():
        at_least_zero(**{f"{name}.{key}": count})


def at_least_zero(**numbers: int | None) -> None:
    for name, count in numbers.items():
        if count is not None and count < 0:
            raise ValueError(f"{name} must be at least 0, got {count}")


def differ_in_name(name: str, values: Iterable[str]) -> None:
    for value, count in Counter(values).items():
        if count > 1:
            raise ValueError(f"{name} must differ in name, got {value!r}")


def one_of(name: str, value: str, known: Collection[str]) -> None:
    if value not in known:
        raise ValueError(f"{name} must be one of {', '.join(map(repr, known))}, got {value!r:.80}")


def _match(name: str, value: str, pattern: re.Pattern[str], rule: str) -> None:
    if not pattern.fullmatch(value):
        raise ValueError(f"{name} must be {rule}, got {value!r}")
