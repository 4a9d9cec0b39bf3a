"""Measures of agreement between raters: raw agreement, kappa, Krippendorff's alpha."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import krippendorff
import numpy as np
from numpy.typing import ArrayLike

from stats.tables import Counts, as_counts


@dataclass(frozen=True, slots=True)
class Agreement:
    """The agreement of validators on one part of their votes.

    Parameters
    ----------
    raw : float in [0, 1], or None
        Share of agreeing pairs of votes, averaged over the items.
    alpha, kappa : float, at most 1, or None
        0 is expected by chance, 1 is perfect, below 0 is worse than chance.
    n_items, n_votes : int
        Items with at least two votes, and their votes.
    n_kappa : int
        Items used for kappa: those with the most frequent number of votes.
    """

    raw: float | None
    alpha: float | None
    kappa: float | None
    n_items: int
    n_votes: int
    n_kappa: int


def agreement(counts: ArrayLike, *, mirror: Sequence[int] | None = None) -> Agreement:
    """Return all three measures for the same table.

    Parameters
    ----------
    counts : int (n_items, n_labels)
        How often each label was given to each item; see ``tables.label_counts``. Items may have
        different numbers of votes if none were added because of earlier ones (see
        ``validation.core.human.first_votes``). Items with fewer than two votes are ignored.
    mirror : permutation of the labels, optional
        For labels numbered arbitrarily in each item, as two options are: every item is counted
        both as it is and with its labels permuted. Otherwise, if the right option of many items
        happens to be the first, validators who agree on them seem to do so by chance.

    Returns
    -------
    Agreement
        Kappa requires the same number of votes for every item, so it uses the items with the most
        frequent number of votes (in a tie, the larger one).

    Examples
    --------
    >>> found = agreement([[3, 0], [2, 1], [0, 3], [1, 0]])
    >>> found.n_items, round(found.raw, 3), round(found.alpha, 3), round(found.kappa, 3)
    (3, 0.778, 0.6, 0.55)
    """
    table = as_counts(counts)
    votes = table.sum(axis=1)
    table, votes = table[votes >= 2], votes[votes >= 2]
    if not len(table):
        return Agreement(None, None, None, 0, 0, 0)
    frequent = np.bincount(votes)
    usual = len(frequent) - 1 - int(np.argmax(frequent[::-1]))
    same = table[votes == usual]
    return Agreement(
        raw=raw_agreement(table),
        alpha=krippendorff_alpha(_with_mirrored(table, mirror)),
        kappa=fleiss_kappa(_with_mirrored(same, mirror)),
        n_items=len(table),
        n_votes=int(votes.sum()),
        n_kappa=len(same),
    )


def _with_mirrored(table: Counts, mirror: Sequence[int] | None) -> Counts:
    return table if mirror is None else np.concatenate([table, table[:, list(mirror)]])


def raw_agreement(counts: ArrayLike) -> float | None:
    """Return the share of agreeing pairs among all pairs of votes on an item, averaged over items.

    Parameters
    ----------
    counts : int (n_items, n_labels)
        Items with fewer than two votes are ignored; the others have equal weight.

    Returns
    -------
    float in [0, 1], or None when no item has two votes

    Source: Fleiss, Measuring nominal scale agreement among many raters (1971), the mean of P_i.

    Examples
    --------
    >>> raw_agreement([[3, 0], [2, 1]])
    0.6666666666666666
    """
    table = as_counts(counts)
    votes = table.sum(axis=1)
    table, votes = table[votes >= 2], votes[votes >= 2]
    if not len(table):
        return None
    pairs = (table * (table - 1)).sum(axis=1) / (votes * (votes - 1))
    return float(pairs.mean())


def fleiss_kappa(counts: ArrayLike) -> float | None:
    """Return Fleiss' kappa: agreement beyond that expected from the labels' frequencies.

    Parameters
    ----------
    counts : int (n_items, n_labels)
        Every item with the same number of votes, at least two.

    Returns
    -------
    float, or None
        None without items, or if every vote has the same label: expected agreement is then 1, and
        kappa is 0 ÷ 0.

    Raises
    ------
    ValueError
        When items differ in their number of votes, or have fewer than two.

    Source: Fleiss (1971), Psychological Bulletin 76; computed by statsmodels.

    Examples
    --------
    >>> round(fleiss_kappa([[3, 0], [2, 1], [0, 3]]), 3)
    0.55
    """
    table = as_counts(counts)
    if not len(table):
        return None
    votes = table.sum(axis=1)
    if votes.min() != votes.max() or votes[0] < 2:
        raise ValueError(
            "counts: every item must have the same number of votes, at least 2; "
            f"got from {votes.min()} to {votes.max()}"
        )
    if np.count_nonzero(table.sum(axis=0)) < 2:
        return None
    from statsmodels.stats import inter_rater  # see `wilson_ends`

    return float(inter_rater.fleiss_kappa(table))


def cohen_kappa(counts: ArrayLike) -> float | None:
    """Return Cohen's kappa of two classifications of the same things.

    Parameters
    ----------
    counts : int (n_labels, n_labels)
        How many things have label i in the first and label j in the second classification.

    Returns
    -------
    float, or None
        None without things, or if both classifications give all of them one and the same label.

    Source: Cohen, A coefficient of agreement for nominal scales (Educational and Psychological
    Measurement 1960); computed by statsmodels.

    Examples
    --------
    >>> round(cohen_kappa([[20, 5], [10, 15]]), 3)
    0.4
    """
    table = as_counts(counts)
    if table.sum() == table.diagonal().max(initial=0):
        return None
    from statsmodels.stats import inter_rater  # see `wilson_ends`

    return float(inter_rater.cohens_kappa(table, return_results=False))


def krippendorff_alpha(counts: ArrayLike) -> float | None:
    """Return Krippendorff's alpha for nominal labels; items may have any number of votes.

    Parameters
    ----------
    counts : int (n_items, n_labels)
        Items with fewer than two votes are ignored.

    Returns
    -------
    float, or None
        None without pairs of votes, or if every vote has the same label.

    Source: Krippendorff, Content Analysis (2004), ch. 11; computed by the package
    ``krippendorff`` (Castro, 2017).

    Examples
    --------
    >>> round(krippendorff_alpha([[3, 0], [2, 1], [0, 3], [1, 0]]), 3)
    0.6
    """
    table = as_counts(counts)
    table = table[table.sum(axis=1) >= 2]
    if np.count_nonzero(table.sum(axis=0)) < 2:
        return None
    return float(krippendorff.alpha(value_counts=table, level_of_measurement="nominal"))
