"""The majority of votes, with the rule for ties."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from stats.tables import as_counts

Floats = NDArray[np.float64]


def majority_shares(counts: ArrayLike) -> Floats:
    """Return each label's share of the majority of each item: 1, or its share of a tie.

    Parameters
    ----------
    counts : int (n_items, n_labels)

    Returns
    -------
    float (n_items, n_labels)
        Rows sum to 1. If t labels tie for the most votes, each gets 1/t: the probability that a
        fair draw picks it. An item without votes has 1/n_labels everywhere.

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
    """Return the credit of the majority for each item.

    Parameters
    ----------
    counts : int (n_items, n_labels)
    truths : int (n_items,), from 0

    Returns
    -------
    float (n_items,)
        1 if the majority is the true label, 0 if it is not, 1/t if the truth is one of t tied
        labels: so the mean is the expected accuracy of fair draws and does not depend on the order
        of the labels. nan for an item without votes.

    Raises
    ------
    ValueError
        When a truth is not a label of the table.

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
