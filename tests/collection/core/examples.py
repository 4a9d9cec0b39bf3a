"""Small drafts to break: one good pair of twins, and sentences of any length."""

from dataclasses import replace
from typing import Any

from collection.core.rules import Domain, TwinDraft

FIRST = "Dana set the heavy lamp on the old shelf by the door, but soon the _ was too bent again."
SECOND = FIRST.replace("bent", "bright")
GOOD = TwinDraft(
    sentences=(FIRST, SECOND),
    options=("lamp", "shelf"),
    answers=(2, 1),
    anchor="door",
    domain=Domain.PHYSICAL,
)


def draft(**changes: Any) -> TwinDraft:
    """Return the good twins with some fields changed."""
    return replace(GOOD, **changes)


def both(old: str, new: str, **changes: Any) -> TwinDraft:
    """Return the good twins with a text replaced in both sentences."""
    first, second = (sentence.replace(old, new) for sentence in GOOD.sentences)
    return replace(GOOD, sentences=(first, second), **changes)


def of_length(count: int, *, own: int = 1) -> TwinDraft:
    """Return good twins of `count` words, of which the last `own` differ."""
    shared = ["The", "lamp", "and", "shelf", "at", "the", "door:", "_", *["so"] * count]
    first, second = (
        " ".join([*shared[: count - own], *[word] * own]) for word in ("bent", "bright")
    )
    return replace(GOOD, sentences=(first, second))
