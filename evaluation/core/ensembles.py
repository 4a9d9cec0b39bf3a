"""Ensembles: one score for each option from the scores of several scorers."""

from collections.abc import Callable, Mapping, Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import log_softmax

Floats = NDArray[np.float64]


def majority_vote(scorers: Sequence[Mapping[str, ArrayLike]]) -> dict[str, Floats]:
    """Return the share of scorers that prefer each option.

    Parameters
    ----------
    scorers : sequence of mapping of str to float (k,)
        For each scorer the scores of every item by its id; higher is better. All have the same
        items with the same number of options, in any order of items.

    Returns
    -------
    dict of str to float64 (k,)
        In [0, 1], the sum over options is 1. A scorer with several equal highest scores divides
        its vote equally between them. Shares are computed exactly, so equal votes are equal
        numbers and a tie remains a tie.

    Raises
    ------
    ValueError
        When there is no scorer, ids or numbers of options differ, an item has fewer than two
        options, or a score is not finite.

    Examples
    --------
    >>> majority_vote([{"a": [2, 1]}, {"a": [0, 0]}, {"a": [-1, -2]}])["a"].round(3).tolist()
    [0.833, 0.167]
    """
    return _combined(scorers, _vote_shares)


def mean_log_probability(scorers: Sequence[Mapping[str, ArrayLike]]) -> dict[str, Floats]:
    """Return the mean over scorers of the log-probability of each option.

    A scorer's probabilities are the softmax of its scores over the options of the item, so an
    item's scores may have any constant added. The scale matters: scores must be log-probabilities
    or logits. For scores that are not (evidence, cosines), use `majority_vote`.

    Parameters
    ----------
    scorers : sequence of mapping of str to float (k,)
        As in `majority_vote`.

    Returns
    -------
    dict of str to float64 (k,)
        In nats, at most 0. An item's probabilities need not sum to 1 (the mean is geometric).

    Raises
    ------
    ValueError
        As `majority_vote`.

    Examples
    --------
    >>> scores = mean_log_probability([{"a": [0.0, 0.0]}, {"a": [10.0, 10.0 + np.log(3)]}])["a"]
    >>> np.exp(scores * 2).round(3).tolist()  # 1/2 times 1/4, 1/2 times 3/4
    [0.125, 0.375]
    """
    return _combined(scorers, lambda rows: np.asarray(log_softmax(rows, axis=1).mean(axis=0)))


def _combined(
    scorers: Sequence[Mapping[str, ArrayLike]], combine: Callable[[Floats], Floats]
) -> dict[str, Floats]:
    if not scorers:
        raise ValueError("scorers must be at least one, got none")
    first = scorers[0]
    for number, scorer in enumerate(scorers[1:], start=2):
        if scorer.keys() != first.keys():
            odd = sorted(scorer.keys() ^ first.keys())[0]
            raise ValueError(
                "scorers must have the same ids: "
                f"{odd!r} is in only one of the scorers 1 and {number}"
            )
    return {id: combine(_rows(id, [scorer[id] for scorer in scorers])) for id in first}


def _rows(id: str, scores: Sequence[ArrayLike]) -> Floats:
    """Return one item's scores as (n_scorers, k)."""
    rows = [np.asarray(row, dtype=np.float64) for row in scores]
    if any(row.ndim != 1 or len(row) < 2 or row.shape != rows[0].shape for row in rows):
        shapes = [row.shape for row in rows]
        raise ValueError(
            f"scores of {id!r} must have the same number of options, at least 2, got {shapes}"
        )
    stacked = np.stack(rows)
    if not np.isfinite(stacked).all():
        raise ValueError(f"scores of {id!r} must be finite, got {stacked.tolist()}")
    return stacked


def _vote_shares(rows: Floats) -> Floats:
    best = rows == rows.max(axis=1, keepdims=True)  # (n_scorers, k)
    counts = best.sum(axis=1, keepdims=True)
    # Whole numbers of a unit that every count divides, so equal shares are equal numbers.
    unit = np.lcm.reduce(counts.ravel())
    return np.asarray((best * (unit // counts)).sum(axis=0) / (unit * len(rows)))
