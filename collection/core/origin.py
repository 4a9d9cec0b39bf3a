"""The origin of a twin's text, typed or pasted: a flag for researchers, never a penalty."""

from enum import StrEnum

PASTED_FROM = 2 / 3
"""The share of pasted characters from which a twin counts as pasted.

Writers often type one sentence and copy it for the other: then up to a half is pasted. Only text
from elsewhere exceeds two thirds.
"""


FASTEST = 20
"""Characters per second beyond any typist: the fastest on record reach about 18."""


class Origin(StrEnum):
    """The origin of a twin's text, as counted by the page."""

    TYPED = "typed"
    PASTED = "pasted"
    UNKNOWN = "unknown"


def origin_flag(
    *,
    typed_characters: int,
    pasted_characters: int,
    largest_insert: int = 0,
    active_seconds: int | None = None,
) -> Origin:
    """Return whether a twin's text was typed here or pasted.

    Parameters
    ----------
    typed_characters, pasted_characters : int
        As the page counted them.
    largest_insert : int
        The longest run of characters inserted at once, pasted or not: text inserted without the
        clipboard is visible only here.
    active_seconds : int, optional
        The time spent on it, if counted: text faster than any typist was not typed.

    Returns
    -------
    Origin
        ``unknown`` if nothing was counted, as for twins of programs and imports.

    >>> origin_flag(typed_characters=220, pasted_characters=110).value
    'typed'
    >>> origin_flag(typed_characters=20, pasted_characters=210).value
    'pasted'
    >>> origin_flag(typed_characters=220, pasted_characters=0, active_seconds=0).value
    'pasted'
    >>> origin_flag(typed_characters=0, pasted_characters=0).value
    'unknown'
    """
    at_once = max(pasted_characters, largest_insert)
    counted = typed_characters + at_once
    if not counted:
        return Origin.UNKNOWN
    is_too_fast = active_seconds is not None and typed_characters > FASTEST * (active_seconds + 1)
    if is_too_fast or at_once >= PASTED_FROM * counted:
        return Origin.PASTED
    return Origin.TYPED


def pasted_share(typed_characters: int, pasted_characters: int) -> float | None:
    """Return the share of a text's characters that were pasted; None if none were counted.

    >>> pasted_share(30, 10)
    0.25
    """
    counted = typed_characters + pasted_characters
    return pasted_characters / counted if counted else None
