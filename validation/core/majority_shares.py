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
