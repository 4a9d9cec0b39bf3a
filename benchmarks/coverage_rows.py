"""What `benchmarks.coverage` simulates: rows of intervals and rows of notes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

Draw = Callable[[np.random.Generator], "Pair"]
Pair = tuple[bool | None, bool | None]
"""Before and after: whether an interval holds the truth, or a note is set; None: none is given."""


@dataclass(frozen=True, slots=True)
class Interval:
    """An interval at one setting; its ``draw`` simulates one set and looks for the truth in it.

    ``is_outside``: the truth is none of those that the interval is for, which the page names.
    """

    figure: str
    setting: str
    draw: Draw
    is_outside: bool = False


@dataclass(frozen=True, slots=True)
class Note:
    """A family of notes at one setting, on sets for which no note of it is true.

    ``level`` is the stated probability of any note of the family on a page; None for a rule, which
    is no test.
    """

    figure: str
    setting: str
    draw: Draw
    level: float | None = 0.05


Row = Interval | Note


def holds(found: object, truth: float, *, low: str = "low", high: str = "high") -> bool | None:
    """Return whether an estimate's interval holds the truth; None if it has no interval."""
    ends = getattr(found, low), getattr(found, high)
    return None if None in ends else bool(ends[0] <= truth <= ends[1])
