"""Tests of two models on the same rows."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from stats.groups import Names, group_numbers


@dataclass(frozen=True, slots=True)
class Paired:
    """How often one of two models alone is right.

    Parameters
    ----------
    first_only, second_only : int
        Rows that the first alone has right, and the second alone.
    p : float in [0, 1]
        Two-sided, that neither is right more often; 1 where they are right alike.
    """

    first_only: int
    second_only: int
    p: float


def mcnemar(first: ArrayLike, second: ArrayLike, groups: Names | None = None) -> Paired:
    """Test whether two models are right equally often, exactly.

    Parameters
    ----------
    first, second : bool (n,)
        Where each is right.
    groups : (n,), optional
        The value rows share that are not independent; None for a row alone, and for all rows
        where left out.

    Returns
    -------
    Paired

    Raises
    ------
    ValueError
        When the lengths differ.

    Notes
    -----
    Were the models alike, each group's difference in right answers would be as likely in the other
    direction. ``p`` is the share of all such turns that add up to as large a difference as found.
    Of rows alone that is McNemar's exact test (statsmodels has that, but none over groups).

    Source: McNemar (Psychometrika 1947); of groups, Fisher's randomisation test for pairs (The
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
            f"first, second and groups must be as long, got {len(one)}, {len(two)} and {len(names)}"
        )
    differences = one.astype(np.int64) - two
    of_group = np.bincount(group_numbers(names), weights=differences).astype(np.int64)
    return Paired(int((one & ~two).sum()), int((two & ~one).sum()), _share_of_turns(of_group))


def _share_of_turns(differences: NDArray[np.int64]) -> float:
    """Return how often the sum is as far from 0 when each difference (n,) has a sign by chance."""
    from scipy.stats import binom  # takes half a second to import

    sizes, counts = np.unique(np.abs(differences[differences != 0]), return_counts=True)
    chance = np.ones(1)  # of each sum, from the least to the largest
    for size, count in zip(sizes, counts, strict=True):
        step = np.zeros(2 * size * count + 1)
        step[:: 2 * size] = binom.pmf(np.arange(count + 1), count, 0.5)
        chance = np.convolve(chance, step)
    reach = len(chance) // 2
    as_far = np.abs(np.arange(-reach, reach + 1)) >= abs(int(differences.sum()))
    return min(1.0, float(chance[as_far].sum()))
