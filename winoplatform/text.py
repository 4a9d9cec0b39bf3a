"""The form in which text is taken in: from pages, from programs and from files."""

import unicodedata
from typing import Any

SECRETS = ("password", "secret", "token")
"""A value whose name contains one of these words is taken as it is."""


def entered(text: str) -> str:
    """Return *text* with each line break as one character, and in Unicode's composed form (NFC).

    Forms send a line break as two characters, which would count twice against a limit. Composed and
    decomposed letters look the same, so one of the two would be "missing" from the other's text.

    >>> entered("a\\r\\nb\\rc"), len(entered("e\\u0301"))
    ('a\\nb\\nc', 1)
    """
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    return text if text.isascii() else unicodedata.normalize("NFC", text)


def is_secret(name: str) -> bool:
    return any(word in name.lower() for word in SECRETS)


def entered_json(value: Any) -> Any:
    """Return a parsed JSON value with all its text as `entered`, except secrets; keys stay."""
    if isinstance(value, str):
        return entered(value)
    if isinstance(value, list):
        return [entered_json(each) for each in value]
    if isinstance(value, dict):
        return {
            name: each if is_secret(str(name)) else entered_json(each)
            for name, each in value.items()
        }
    return value
