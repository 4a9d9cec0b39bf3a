"""How well people do: the majority of three and single judges, with bootstrap intervals."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from validation.core.intervals import NOTHING, Estimate, wilson

VOTES = 3
PAPER = 0.94
"""Human performance on WinoGrande's test set: the majority of three (AAAI 2020, §4.1, table 3)."""
DRAWS = 10_000


@dataclass(frozen=True, slots=True)
class Human:
    """Human performance over some questions.

    Parameters
    ----------
    majority : Estimate
        Accuracy of the majority of each question's first three votes; n counts questions.
    single : Estimate
        Accuracy of those votes one by one; n counts votes.
    n_short : int
        Questions left out because they have fewer than three votes.
    """

    majority: Estimate
    single: Estimate
    n_short: int = 0


def first_votes(items: ArrayLike, order: ArrayLike, *, n: int = VOTES) -> NDArray[np.bool_]:
    """Choose each item's first votes.

    Parameters
    ----------
    items : int (n_votes,), from 0
    order : (n_votes,)
        When each vote was given; of equals the earlier place goes first.
    n : int
        Votes to choose. An item with fewer is left out whole.

    Returns
    -------
    bool (n_votes,)

    Notes
    -----
    A question may have more than three votes, where the campaign asks for more or one was set
    aside. Later votes are asked for *because* the first ones differ, so counting them would make
    hard questions look easier than easy ones: the first three that count are taken.

    Examples
    --------
    >>> first_votes([0, 0, 0, 0, 1], [5, 1, 2, 3, 4]).tolist()
    [False, True, True, True, False]
    """
    rows = np.asarray(items, dtype=np.int64)
    chosen = np.zeros(len(rows), dtype=bool)
    if not len(rows):
        return chosen
    sequence = np.lexsort((np.arange(len(rows)), np.asarray(order), rows))
    sizes = np.bincount(rows)
    starts = np.cumsum(sizes) - sizes
    place = np.arange(len(rows)) - starts[rows[sequence]]
    chosen[sequence] = (place < n) & (sizes[rows[sequence]] >= n)
    return chosen


def human_performance(
    n_right: Mapping[int, int], *, votes: int = VOTES, n_short: int = 0, seed: int = 0
) -> Human:
    """Return human performance from how many questions had how many right votes.

    Parameters
    ----------
    n_right : mapping of int in [0, votes] to int
        How many questions had so many right ones among their first ``votes`` votes.
    votes : int, odd
    n_short : int
    seed : int, at least 0
        Of the bootstrap.

    Returns
    -------
    Human

    Raises
    ------
    ValueError
        When ``votes`` is even, so that there may be no majority, or a number is out of range.

    Source: Sakaguchi et al., WinoGrande (AAAI 2020), §4.1: the majority of three judges. The
    interval is ours: see ``bootstrap``.

    Examples
    --------
    >>> found = human_performance({3: 80, 2: 14, 1: 6})
    >>> found.majority.value, round(found.single.value, 3), found.majority.n
    (0.94, 0.913, 100)
    """
    if votes % 2 == 0:
        raise ValueError(f"votes must be odd, so that there is a majority; got {votes}")
    if any(not 0 <= right <= votes or n < 0 for right, n in n_right.items()):
        raise ValueError(f"n_right must count questions with 0 to {votes} right votes")
    n = sum(n_right.values())
    right = sum(count for k, count in n_right.items() if 2 * k > votes)
    singles = sum(k * count for k, count in n_right.items())
    return Human(
        majority=bootstrap({1.0: right, 0.0: n - right}, seed=seed),
        single=wilson(singles, n * votes),
        n_short=n_short,
    )


def bootstrap(scores: Mapping[float, int], *, draws: int = DRAWS, seed: int = 0) -> Estimate:
    """Return the mean score of some questions with its bootstrap interval over questions.

    Parameters
    ----------
    scores : mapping of float in [0, 1] to int
        How many questions have each score; a tie's is one half.
    draws : int, at least 1
    seed : int, at least 0

    Returns
    -------
    Estimate
        The 2.5th and 97.5th percentiles of the mean over ``draws`` samples of n questions, drawn
        with replacement. Where all questions are right, or none is, every sample is the same and
        would promise certainty at any n: Wilson's interval stands in.

    Notes
    -----
    A sample is known by how many questions of each score it holds, and those numbers are
    multinomial. Drawing them is the same as drawing the questions, at no cost in n.

    Source: Efron & Tibshirani, An Introduction to the Bootstrap (1993), ch. 13. Departure: Wilson's
    interval at the ends.

    Examples
    --------
    >>> found = bootstrap({1.0: 94, 0.0: 6})
    >>> found.value, round(found.low, 2), round(found.high, 2), found.n
    (0.94, 0.89, 0.98, 100)
    """
    values = np.array(sorted(scores), dtype=float)
    counts = np.array([scores[value] for value in sorted(scores)], dtype=np.int64)
    n = int(counts.sum())
    if n == 0:
        return NOTHING
    if set(values[counts > 0]) in ({0.0}, {1.0}):
        return wilson(int(counts @ values), n)
    rng = np.random.default_rng(seed)
    samples = rng.multinomial(n, counts / n, size=draws)  # (draws, n_scores)
    low, high = np.percentile(samples @ values / n, [2.5, 97.5])
    return Estimate(float(counts @ values / n), float(low), float(high), n)
