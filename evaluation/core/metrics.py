"""Accuracy, for questions and for whole pairs, with intervals that take twins as one."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from validation.core.intervals import Estimate, clustered_share, wilson

Flags = NDArray[np.bool_]
Twins = Sequence[Hashable | None] | NDArray[Any]


def accuracy(correct: ArrayLike, twins: Twins) -> Estimate:
    """Return the share of questions answered correctly, with an interval over pairs.

    Parameters
    ----------
    correct : bool (n,)
    twins : (n,)
        The value twins share; None for a question without one.

    Returns
    -------
    Estimate
        n counts questions. The interval is Wilson's at the number of independent questions whose
        share varies as that of the pairs does, at most n. So a model that is right on both twins
        or on neither has that of n / 2 questions. One that never looks at the trigger is right on
        one of each pair, always one half, and keeps the interval of n.

    Raises
    ------
    ValueError
        When ``correct`` is not a flat row of booleans, the lengths differ or over two questions
        share a twin.

    Examples
    --------
    >>> found = accuracy([True, True, False, False], ["a", "a", "b", "b"])
    >>> found.value, round(found.low, 3), round(found.high, 3), found.n
    (0.5, 0.095, 0.905, 4)
    """
    answers, units = _flags(correct), _units(correct, twins)
    return clustered_share(answers, units)


def pair_accuracy(correct: ArrayLike, twins: Twins) -> Estimate:
    """Return the share of complete pairs of which both questions are answered correctly.

    A model that never looks at the trigger gives both twins the same answer and scores 0 here.

    Parameters
    ----------
    correct : bool (n,)
    twins : (n,)
        The value twins share. A question alone with its value, or with None, is not counted.

    Returns
    -------
    Estimate
        n counts complete pairs, and the interval is Wilson's over them; everything else is None
        when there are none.

    Raises
    ------
    ValueError
        As ``accuracy``.
    """
    answers, units = _flags(correct), _units(correct, twins)
    whole = np.bincount(units) == 2
    right = np.bincount(units, weights=answers)[whole] == 2
    return wilson(int(right.sum()), int(whole.sum()))


def _units(correct: ArrayLike, twins: Twins) -> NDArray[np.int64]:
    """Number the questions (n,), twins alike and each question without one by itself."""
    n = np.size(correct)
    if len(twins) != n:
        raise ValueError(f"twins must have {n} entries as correct, got {len(twins)}")
    numbers: dict[Hashable, int] = {}
    names = [("alone", k) if twin is None else ("twin", twin) for k, twin in enumerate(twins)]
    units = np.array([numbers.setdefault(name, len(numbers)) for name in names], dtype=np.int64)
    crowded = np.flatnonzero(np.bincount(units) > 2)
    if len(crowded):
        twin = list(numbers)[crowded[0]][1]
        raise ValueError(f"twins must be shared by at most two questions, {twin!r} is by more")
    return units


def _flags(correct: ArrayLike) -> Flags:
    flags = np.asarray(correct)
    if flags.size == 0:
        return np.zeros(0, dtype=bool)
    if flags.ndim != 1 or flags.dtype != np.bool_:
        raise ValueError(
            f"correct must be a flat row of booleans, got {flags.dtype} of shape {flags.shape}"
        )
    return flags
