"""Tests that compare two models on the same rows."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from stats.groups import Names, group_numbers


@dataclass(frozen=True, slots=True)
class Paired:
    """Counts of rows that only one of two models has right, with a test.

    Parameters
    ----------
    first_only, second_only : int
        Rows that only the first, and only the second, has right.
    p : float in [0, 1]
        Two-sided p-value of equal accuracy; 1 if the counts are equal.
    """

    first_only: int
    second_only: int
    p: float


def mcnemar(first: ArrayLike, second: ArrayLike, groups: Names | None = None) -> Paired:
    """Test exactly whether two models have the same accuracy.

    Parameters
    ----------
    first, second : bool (n,)
        Whether each row is right.
    groups : (n,), optional
        The value that dependent rows share; None for an independent row. If omitted, all rows
        are independent.

    Returns
    -------
    Paired

    Raises
    ------
    ValueError
        When the lengths differ.

    Notes
    -----
    If the models are equal, each group's difference in right answers has either sign with equal
    probability. ``p`` is the share of all sign assignments whose absolute sum is at least that
    observed. For ungrouped rows that is McNemar's exact test (statsmodels has only that).

    Source: McNemar (Psychometrika 1947); for groups, Fisher's randomisation test for pairs (The
    Design of Experiments, 1935, §21).

    Examples
    --------
    >>> mcnemar([True] * 6 + [False], [False] * 7).p
    0.03125
    """
    one, two = np.asarray(first, dtype=bool), np.asarray(second, dtype=bool)
    names: Names = [None] * len(one) if groups is None else groups
    if not len(one) == len(two) == len(names):
        raise ValueError(
            "first, second and groups must have the same length, "
            f"got {len(one)}, {len(two)} and {len(names)}"
        )
    differences = one.astype(np.int64) - two
    of_group = np.bincount(group_numbers(names), weights=differences).astype(np.int64)
    return Paired(int((one & ~two).sum()), int((two & ~one).sum()), _share_of_turns(of_group))


def _share_of_turns(differences: NDArray[np.int64]) -> float:
    """Return the probability that differences (n,) with random signs sum as far from 0."""
    from scipy.stats import binom  # takes half a second to import

    sizes, counts = np.unique(np.abs(differences[differences != 0]), return_counts=True)
    chance = np.ones(1)  # of each sum, in ascending order
    for size, count in zip(sizes, counts, strict=True):
        step = np.zeros(2 * size * count + 1)
        step[:: 2 * size] = binom.pmf(np.arange(count + 1), count, 0.5)
        chance = np.convolve(chance, step)
    reach = len(chance) // 2
    as_far = np.abs(np.arange(-reach, reach + 1)) >= abs(int(differences.sum()))
    return min(1.0, float(chance[as_far].sum()))
