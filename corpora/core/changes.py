"""What changed between two releases, question by question."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from corpora.core.bundle.layout import DEBIASED
from corpora.core.publish import SPLITS
from corpora.core.sorting import sorted_lines
from corpora.core.versions import Difference


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
