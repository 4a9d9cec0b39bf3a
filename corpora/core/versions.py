"""Semantic versions of releases, from what changed since the last one."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

Level = Literal["major", "minor", "patch"]
FIRST = "1.0.0"
_FORM = re.compile(r"(0|[1-9]\d{0,8})\.(0|[1-9]\d{0,8})\.(0|[1-9]\d{0,8})")


@dataclass(frozen=True, slots=True)
class Difference:
    """How the questions of a split differ from those of the earlier release.

    Parameters
    ----------
    added, removed, changed : int
        Questions; changed is one with another text, option or answer.
    """

    added: int = 0
    removed: int = 0
    changed: int = 0

    @property
    def any(self) -> bool:
        return bool(self.added or self.removed or self.changed)


def parsed(version: str) -> tuple[int, int, int]:
    """Return the three numbers of a version; ValueError if it is not ``MAJOR.MINOR.PATCH``.

    Examples
    --------
    >>> parsed("1.10.0") > parsed("1.9.9")
    True
    """
    found = _FORM.fullmatch(version)
    if found is None:
        raise ValueError(f"A version is three numbers, such as 1.0.0; got {version!r}.")
    major, minor, patch = map(int, found.groups())
    return major, minor, patch


def level_of(differences: Mapping[str, Difference]) -> Level:
    """Return which number of the version must rise.

    Parameters
    ----------
    differences : mapping of str to Difference
        By split: train, dev, test.

    Returns
    -------
    'major' if a question of dev or test is missing or changed, since figures on them cannot be
    compared; 'minor' if questions were added or training changed; else 'patch'.
    """
    measured = (differences[name] for name in ("dev", "test") if name in differences)
    if any(one.removed or one.changed for one in measured):
        return "major"
    return "minor" if any(one.any for one in differences.values()) else "patch"


def raised(version: str, level: Level) -> str:
    """Return the next version at a level.

    Examples
    --------
    >>> raised("1.2.3", "minor")
    '1.3.0'
    """
    major, minor, patch = parsed(version)
    if level == "major":
        return f"{major + 1}.0.0"
    return f"{major}.{minor + 1}.0" if level == "minor" else f"{major}.{minor}.{patch + 1}"
