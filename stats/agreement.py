"""How far several people, or two ways of sorting, agree: raw, kappa, Krippendorff's alpha."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import krippendorff
import numpy as np
from numpy.typing import ArrayLike

from stats.tables import Counts, as_counts


@dataclass(frozen=True, slots=True)
class Agreement:
    """How far validators agree on one part of their votes.

    Parameters
    ----------
    raw : float in [0, 1], or None
        Share of agreeing pairs of votes, over the items.
    alpha, kappa : float, at most 1, or None
        0 is what chance alone gives, 1 is perfect, below 0 is worse than chance.
    n_items, n_votes : int
        Items with at least two votes, and their votes.
    n_kappa : int
        Items that kappa could use: those with as many votes as most of them have.
    """

    raw: float | None
    alpha: float | None
    kappa: float | None
    n_items: int
    n_votes: int
    n_kappa: int


def agreement(counts: ArrayLike, *, mirror: Sequence[int] | None = None) -> Agreement:
    """Return all three measures over the same table.

    Parameters
    ----------
    counts : int (n_items, n_labels)
        How often each label was given to each item; see ``tables.label_counts``. An item may have
        any number of votes, as long as nobody asked for them because of what the others said (see
        ``validation.core.human.first_votes``); those with fewer than two say nothing of agreement.
    mirror : permutation of the labels, optional
        For labels that are numbered without meaning anew in each item, as two options are: every
        item is counted as it is and with its labels exchanged so. Without it, validators who agree
        on many items whose right option happens to be the first would seem to do so by chance.

    Returns
    -------
    Agreement
        Kappa, which wants the same number of votes everywhere, takes the items with the most
        frequent number of them (the larger one of equals).

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
    """Return the share of agreeing pairs among all pairs of votes on one item, over the items.

    Parameters
    ----------
    counts : int (n_items, n_labels)
        Items with fewer than two votes are left out; the others count alike.

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
    """Return Fleiss' kappa: agreement beyond what the labels' shares alone would give.

    Parameters
    ----------
    counts : int (n_items, n_labels)
        Every item with the same number of votes, at least two.

    Returns
    -------
    float, or None
        None without items, and where every vote is the same label: chance alone agrees then, and
        0 ÷ 0 says nothing.

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
    """Return Cohen's kappa of two ways of sorting the same things.

    Parameters
    ----------
    counts : int (n_labels, n_labels)
        How many things have label i one way and label j the other.

    Returns
    -------
    float, or None
        None without things, and where both ways give all of them the same one label.

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
    """Return Krippendorff's alpha for nominal labels, whatever number of votes an item has.

    Parameters
    ----------
    counts : int (n_items, n_labels)
        Items with fewer than two votes say nothing and are left out.

    Returns
    -------
    float, or None
        None without pairs of votes, and where every vote is the same label.

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
