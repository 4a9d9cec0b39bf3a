"""Leaks that a filter leaves, and the features in which they are."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

POWER = 0.8  # with which a detectable accuracy is found
LEAST_ROWS = 200  # with fewer questions nothing is measured

Rows = Literal["all", "paired", "unpaired"]
# The key of each in the figures of a run.
WAYS: dict[Rows, str] = {"all": "grouped", "paired": "paired", "unpaired": "unpaired"}
_NOUNS: dict[Rows, str] = {
    "all": "kept questions",
    "paired": "kept questions whose twin is kept",
    "unpaired": "kept questions without their twin",
}
_SAID = {
    "below": ("fewer", "reversed, their predictions tell the answer"),
    "above": ("more", "a bias is left"),
}


@dataclass(frozen=True, slots=True)
class FoundLeak:
    """An accuracy on kept rows that `one_half.compare` finds above or below one half.

    ``accuracy`` has value, low, high and n.
    """

    rows: Rows
    direction: Literal["above", "below"]
    accuracy: Mapping[str, Any]

    @property
    def sentence(self) -> str:
        """The warning for files and the API, without the accuracy: it depends on blind labels."""
        compared, meaning = _SAID[self.direction]
        return (
            f"Fresh linear models answer {compared} than one half of the {_NOUNS[self.rows]} right "
            f"(n = {self.accuracy['n']:,}): {meaning}."
        )


def found_leaks(fresh_models: Mapping[str, Any] | None) -> tuple[FoundLeak, ...]:
    """Return the leaks of the rows a run kept, given its `fresh_models`; none if these are None.

    Pairs and unpaired questions are checked separately: one may be above one half and the other
    below, so that the whole seems neutral. They are omitted if the whole has a leak in the same
    direction.
    """
    if fresh_models is None:
        return ()
    figures = fresh_models["kept"]
    leaks = [
        FoundLeak(rows, figures[way]["leak"]["direction"], figures[way]["accuracy"])
        for rows, way in WAYS.items()
        if figures[way]["leak"]["direction"] in ("above", "below")
    ]
    of_all = {leak.direction for leak in leaks if leak.rows == "all"}
    return tuple(leak for leak in leaks if leak.rows == "all" or leak.direction not in of_all)


FeatureKind = Literal["difference", "concatenation"]
FEATURE_KINDS: tuple[FeatureKind, ...] = ("difference", "concatenation")


def option_features(
    h1: NDArray[np.float32], h2: NDArray[np.float32], kind: FeatureKind = "difference"
) -> NDArray[np.float32]:
    """Join the encodings of a question's two filled-in sentences.

    Parameters
    ----------
    h1, h2 : float32 (n, d)
        Encodings of the sentences filled with option 1 and with option 2.
    kind : {'difference', 'concatenation'}
        ``h1 - h2``, the input in which a multiple-choice head is linear: swapping the options flips
        the sign. Or ``[h1; h2]``, which also contains what both sentences share.
        Neither is centred or scaled.

    Returns
    -------
    float32 (n, d) or (n, 2 d)

    Raises
    ------
    ValueError
        When the shapes differ or are not two-dimensional, or ``kind`` is unknown.
    """
    if h1.ndim != 2 or h1.shape != h2.shape:
        raise ValueError(f"h1 and h2 must share one shape (n, d), got {h1.shape} and {h2.shape}")
    if kind == "difference":
        return np.subtract(h1, h2, dtype=np.float32)  # (n, d)
    if kind == "concatenation":
        return np.concatenate([h1, h2], axis=1).astype(np.float32, copy=False)  # (n, 2 d)
    raise ValueError(f"kind must be one of {', '.join(FEATURE_KINDS)}, got {kind!r}")
