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
