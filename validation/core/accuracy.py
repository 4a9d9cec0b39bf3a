"""Accuracy of each validator, with intervals, and the distribution of the work."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from stats.intervals import Floats, wilson_ends
from stats.tables import Ints, label_counts


@dataclass(frozen=True, slots=True)
class Accuracies:
    """Accuracies of k validators.

    Parameters
    ----------
    n_right, n : int (k,)
    low, high : float (k,)
        Ends of Wilson's 95 % intervals; nan where n is 0.
    """

    n_right: Ints
    n: Ints
    low: Floats
    high: Floats

    @property
    def shares(self) -> Floats:
        """Share of correct votes; nan where n is 0."""
        with np.errstate(invalid="ignore"):
            return np.asarray(self.n_right / self.n, dtype=np.float64)


def worker_accuracies(
    workers: ArrayLike, right: ArrayLike, *, n_workers: int | None = None
) -> Accuracies:
    """Return the accuracy of each validator.

    Parameters
    ----------
    workers : int (n_votes,), from 0
    right : bool (n_votes,)
        Whether the vote equals the reference: the author's answer, a gold question's answer, or
        the majority of the other votes.
    n_workers : int, optional

    Returns
    -------
    Accuracies

    Examples
    --------
    >>> found = worker_accuracies([0, 0, 1], [True, False, True])
    >>> found.shares.tolist(), found.n.tolist()
    ([0.5, 1.0], [2, 1])
    """
    flags = np.asarray(right, dtype=bool)
    counts = label_counts(workers, flags.astype(np.int64), n_items=n_workers, n_labels=2)
    n = counts.sum(axis=1)
    return Accuracies(counts[:, 1], n, *wilson_ends(counts[:, 1], n))


def with_the_others(
    items: ArrayLike, labels: ArrayLike, *, n_labels: int = 2
) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Return for each vote whether it agrees with most of the *other* votes on its item.

    The validator's own vote is left out: in a majority of three it would agree with itself.

    Parameters
    ----------
    items, labels : int (n_votes,), from 0
    n_labels : int

    Returns
    -------
    tuple of bool (n_votes,)
        Whether the vote agrees, and whether the other votes have a majority: false if there are
        none, or if they tie.

    Examples
    --------
    >>> agrees, says = with_the_others([0, 0, 0, 1, 1, 1], [0, 0, 0, 0, 0, 1])
    >>> agrees.tolist(), says.tolist()
    ([True, True, True, False, False, False], [True, True, True, False, False, True])
    """
    counts = label_counts(items, labels, n_labels=n_labels)
    rows, said = np.asarray(items, dtype=np.int64), np.asarray(labels, dtype=np.int64)
    others = counts[rows]  # (n_votes, n_labels)
    others[np.arange(len(rows)), said] -= 1
    top = others.max(axis=1) if len(rows) else np.zeros(0, dtype=np.int64)
    says = (top > 0) & ((others == top[:, None]).sum(axis=1) == 1)
    agrees = says & (others[np.arange(len(rows)), said] == top)
    return agrees, says


def gini(loads: ArrayLike) -> float | None:
    """Return the Gini coefficient: 0 if all did equal work, near 1 if one person did all of it.

    Parameters
    ----------
    loads : float (k,), at least 0
        The work of each person.

    Returns
    -------
    float in [0, 1), or None if the loads sum to 0

    Raises
    ------
    ValueError
        When a load is negative.

    Source: Gini (1912); mean absolute difference ÷ twice the mean, from the sorted loads.

    Examples
    --------
    >>> gini([1, 1, 1]), round(gini([0, 0, 9]), 3)
    (0.0, 0.667)
    """
    work = np.sort(np.asarray(loads, dtype=float))
    if (work < 0).any():
        raise ValueError("loads must not be negative")
    if not work.sum():
        return None
    places = np.arange(1, len(work) + 1)
    share = float((2 * places - len(work) - 1) @ work / (len(work) * work.sum()))
    return max(0.0, share)
