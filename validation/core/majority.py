"""What most validators said, with the rule for ties."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from stats.tables import as_counts

Floats = NDArray[np.float64]


def majority_shares(counts: ArrayLike) -> Floats:
    """Return for each item how far each label is the majority's: 1, or a share of a tie.

    Parameters
    ----------
    counts : int (n_items, n_labels)

    Returns
    -------
    float (n_items, n_labels)
        Rows sum to 1. Of t labels that were given equally often, most often, each gets 1/t: the
        chance that a fair draw between them picks it. An item without votes has 1/n_labels
        everywhere.

    Examples
    --------
    >>> majority_shares([[2, 1], [1, 1], [0, 0]]).tolist()
    [[1.0, 0.0], [0.5, 0.5], [0.5, 0.5]]
    """
    table = as_counts(counts)
    most = table == table.max(axis=1, keepdims=True)  # (n_items, n_labels)
    shares: Floats = most / most.sum(axis=1, keepdims=True)
    return shares


def majority_credits(counts: ArrayLike, truths: ArrayLike) -> Floats:
    """Return how right the majority is about each item.

    Parameters
    ----------
    counts : int (n_items, n_labels)
    truths : int (n_items,), from 0

    Returns
    -------
    float (n_items,)
        1 where the majority says the truth, 0 where it does not, 1/t where the truth is one of t
        labels that tie: so the mean is the accuracy to expect of fair draws, and no order of the
        labels decides it. nan for an item without votes.

    Raises
    ------
    ValueError
        When a truth is no label of the table.

    Examples
    --------
    >>> majority_credits([[3, 0], [1, 2], [1, 1]], [0, 0, 0]).tolist()
    [1.0, 0.0, 0.5]
    """
    table, right = as_counts(counts), np.asarray(truths)
    if right.shape != table.shape[:1] or (
        right.size and (right.min() < 0 or right.max() >= table.shape[1])
    ):
        raise ValueError("truths must name one label of the table for each item")
    credit: Floats = majority_shares(table)[np.arange(len(table)), right.astype(np.int64)]
    credit[table.sum(axis=1) == 0] = np.nan
    return credit
