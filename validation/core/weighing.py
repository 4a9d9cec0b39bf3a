"""Posteriors from known validators, and the arithmetic that all weighting shares."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

TINY = 1e-10


def posteriors_given(
    items: ArrayLike,
    skills: ArrayLike,
    labels: ArrayLike,
    *,
    class_shares: ArrayLike,
    n_items: int | None = None,
) -> Floats:
    """Return one-coin's posteriors of items, given the validators' skills.

    Parameters
    ----------
    items, labels : int (n_votes,), from 0
    skills : float (n_votes,), in (0, 1)
        The skill of each vote's validator.
    class_shares : float (n_labels,), above 0
    n_items : int, optional
        Includes items without votes; their posteriors are the class shares.

    Returns
    -------
    float (n_items, n_labels), rows sum to 1

    Examples
    --------
    >>> posteriors_given([0, 0], [0.9, 0.9], [1, 1], class_shares=[0.5, 0.5]).round(3).tolist()
    [[0.012, 0.988]]
    """
    shares = np.asarray(class_shares, dtype=float)
    rows, said = np.asarray(items, dtype=np.int64), np.asarray(labels, dtype=np.int64)
    height = n_items if n_items is not None else int(rows.max(initial=-1)) + 1
    weights = coin_weights(np.asarray(skills, dtype=float), said, len(shares))
    logs = item_sums(weights, rows, height) + np.log(np.clip(shares, TINY, None))
    return normalised_rows(logs)[0]


def dawid_skene_given(
    items: ArrayLike, confusions: ArrayLike, labels: ArrayLike, *, class_shares: ArrayLike
) -> Floats:
    """Return Dawid–Skene's posteriors of items, given the validators' confusion matrices.

    Parameters
    ----------
    items, labels : int (n_votes,), from 0
    confusions : float (n_votes, n_labels, n_labels)
        ``[vote, truth, said]`` of each vote's validator.
    class_shares : float (n_labels,), above 0

    Returns
    -------
    float (n_items, n_labels), rows sum to 1

    Examples
    --------
    >>> yes_sayer = [[0.1, 0.9], [0.1, 0.9]]
    >>> dawid_skene_given([0], [yes_sayer], [1], class_shares=[0.5, 0.5]).tolist()
    [[0.5, 0.5]]
    """
    shares = np.asarray(class_shares, dtype=float)
    rows, said = np.asarray(items, dtype=np.int64), np.asarray(labels, dtype=np.int64)
    logs = np.log(np.clip(np.asarray(confusions, dtype=float), TINY, None))
    weights = logs[np.arange(len(said)), :, said]  # (n_votes, n_labels)
    height = int(rows.max(initial=-1)) + 1
    return normalised_rows(item_sums(weights, rows, height) + np.log(np.clip(shares, TINY, None)))[
        0
    ]


def coin_weights(skills: Floats, labels: Ints, n_labels: int) -> Floats:
    """Return the log probability of each vote for each truth: (n_votes, n_labels)."""
    sure = np.clip(skills, TINY, 1 - TINY)
    weights = np.repeat(np.log1p(-sure)[:, None] - np.log(n_labels - 1), n_labels, axis=1)
    weights[np.arange(len(labels)), labels] = np.log(sure)
    return weights


def item_sums(weights: Floats, items: Ints, n_items: int) -> Floats:
    """Sum the votes' weights for each item: (n_items, n_labels)."""
    columns = [np.bincount(items, weights=column, minlength=n_items) for column in weights.T]
    return np.stack(columns, axis=1)


def normalised_rows(logs: Floats) -> tuple[Floats, float]:
    """Return rows normalized to sum to 1, and the sum of the rows' log totals."""
    top = logs.max(axis=1, keepdims=True)
    shares = np.exp(logs - top)
    totals = shares.sum(axis=1, keepdims=True)
    return shares / totals, float((np.log(totals) + top).sum())
