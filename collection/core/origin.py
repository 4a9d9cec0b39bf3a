"""How the text of a twin came to be: a flag for those who study the data, never a penalty."""

from enum import StrEnum

PASTED_FROM = 2 / 3
"""The share of characters that came at once from which a twin counts as pasted.

Who writes one sentence and copies it over for the other, as twins invite to, types about as much
as comes at once: a share of up to a half. Two thirds are passed only by text from elsewhere.
"""


FASTEST = 20
"""Characters a second that nobody types: the fastest typists on record reach about 18."""


class Origin(StrEnum):
    """What the page saw of a twin's writing."""

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
    """Say whether a twin's text was typed here or came in as a whole.

    Parameters
    ----------
    typed_characters, pasted_characters : int
        As the page counted them.
    largest_insert : int
        The longest run of characters that came at once, pasted or not: text that is put in
        without the clipboard shows here alone.
    active_seconds : int, optional
        The time spent on it, if it was counted: who was faster than anybody types did not type.

    Returns
    -------
    Origin
        ``unknown`` where nothing was counted, as for twins of programs and imports.

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
    """Return the share of a text's characters that were pasted; None where none was counted.

    >>> pasted_share(30, 10)
    0.25
    """
    counted = typed_characters + pasted_characters
    return pasted_characters / counted if counted else None
