"""Where a text has its answer in a mark that is made for it: a tag, a JSON field, a box, bold."""

import json
import re
from collections import deque
from collections.abc import Iterator
from typing import Any

_TAG_NAME = "(?:final[_ -]?)?(?:answer|result|solution|output|response|choice|option|label|final)"
_TAG = re.compile(rf"<({_TAG_NAME})(?:\s[^<>\n]{{0,80}})?>|\[(answer)\]", re.IGNORECASE)
_TAG_END = re.compile(rf"<\s?/\s?{_TAG_NAME}\s?>|\[/answer\]", re.IGNORECASE)
_BOX = re.compile(r"\\f?box(?:ed)?\s?\{")
_COMMAND = re.compile(r"\\[a-z]{1,20}|[{}\\]")
_DOUBLE = re.compile(r"\[\[([^\[\]\n]{1,200})\]\]")
_BOLD = re.compile(r"(?<!\*)(?:\*{2,3}|__)(?=[^\s*_])([^*_\n]{1,200})(?:\*{2,3}|__)")
_FENCE = re.compile(r"```[a-z]{0,10}\n?", re.IGNORECASE)
_KEYS = (
    r"(?:(?:final|correct|predicted|selected|chosen|best|my|model)[_ ]?)?"
    r"(?:answer|prediction|predicted|choice|selected|selection|option|label|letter|verdict|result|"
    r"response|output|value|text|pred|ans|guess|pick|referent|antecedent)"
    r"(?:[_ ](?:label|letter|text|option|choice|number|id))?"
)
_KEY = re.compile(_KEYS)
_FIELD = re.compile(
    rf"[{{,\s](?P<quote>[\"']?){_KEYS}(?P=quote)\s?:\s?"
    r"(?:\"(?P<double>[^\"\n]{0,200})|'(?P<single>[^'\n]{0,200})|(?P<plain>[\w.+-]{1,40}))",
    re.IGNORECASE,
)


def marked(text: str) -> str | None:
    """Return the content of the last mark of an answer; None if a text has no mark.

    A mark is an answer tag, a JSON field for an answer, a box or ``[[…]]``. An empty
    string is a mark with nothing in it.

    >>> marked('{"reason": "It is not 1.", "answer": 2}')
    '2'
    """
    for finder in (_tagged, _in_json, _boxed, _doubled):
        if (content := finder(text)) is not None:
            return content
    return None


def _tagged(text: str) -> str | None:
    begin = last_match(_TAG, text)
    if begin is None:
        return None
    end = _TAG_END.search(text, begin.end())
    return text[begin.end() : end.start() if end else None]


def _in_json(text: str) -> str | None:
    plain = _FENCE.sub("", text).strip()
    if plain[:1] in ("{", "["):
        try:
            return _value(json.loads(plain))
        except (ValueError, RecursionError):
            pass
    if "{" not in plain:
        return None
    field = last_match(_FIELD, plain)
    return None if field is None else next((group for group in field.groups()[1:] if group), "")


def numbers_by_name(text: str) -> dict[str, float]:
    """Return a text that is a JSON object of numbers, or true and false, by name; else nothing."""
    try:
        values = json.loads(_FENCE.sub("", text).strip())
    except (ValueError, RecursionError):
        return {}
    if not isinstance(values, dict) or not all(
        isinstance(value, int | float) for value in values.values()
    ):
        return {}
    return values


def _value(value: Any) -> str | None:
    """Return the answer in a JSON value: of an object, that of a key such as “answer”."""
    if isinstance(value, dict):
        keys = [key for key in value if _KEY.fullmatch(key.casefold())]
        key = next((key for key in keys if "answer" in key.casefold()), *keys[:1] or [None])
        return None if key is None else _value(value[key])
    if isinstance(value, list):
        return " or ".join(_value(part) or "" for part in value)
    return "" if value is None else str(value)


def _boxed(text: str) -> str | None:
    box = last_match(_BOX, text)
    if box is None:
        return None
    depth = 1
    for place, letter in enumerate(text[box.end() :], box.end()):
        depth += {"{": 1, "}": -1}.get(letter, 0)
        if depth == 0:
            return _COMMAND.sub(" ", text[box.end() : place])
    return _COMMAND.sub(" ", text[box.end() :])


def after_box(text: str) -> str | None:
    """Return what follows the last box; None without one."""
    box = last_match(_BOX, text)
    return None if box is None else text[box.end() :].partition("}")[2].lstrip("}$ .")


def _doubled(text: str) -> str | None:
    match = last_match(_DOUBLE, text)
    return None if match is None else match[1]


def in_bold(text: str) -> Iterator[str]:
    """Yield what a text has in bold."""
    return (match[1] for match in _BOLD.finditer(text))


def last_match(pattern: re.Pattern[str], text: str) -> re.Match[str] | None:
    """Return the last match of a pattern; None if it has none."""
    last = deque(pattern.finditer(text), maxlen=1)
    return last[0] if last else None
