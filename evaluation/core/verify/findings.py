"""The result of a check."""

import zipfile
import zlib
from dataclasses import dataclass
from enum import StrEnum

# What reading a file of unknown content raises. `pyarrow` has its own subclasses of these.
UNREADABLE = (
    ValueError,
    LookupError,
    ArithmeticError,
    TypeError,
    AttributeError,
    OSError,
    EOFError,
    RuntimeError,
    zipfile.BadZipFile,
    zlib.error,
)


class Outcome(StrEnum):
    """``ok``: recomputed and equal; ``wrong``: differs; ``unchecked``: cannot be recomputed."""

    OK = "ok"
    WRONG = "wrong"
    UNCHECKED = "unchecked"


@dataclass(frozen=True, slots=True)
class Finding:
    """One check of a release.

    Parameters
    ----------
    outcome : Outcome
    place : str
        The file, or the place in the manifest.
    sentence : str
    """

    outcome: Outcome
    place: str
    sentence: str


def ok(place: str, sentence: str) -> Finding:
    return Finding(Outcome.OK, place, sentence)


def wrong(place: str, sentence: str) -> Finding:
    return Finding(Outcome.WRONG, place, sentence)


def unchecked(place: str, sentence: str) -> Finding:
    return Finding(Outcome.UNCHECKED, place, sentence)


def equal(place: str, what: str, *, said: object, found: object) -> Finding:
    """Compare what a file says with what was recomputed."""
    if said == found:
        return ok(place, f"{what}: {_short(found)}")
    return wrong(place, f"{what} is said to be {_short(said)}, and is {_short(found)}")


def _short(value: object, most: int = 120) -> str:
    text = f"{value:,}" if isinstance(value, int) and not isinstance(value, bool) else str(value)
    return text if len(text) <= most else f"{text[:most]} …"
