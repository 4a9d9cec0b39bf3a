"""Human performance: the majority of three and single votes, with intervals over twins."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from stats.intervals import Estimate, clustered_share

VOTES = 3
PAPER = 0.94
"""Human performance on WinoGrande's test set: the majority of three (AAAI 2020, §4.1, table 3)."""


@dataclass(frozen=True, slots=True)
class Human:
    """Human performance on a set of questions.

    Parameters
    ----------
    majority : Estimate
        Accuracy of the majority of each question's first three votes; n counts questions.
    single : Estimate
        Accuracy of the same votes individually; n counts votes.
    n_short : int
        Questions left out because they have fewer than three votes.
    """

    majority: Estimate
    single: Estimate
    n_short: int = 0


def first_votes(items: ArrayLike, order: ArrayLike, *, n: ArrayLike = VOTES) -> NDArray[np.bool_]:
    """Choose each item's first votes.

    Parameters
    ----------
    items : int (n_votes,), from 0
    order : (n_votes,)
        The time of each vote; ties are broken by position.
    n : int, at least 1, or int (n_votes,)
        Votes to choose per item, or for each vote those of its item; all if it has fewer.

    Returns
    -------
    bool (n_votes,)

    Notes
    -----
    A question may have additional votes, requested by the campaign's settings or by a curator
    *because* the first ones differ. With them, hard questions would weigh more than easy ones in
    one figure, and be left out of another.

    Examples
    --------
    >>> first_votes([0, 0, 0, 0, 1], [5, 1, 2, 3, 4]).tolist()
    [False, True, True, True, True]
    """
    rows = np.asarray(items, dtype=np.int64)
    chosen = np.zeros(len(rows), dtype=bool)
    sequence = np.lexsort((np.arange(len(rows)), np.asarray(order), rows))
    sizes = np.bincount(rows)
    starts = np.cumsum(sizes) - sizes
    places = np.arange(len(rows)) - starts[rows[sequence]]
    chosen[sequence] = places < np.broadcast_to(n, rows.shape)[sequence]
    return chosen


def human_performance(
    n_right: ArrayLike, twins: ArrayLike, *, votes: int = VOTES, n_short: int = 0
) -> Human:
    """Return human performance from the number of correct first votes of each question.

    Parameters
    ----------
    n_right : int (n,), from 0 to ``votes``
    twins : int (n,)
        Twins share a value. Their votes are correlated (same author, same difficulty), so both
        intervals are over twins.
    votes : int, odd
        First votes of each question.
    n_short : int

    Returns
    -------
    Human

    Raises
    ------
    ValueError
        When ``votes`` is even (there may be no majority), or a number is out of range.

    Source: Sakaguchi et al., WinoGrande (AAAI 2020), §4.1: the majority of three validators. The
    intervals are ours: see ``intervals.clustered_share``.

    Examples
    --------
    >>> found = human_performance([3] * 80 + [2] * 14 + [1] * 6, range(100))
    >>> found.majority.value, round(found.single.value, 3), found.majority.n
    (0.94, 0.913, 100)
    """
    if votes % 2 == 0:
        raise ValueError(f"votes must be odd, so that there is a majority; got {votes}")
    right, units = np.asarray(n_right, dtype=np.int64), np.asarray(twins, dtype=np.int64)
    if ((right < 0) | (right > votes)).any():
        raise ValueError(f"n_right must count from 0 to {votes} right votes of each question")
    singles = np.arange(votes) < right[:, None]  # (n, votes)
    return Human(
        majority=clustered_share(2 * right > votes, units),
        single=clustered_share(singles.ravel(), np.repeat(units, votes)),
        n_short=n_short,
    )
