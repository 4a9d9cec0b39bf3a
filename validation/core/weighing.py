"""Posteriors from known validators, and the arithmetic that all weighting shares."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

TINY = 1e-10


@dataclass(frozen=True, slots=True)
class Shares:
    """What is known of items before their votes.

    Parameters
    ----------
    classes : float (n_labels,), above 0
        How frequent each true label is; sums to 1.
    random : float in [0, 1)
        Share of the items whose votes are any labels with equal probability.
    """

    classes: Floats
    random: float


def posteriors_given(
    items: ArrayLike,
    tables: ArrayLike,
    labels: ArrayLike,
    shares: Shares,
    *,
    n_items: int | None = None,
) -> Floats:
    """Return the posteriors of items, given the validators' confusion matrices.

    Parameters
    ----------
    items, labels : int (n_votes,), from 0
    tables : float (n_votes, n_labels, n_labels)
        ``[vote, truth, said]`` of each vote's validator.
    shares : Shares
    n_items : int, optional
        Includes items without votes; their posteriors are the class shares.

    Returns
    -------
    float (n_items, n_labels), rows sum to 1

    Examples
    --------
    >>> skill, yes_sayer = [[0.9, 0.1], [0.1, 0.9]], [[0.1, 0.9], [0.1, 0.9]]
    >>> even = Shares(np.array([0.5, 0.5]), 0.0)
    >>> posteriors_given([0, 0, 1], [skill, skill, yes_sayer], [1, 1, 1], even).round(3).tolist()
    [[0.012, 0.988], [0.5, 0.5]]
    """
    rows, said = np.asarray(items, dtype=np.int64), np.asarray(labels, dtype=np.int64)
    height = n_items if n_items is not None else int(rows.max(initial=-1)) + 1
    width = len(shares.classes)
    matrices = np.asarray(tables, dtype=float).reshape(-1, width, width)
    logs = np.log(np.maximum(matrices[np.arange(len(said)), :, said], TINY))
    posteriors, random, _ = weighed(rows, logs, shares, height)
    mixed: Floats = (1 - random)[:, None] * posteriors + random[:, None] * shares.classes
    return mixed


def weighed(
    items: Ints, logs: Floats, shares: Shares, n_items: int
) -> tuple[Floats, Floats, Floats]:
    """Return what votes say of items.

    Parameters
    ----------
    items : int (n_votes,)
    logs : float (n_votes, n_labels)
        The log probability of each vote for each truth.

    Returns
    -------
    posteriors : float (n_items, n_labels)
        Of items that are not voted on at random.
    random : float (n_items,)
        The probability that an item is.
    likelihoods : float (n_items,)
        The log likelihood of each item's votes, in nats.
    """
    columns = [np.bincount(items, weights=column, minlength=n_items) for column in logs.T]
    sums: Floats = np.stack(columns, axis=1).astype(np.float64)
    posteriors, totals = normalised_rows(sums + np.log(shares.classes))
    at_random = -np.bincount(items, minlength=n_items) * np.log(len(shares.classes))
    with np.errstate(divide="ignore"):
        at_random += np.log(shares.random)
    likelihoods = np.logaddexp(totals + np.log1p(-shares.random), at_random)
    return posteriors, np.exp(at_random - likelihoods), likelihoods


def normalised_rows(logs: Floats) -> tuple[Floats, Floats]:
    """Return rows (n, k) normalised to sum to 1, and the log totals (n,) of the rows."""
    top = logs.max(axis=1, keepdims=True)
    shares = np.exp(logs - top)
    totals = shares.sum(axis=1, keepdims=True)
    return shares / totals, (np.log(totals) + top)[:, 0]
