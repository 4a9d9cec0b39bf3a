"""Arrays of votes: how often each label was given to each item, and codes for names."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

Ints = NDArray[np.int64]
Counts = NDArray[np.int64]


def codes(names: ArrayLike) -> tuple[Ints, NDArray[np.generic]]:
    """Number names from 0 in sorted order.

    Parameters
    ----------
    names : (n,)

    Returns
    -------
    tuple of int (n,) and (k,)
        The number of each name, and the k distinct names.

    Examples
    --------
    >>> numbers, names = codes([30, 10, 30])
    >>> numbers.tolist(), names.tolist()
    ([1, 0, 1], [10, 30])
    """
    different, numbers = np.unique(np.asarray(names), return_inverse=True)
    return numbers.astype(np.int64, copy=False), different


def label_counts(
    items: ArrayLike, labels: ArrayLike, *, n_items: int | None = None, n_labels: int | None = None
) -> Counts:
    """Count how often each label was given to each item.

    Parameters
    ----------
    items, labels : int (n_votes,), from 0
        One entry per vote; omit votes that were not given.
    n_items, n_labels : int, optional
        Default: one more than the largest number that occurs.

    Returns
    -------
    int (n_items, n_labels)

    Raises
    ------
    ValueError
        When the lengths differ, or a number is negative or too large.

    Examples
    --------
    >>> label_counts([0, 0, 1], [1, 0, 1]).tolist()
    [[1, 1], [0, 1]]
    """
    rows, columns = _numbers(items, "items"), _numbers(labels, "labels")
    if len(rows) != len(columns):
        raise ValueError(
            f"items and labels must have the same length, got {len(rows)} and {len(columns)}"
        )
    height, width = _size(rows, n_items, "n_items"), _size(columns, n_labels, "n_labels")
    flat = np.bincount(rows * width + columns, minlength=height * width)
    return flat.reshape(height, width).astype(np.int64, copy=False)


def as_counts(counts: ArrayLike) -> Counts:
    """Validate a table of counts: non-negative integers, a row for each item."""
    table = np.asarray(counts)
    if table.ndim != 2 or table.dtype.kind not in "iu" or (table < 0).any():
        raise ValueError(
            "counts must be a table of integers from 0, a row for each item; "
            f"got {table.dtype} of shape {table.shape}"
        )
    return table.astype(np.int64, copy=False)


def _numbers(values: ArrayLike, name: str) -> Ints:
    numbers = np.asarray(values)
    if numbers.size == 0:
        return np.zeros(0, dtype=np.int64)
    if numbers.ndim != 1 or numbers.dtype.kind not in "iub" or (numbers < 0).any():
        raise ValueError(
            f"{name} must be a one-dimensional array of integers from 0, "
            f"got {numbers.dtype} of shape {numbers.shape}"
        )
    return numbers.astype(np.int64, copy=False)


def _size(numbers: Ints, asked: int | None, name: str) -> int:
    needed = int(numbers.max()) + 1 if len(numbers) else 0
    if asked is not None and asked < needed:
        raise ValueError(f"{name} must be at least {needed}, got {asked}")
    return max(needed, 1) if asked is None else asked
