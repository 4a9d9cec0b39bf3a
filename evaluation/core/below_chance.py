"""Whether an accuracy is so far below chance that labels may be reversed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import exp, log
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from corpora.core.metrics import answer_positions
from stats.groups import Names, group_numbers

LEVEL = 0.001
"""Of evaluations at chance, fewer than this share are said to be far below."""


@dataclass(frozen=True, slots=True)
class BelowChance:
    """An accuracy far below chance.

    Parameters
    ----------
    accuracy : float in [0, 1]
        Of questions that are answered: the mean over groups of their shares.
    n : int
        Answered questions.
    """

    accuracy: float
    n: int

    @property
    def sentence(self) -> str:
        """What to ask of who made the predictions or the labels."""
        return sentence(self.as_metric())

    def as_metric(self) -> dict[str, Any]:
        """Return it as evaluations store their metrics; `sentence` reads it."""
        return {"value": self.accuracy, "low": None, "high": None, "n": self.n}


def sentence(metric: Mapping[str, Any]) -> str:
    """Return what to ask of who made predictions or labels, for a metric of `BelowChance`."""
    return (
        f"Of {metric['n']:,} answered questions {metric['value']:.1%} are correct, which is far "
        "below chance. Are labels reversed, or options numbered in another order?"
    )


def below_chance(
    credits: ArrayLike, answers: ArrayLike, n_options: ArrayLike, groups: Names
) -> BelowChance | None:
    """Return an accuracy that is far below chance; None if it is not found to be.

    Parameters
    ----------
    credits : bool, or float in [0, 1] (n,)
        Of answered questions only: those without an answer tell nothing about labels.
    answers : int (n,)
        From 1.
    n_options : int (n,)
    groups : (n,)
        As in `metrics.accuracy`.

    Returns
    -------
    BelowChance or None
        Chance is the accuracy of random answers or, if it is lower, that of the number that is
        right least often, so that a method that always gives the same number is never found. The
        groups' mean credits are independent and from 0 to 1. With means a below c over G groups,
        the probability of so low a mean is at most exp(−G·KL(a, c)); it is found if this is below
        `LEVEL`. At least 10 groups of questions with two options are needed.

    Source: Hoeffding, Probability inequalities for sums of bounded random variables (1963),
    theorem 1.

    Examples
    --------
    >>> answers = [1, 2] * 10
    >>> below_chance([False] * 20, answers, [2] * 20, [None] * 20).accuracy
    0.0
    >>> below_chance([False] * 8, answers[:8], [2] * 8, [None] * 8) is None
    True
    """
    sizes = np.asarray(n_options, dtype=np.int64)
    right = answer_positions(answers, sizes.tolist())
    if not len(right):
        return None
    weights = _weights(groups)
    accuracy = float(np.sum(weights * np.asarray(credits, dtype=np.float64)))
    constant = [float(np.sum(weights[right == place])) for place in range(int(sizes.max()))]
    chance = min(float(np.sum(weights / sizes)), *constant)
    n_groups = len(np.unique(group_numbers(groups)))
    if accuracy >= chance or exp(-n_groups * _divergence(accuracy, chance)) >= LEVEL:
        return None
    return BelowChance(accuracy, len(right))


def _weights(groups: Names) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    """Return the weight of each question (n,): groups have equal weights, with the sum 1."""
    of_row = group_numbers(groups)
    sizes = np.bincount(of_row)
    weights: np.ndarray[tuple[int], np.dtype[np.float64]] = 1 / (sizes[of_row] * len(sizes))
    return weights


def _divergence(share: float, chance: float) -> float:
    """Return the divergence of one coin from another, in nats; *share* is below *chance* < 1."""
    heads = share * log(share / chance) if share > 0 else 0.0
    return heads + (1 - share) * log((1 - share) / (1 - chance))
