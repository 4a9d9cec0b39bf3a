"""What changed between two releases, and the version that follows from it."""

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from corpora.core.bundle.layout import DEBIASED
from corpora.core.publish import SPLITS
from corpora.core.sorting import sorted_lines

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
    match = _FORM.fullmatch(version)
    if match is None:
        raise ValueError(f"A version is three numbers, such as 1.0.0; got {version!r}.")
    major, minor, patch = map(int, match.groups())
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
    if any(difference.removed or difference.changed for difference in measured):
        return "major"
    return "minor" if any(difference.any for difference in differences.values()) else "patch"


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


def differences(before: Iterable[bytes], after: Iterable[bytes]) -> dict[str, Difference]:
    """Compare the index lines of two releases, by the question that a row is.

    Parameters
    ----------
    before, after : iterable of bytes
        Lines of ``index.jsonl``, in any order; memory holds a part of them.

    Returns
    -------
    dict of str to Difference
        By split. A training question is changed too if it entered or left the debiased set; the
        smaller training sizes are drawn again in each release and do not count.
    """
    counts = {split: [0, 0, 0] for split in SPLITS}
    for old, new in _joined(before, after):
        if old is None or new is None or old["split"] != new["split"]:
            if new is not None:
                counts[new["split"]][0] += 1
            if old is not None:
                counts[old["split"]][1] += 1
        elif _content(old) != _content(new):
            counts[new["split"]][2] += 1
    return {split: Difference(*numbers) for split, numbers in counts.items()}


def _content(row: Mapping[str, Any]) -> tuple[str, bool]:
    return row["sha256"], DEBIASED in row["files"]


def _joined(
    before: Iterable[bytes], after: Iterable[bytes]
) -> Iterator[tuple[dict[str, Any] | None, dict[str, Any] | None]]:
    old, new = _rows(before), _rows(after)
    left, right = next(old, None), next(new, None)
    while left is not None or right is not None:
        if right is None or (left is not None and left["question"] < right["question"]):
            yield left, None
            left = next(old, None)
        elif left is None or right["question"] < left["question"]:
            yield None, right
            right = next(new, None)
        else:
            yield left, right
            left, right = next(old, None), next(new, None)


def _rows(lines: Iterable[bytes]) -> Iterator[dict[str, Any]]:
    for line in sorted_lines(lines, key=_question):
        yield json.loads(line)


def _question(line: bytes) -> str:
    question: str = json.loads(line)["question"]
    return question
