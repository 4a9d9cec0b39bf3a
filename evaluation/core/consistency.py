"""Consistency of answers when the two candidates of a sentence are switched."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from corpora.core.metrics import accuracy, answer_positions, choice_shares
from stats.groups import Names
from stats.intervals import Estimate


@dataclass(frozen=True, slots=True)
class Consistency:
    """Answers to the same items before and after their candidates are switched.

    Parameters
    ----------
    consistency : Estimate
        The share of items in which the answer follows the switch.
    before, after : Estimate
        Accuracy on the items as they are, and switched.
    """

    consistency: Estimate
    before: Estimate
    after: Estimate


def consistency(
    before: Sequence[ArrayLike],
    after: Sequence[ArrayLike],
    answers: ArrayLike,
    answers_after: ArrayLike,
    groups: Names,
) -> Consistency:
    """Return how often the answer changes with the switch, and both accuracies.

    Parameters
    ----------
    before, after : n sequences of float (k_i,)
        The scores of the options of each switchable item, as it is and switched. Omit items that
        cannot be switched.
    answers, answers_after : int (n,)
        The right options, from 1. If an item's options keep their order, the right option changes
        with the switch; if they are listed by their place in the sentence, it does not.
    groups : (n,)
        As in `metrics.accuracy`: twins share a value.

    Returns
    -------
    Consistency
        An answer follows the switch if it is the same once the item's two right options are
        exchanged. With two options: if both answers are right or both are wrong. A tie is drawn
        at random before and after, so ties only have a consistency of 1/k. Intervals are those
        of `metrics.accuracy`.

    Raises
    ------
    ValueError
        As `metrics.credits`, and when an item has another number of options after the switch.

    Source: Trichelair et al., How Reasonable are Common-Sense Reasoning Tasks (EMNLP 2019), the
    consistency score; sharing ties is ours.

    Examples
    --------
    >>> found = consistency([[1, 0], [1, 0]], [[0, 1], [1, 0]], [1, 1], [2, 2], [None, None])
    >>> found.consistency.value, found.before.value, found.after.value
    (0.5, 1.0, 0.5)
    """
    first, second = choice_shares(before), choice_shares(after)
    sizes = [len(share) for share in first]
    if sizes != [len(share) for share in second]:
        raise ValueError("after must have as many items, and options of each, as before")
    right = answer_positions(answers, sizes)
    right_after = answer_positions(answers_after, sizes, "answers_after")
    rows = list(zip(first, second, right, right_after, strict=True))
    return Consistency(
        consistency=accuracy(_floats([_p_followed(*row) for row in rows]), groups),
        before=accuracy(_floats([row_set[a] for row_set, _, a, _ in rows]), groups),
        after=accuracy(_floats([two[b] for _, two, _, b in rows]), groups),
    )


def _p_followed(
    first: NDArray[np.float64], second: NDArray[np.float64], a: np.int64, b: np.int64
) -> float:
    exchanged = second.copy()
    exchanged[[a, b]] = second[[b, a]]
    return min(1.0, float(first @ exchanged))


def _floats(values: list[float]) -> NDArray[np.float64]:
    return np.array(values, dtype=np.float64)
