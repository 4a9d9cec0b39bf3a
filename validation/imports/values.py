"""Check the values of an exported row, and convert them for the database. Pure functions."""

import json
import math
import re
import uuid
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from collection.models import Campaign, Twin
from validation.models import Vote
from winoplatform.exporting.columns import MARK, RUNS, Column, Kind
from workers.models import Qualification, User

LONGEST_TEXT = 10_000
LONGEST = {
    "question": 32, "author": 32, "worker": 32, "decided_by": 32, "excluded_by": 32, "by": 32,
    "source_id": 200, "anchor": 120, "option1": 120, "option2": 120, "comment": 500,
    "published_by": 32, "asked_by": 200, "contact": 200, "text": 50_000, "aids_policy": 50_000,
    "monitoring": 50_000, "data_use": 50_000, "exclusion_reason": 500, "person": 32,
    "person_platform": 80, "campaign_platform": 80,
}  # fmt: skip
ONE_OR_TWO = (1, 2)
ALLOWED: dict[str, Any] = {
    "domain": Twin.Domain.values,
    "origin": Twin.Origin.values,
    "source_split": ["", *Twin.SourceSplit.values],
    "campaign_origin": ["", *User.Origin.values],
    "person_origin": User.Origin.values,
    "policy": Campaign.Policy.values,
    "verdict_policy": ["", *Campaign.Policy.values],
    "skill": Qualification.Skill.values,
    "report": Vote.Report.values,
    **dict.fromkeys(("number", "answer", "option", "local_option", "version"), ONE_OR_TWO),
}
IDS = ("guideline", "consent", "twin", "vote", "revises", "draw_table", "change")  # UUIDs
FLAGS = {"true": True, "false": False}
# The escape of a NUL; after another backslash it is these six characters.
_NUL = re.compile(r"(?<!\\)(?:\\\\)*\\u0000")
_MARKED = re.compile(MARK + RUNS.removeprefix("^"))


def from_text(name: str, column: Column, text: str) -> Any:
    """Return the value of a CSV field.

    Raises
    ------
    ValueError
        With a sentence for people.
    """
    if text == "" and (column.nullable or column.kind not in (Kind.TEXT, Kind.TYPED)):
        return None
    try:
        return _READ[column.kind](text)
    except (ValueError, KeyError, RecursionError):
        raise ValueError(f"The column {name} is not a valid {column.kind}.") from None


def _unguarded(text: str) -> str:
    return text[1:] if _MARKED.match(text) else text


_READ: dict[Kind, Any] = {
    Kind.TEXT: str,
    Kind.TYPED: _unguarded,
    Kind.INTEGER: int,
    Kind.NUMBER: float,
    Kind.FLAG: FLAGS.__getitem__,
    Kind.TIME: str,
    Kind.JSON: json.loads,
}


def for_database(columns: Mapping[str, Column], row: Mapping[str, Any]) -> list[Any]:
    """Return the values of a row in the order of *columns*, JSON as text.

    Raises
    ------
    ValueError
        With a sentence for people, for a wrong column, type, length or choice.
    """
    if row.keys() != columns.keys():
        wrong = sorted(row.keys() ^ columns.keys())
        raise ValueError(f"These columns are missing or unknown: {', '.join(map(str, wrong))}.")
    return [_checked(name, column, row[name]) for name, column in columns.items()]


def _checked(name: str, column: Column, value: Any) -> Any:
    if value is None:
        if not column.nullable:
            raise ValueError(f"The column {name} must not be empty.")
        return None
    converted = _CONVERT[column.kind](name, value)
    if name in ALLOWED and converted not in ALLOWED[name]:
        raise ValueError(f"The column {name} has the value {str(converted)[:40]!r}.")
    return converted


def _text(name: str, value: Any) -> str:
    if not isinstance(value, str):
        raise ValueError(f"The column {name} is not text.")
    if len(value) > LONGEST.get(name, LONGEST_TEXT):
        raise ValueError(f"The column {name} is too long.")
    _refuse_unstorable(name, value)
    if name in IDS:
        try:
            return str(uuid.UUID(value))
        except ValueError:
            raise ValueError(f"The column {name} is not a UUID.") from None
    return value


def _refuse_unstorable(name: str, text: str) -> None:
    if "\0" in text or any("\ud800" <= character <= "\udfff" for character in text):
        raise ValueError(f"The column {name} has a character that cannot be stored.")


def _integer(name: str, value: Any) -> int:
    if type(value) is not int or not -(2**31) <= value < 2**31:
        raise ValueError(f"The column {name} is not an integer.")
    return value


def _number(name: str, value: Any) -> float:
    if type(value) not in (int, float) or not math.isfinite(value):
        raise ValueError(f"The column {name} is not a number.")
    return float(value)


def _flag(name: str, value: Any) -> bool:
    if type(value) is not bool:
        raise ValueError(f"The column {name} is neither true nor false.")
    return value


def _time(name: str, value: Any) -> datetime:
    try:
        moment = value if isinstance(value, datetime) else datetime.fromisoformat(value)
        if moment.tzinfo is not None:
            return moment
    except (TypeError, ValueError):
        pass
    raise ValueError(f"The column {name} is not a time with its zone.")


def _json(name: str, value: Any) -> str:
    if not isinstance(value, dict | list):
        raise ValueError(f"The column {name} is neither a list nor an object.")
    try:
        text = json.dumps(value, ensure_ascii=False, allow_nan=False)
    except (ValueError, RecursionError):
        raise ValueError(f"The column {name} cannot be stored.") from None
    if len(text) > LONGEST_TEXT or _NUL.search(text):
        raise ValueError(f"The column {name} cannot be stored.")
    _refuse_unstorable(name, text)
    return text


_CONVERT: dict[Kind, Any] = {
    Kind.TEXT: _text,
    Kind.TYPED: _text,
    Kind.INTEGER: _integer,
    Kind.NUMBER: _number,
    Kind.FLAG: _flag,
    Kind.TIME: _time,
    Kind.JSON: _json,
}
