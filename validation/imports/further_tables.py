"""Further tables of an import, of the apps above."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from django.db.backends.utils import CursorWrapper


@dataclass(frozen=True, slots=True)
class Part:
    """How the table of a file is checked and stored, after twins, questions and votes.

    Parameters
    ----------
    checks : tuple of (str, str)
        A query of the lines of ``staged_<name>`` that are wrong, and the sentence that says why.
    store : callable
        Stores the staged rows that are not stored; returns their number. It may refuse the file.
    is_exact : bool
        Whether an export must give each row again, also if the platform has learned more since.
    """

    checks: tuple[tuple[str, str], ...]
    store: Callable[[CursorWrapper, Path], int]
    is_exact: bool = True


PARTS: dict[str, Part] = {}
"""By name of the file, in the order of storing."""
