"""What fresh votes say of suspected keys, and how many wrong keys they can be expected to find."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

import numpy as np
from numpy.typing import ArrayLike, NDArray

from validation.core.posteriors import RANDOM_ITEMS, aggregate

Floats = NDArray[np.float64]

LEAST = 0.95
"""The posterior of an option from which the votes have decided for it."""
USUAL_SKILL = 0.9
"""The share of right votes that a forecast assumes."""
RANDOM = RANDOM_ITEMS[0] / sum(RANDOM_ITEMS)


class Decision(StrEnum):
    """What the votes on a question say of its key."""

    WRONG = "wrong"
    RIGHT = "right"
    SPLIT = "split"


class Act(StrEnum):
    """What a revision did about a key."""

    CORRECTED = "corrected"
    QUEUED = "queued"
    LEFT_OUT = "left_out"
    KEPT = "kept"


@dataclass(frozen=True, slots=True)
class KeyVotes:
    """The votes on one question, weighted by what is known of who cast them.

    Parameters
    ----------
    decision : Decision
        Right or wrong where the key or another option has a posterior of at least `LEAST`, else
        split.
    answer : int
        The most probable option, from 1.
    posterior : tuple of float
        Of each option; they sum to 1.
    """

    decision: Decision
    answer: int
    posterior: tuple[float, ...]


def key_votes(
    votes: ArrayLike, people: ArrayLike, keys: Sequence[int], *, n_options: Sequence[int]
) -> list[KeyVotes]:
    """Return what people's votes say of the keys of some questions.

    Parameters
    ----------
    votes, people : int (n, n_votes)
        The options chosen, from 1, and who chose them; equally many for each question.
    keys : sequence of int (n,)
        They decide nothing: the posteriors are the same for any keys.
    n_options : sequence of int (n,)

    Returns
    -------
    list of KeyVotes
        In the order given. Options are equally likely before the votes, and a vote weighs by how
        often its person chooses as the others do; see `validation.core.posteriors.aggregate`.

    Examples
    --------
    >>> said = key_votes([[2] * 5, [1] * 5, [1, 2, 1, 2, 1]], [range(5)] * 3, [1, 1, 1],
    ...                  n_options=[2, 2, 2])
    >>> [str(one.decision) for one in said]
    ['wrong', 'right', 'split']
    """
    chosen, cast_by = np.asarray(votes, dtype=np.int64), np.asarray(people, dtype=np.int64)
    if not len(keys):
        return []
    workers = np.unique(cast_by, return_inverse=True)[1].ravel()
    rows = np.repeat(np.arange(len(chosen)), chosen.shape[1])
    found = aggregate(rows, workers, chosen.ravel() - 1, n_labels=max(n_options)).best.posteriors
    return [_decision_on(*of) for of in zip(found, keys, n_options, strict=True)]


def _decision_on(posteriors: Floats, key: int, n_options: int) -> KeyVotes:
    own = posteriors[:n_options] / posteriors[:n_options].sum()
    answer = int(own.argmax()) + 1
    decision = Decision.RIGHT if answer == key else Decision.WRONG
    if own[answer - 1] < LEAST:
        decision = Decision.SPLIT
    return KeyVotes(decision, answer, tuple(float(value) for value in own))


@dataclass(frozen=True, slots=True)
class Forecast:
    """What a panel about suspected keys can be expected to find.

    Parameters
    ----------
    n_wrong : float
        Wrong keys among the suspects, by their probabilities.
    power : float
        The share of wrong keys that the votes confirm.
    """

    n_wrong: float
    power: float

    @property
    def n_found(self) -> float:
        return self.n_wrong * self.power


def forecast(probabilities: Sequence[float], *, votes: int, skill: float = USUAL_SKILL) -> Forecast:
    """Return how many wrong keys votes on suspects of these probabilities confirm.

    Parameters
    ----------
    probabilities : sequence of float in [0, 1]
        Of a wrong key, by the audit.
    votes : int, at least 1
        On each question.
    skill : float in (0.5, 1)
        The share of votes for the right one of two options. One question in 21 is voted on at
        random, as the model of the votes supposes.

    Examples
    --------
    >>> [round(forecast([0.9, 0.7], votes=n).power, 2) for n in (3, 5)]
    [0.7, 0.88]
    """
    chances = _chances(votes, skill)
    confirms = chances >= LEAST * (chances + chances[::-1])
    ways = _binomials(votes)
    return Forecast(float(sum(probabilities)), float((ways * chances)[confirms].sum()))


def _chances(n: int, skill: float) -> Floats:
    """Return how likely a sequence of votes is that has 0 to n right ones: (n + 1,)."""
    right = np.arange(n + 1)
    return np.asarray((1 - RANDOM) * skill**right * (1 - skill) ** (n - right) + RANDOM * 0.5**n)


def _binomials(n: int) -> Floats:
    ways = np.ones(n + 1)
    for k in range(1, n + 1):
        ways[k] = ways[k - 1] * (n - k + 1) / k
    return ways
