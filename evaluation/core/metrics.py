"""Accuracy, for questions and for whole twins, with its interval."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from validation.core.intervals import Estimate, wilson

__all__ = ["Estimate", "accuracy", "pair_accuracy", "wilson"]


def accuracy(correct: ArrayLike) -> Estimate:
    """Return the share of questions answered correctly.

    Parameters
    ----------
    correct : bool (n,)

    Returns
    -------
    Estimate
        n counts questions.

    Raises
    ------
    ValueError
        When ``correct`` is not a flat row of booleans.
    """
    answers = _flags(correct)
    return wilson(int(answers.sum()), len(answers))


def pair_accuracy(correct: ArrayLike, twins: Sequence[Hashable | None] | NDArray[Any]) -> Estimate:
    """Return the share of twins of which both questions are answered correctly.

    A model that never looks at the trigger gives both twins the same answer and scores 0 here.

    Parameters
    ----------
    correct : bool (n,)
    twins : (n,)
        The value twins share. A question alone with its value, or with None, is not counted.

    Returns
    -------
    Estimate
        n counts complete pairs; everything else is None when there are none.

    Raises
    ------
    ValueError
        When the lengths differ or over two questions share a twin.
    """
    answers = _flags(correct)
    if len(twins) != len(answers):
        raise ValueError(f"twins must have {len(answers)} entries as correct, got {len(twins)}")
    groups: dict[Hashable, list[bool]] = {}
    for twin, right in zip(twins, answers.tolist(), strict=True):
        if twin is not None:
            groups.setdefault(twin, []).append(right)
    crowded = [twin for twin, members in groups.items() if len(members) > 2]
    if crowded:
        raise ValueError(
            f"twins must be shared by at most two questions, {crowded[0]!r} is by more"
        )
    pairs = [members for members in groups.values() if len(members) == 2]
    return wilson(sum(map(all, pairs)), len(pairs))


def _flags(correct: ArrayLike) -> NDArray[np.bool_]:
    flags = np.asarray(correct)
    if flags.size == 0:
        return np.zeros(0, dtype=bool)
    if flags.ndim != 1 or flags.dtype != np.bool_:
        raise ValueError(
            f"correct must be a flat row of booleans, got {flags.dtype} of shape {flags.shape}"
        )
    return flags
