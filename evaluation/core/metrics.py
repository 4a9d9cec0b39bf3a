"""Accuracy over questions and over whole groups, with intervals over groups."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from stats.groups import Names, group_numbers
from stats.intervals import Estimate, clustered_share, wilson

Flags = NDArray[np.bool_]


def accuracy(correct: ArrayLike, groups: Names) -> Estimate:
    """Return the share of questions answered correctly, with an interval over groups.

    Parameters
    ----------
    correct : bool (n,)
    groups : (n,)
        The value that twins, or members of a larger group, share; None for an ungrouped question.

    Returns
    -------
    Estimate
        n counts questions. The interval is Wilson's for the number of independent questions whose
        share has the same variance as over groups, at most n. So a model that is right on both
        twins or neither has the interval of n / 2 questions. One that ignores the trigger is
        right on one twin of each pair, always one half, and has the interval of n questions.

    Raises
    ------
    ValueError
        When ``correct`` is not a one-dimensional boolean array, or the lengths differ.

    Examples
    --------
    >>> found = accuracy([True, True, False, False], ["a", "a", "b", "b"])
    >>> found.value, round(found.low, 3), round(found.high, 3), found.n
    (0.5, 0.095, 0.905, 4)
    """
    return clustered_share(*_numbered(correct, groups))


def group_score(correct: ArrayLike, groups: Names) -> Estimate:
    """Return the share of groups in which every question is answered correctly.

    A model that ignores the trigger gives both twins the same answer and scores 0 here.

    Parameters
    ----------
    correct : bool (n,)
    groups : (n,)
        As in ``accuracy``. Questions that are not in a group with others are not counted.

    Returns
    -------
    Estimate
        n counts groups of at least two questions, and the interval is Wilson's over them; the
        other fields are None if there are none.

    Raises
    ------
    ValueError
        As ``accuracy``.
    """
    answers, of_row = _numbered(correct, groups)
    sizes = np.bincount(of_row)
    right = np.bincount(of_row, weights=answers) == sizes
    return wilson(int(right[sizes > 1].sum()), int((sizes > 1).sum()))


def _numbered(correct: ArrayLike, groups: Names) -> tuple[Flags, NDArray[np.int64]]:
    flags = np.asarray(correct)
    if flags.size == 0:
        flags = np.zeros(0, dtype=bool)
    if flags.ndim != 1 or flags.dtype != np.bool_:
        raise ValueError(
            "correct must be a one-dimensional boolean array, "
            f"got {flags.dtype} of shape {flags.shape}"
        )
    if len(groups) != len(flags):
        raise ValueError(f"groups must have {len(flags)} entries as correct, got {len(groups)}")
    return flags, group_numbers(groups)
