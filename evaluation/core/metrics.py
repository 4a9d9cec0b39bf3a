"""Accuracy, for questions and for whole twins, with its interval."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from math import sqrt
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

_Z95 = 1.959963984540054  # the standard normal's 97.5 % quantile


@dataclass(frozen=True, slots=True)
class Estimate:
    """A share with its 95 % interval.

    Parameters
    ----------
    value, low, high : float in [0, 1], or None when n is 0
    n : int
        Things counted: questions, or pairs.
    """

    value: float | None
    low: float | None
    high: float | None
    n: int


def wilson(successes: int, n: int) -> Estimate:
    """Return the share of successes with Wilson's 95 % score interval.

    Unlike the normal approximation it stays in [0, 1] and holds for small n.

    Parameters
    ----------
    successes : int in [0, n]
    n : int

    Returns
    -------
    Estimate

    Raises
    ------
    ValueError
        When ``successes`` is not between 0 and n.

    Source: Wilson, Probable inference, the law of succession, and statistical inference (JASA
    1927).

    Examples
    --------
    >>> found = wilson(75, 100)
    >>> found.value, round(found.low, 4), round(found.high, 4)
    (0.75, 0.657, 0.8245)
    """
    if not 0 <= successes <= n:
        raise ValueError(f"successes must be between 0 and n = {n}, got {successes}")
    if n == 0:
        return Estimate(None, None, None, 0)
    share, z2 = successes / n, _Z95**2
    centre = (share + z2 / (2 * n)) / (1 + z2 / n)
    half = _Z95 / (1 + z2 / n) * sqrt(share * (1 - share) / n + z2 / (4 * n * n))
    # At the ends the interval touches 0 or 1 exactly; rounding would put it a hair beyond.
    low = 0.0 if successes == 0 else centre - half
    high = 1.0 if successes == n else centre + half
    return Estimate(share, low, high, n)


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
