"""Measures of agreement between raters: raw agreement, kappa, Krippendorff's alpha."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from stats.tables import Counts, Ints, as_counts


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


def agreement(
    counts: ArrayLike, *, times: ArrayLike | None = None, mirror: Sequence[int] | None = None
) -> Agreement:
    """Return all three measures for the same table.

    Parameters
    ----------
    counts : int (n_items, n_labels)
        How often each label was given to each item; see ``tables.label_counts``. Items may have
        different numbers of votes if none were added because of earlier ones (see
        ``validation.core.human.first_votes``). Items with fewer than two votes are ignored.
    times : int (n_items,), optional
        How many items have each row of counts, so that a million items need a few rows; 1 for each
        by default.
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
    table, times = _with_pairs(counts, times)
    if not len(table):
        return Agreement(None, None, None, 0, 0, 0)
    votes = table.sum(axis=1)
    frequent = np.bincount(votes, weights=times)
    usual = len(frequent) - 1 - int(np.argmax(frequent[::-1]))
    same = votes == usual
    return Agreement(
        raw=raw_agreement(table, times=times),
        alpha=krippendorff_alpha(*_with_mirrored(table, times, mirror)),
        kappa=fleiss_kappa(*_with_mirrored(table[same], times[same], mirror)),
        n_items=int(times.sum()),
        n_votes=int(votes @ times),
        n_kappa=int(times[same].sum()),
    )


def _with_pairs(counts: ArrayLike, times: ArrayLike | None) -> tuple[Counts, Ints]:
    """Return the rows with two votes or more, and how many items have each."""
    table = as_counts(counts)
    given = np.ones(len(table), dtype=np.int64) if times is None else np.asarray(times)
    if given.shape != (len(table),) or given.dtype.kind not in "iu" or (given < 1).any():
        raise ValueError(
            "times must be integers from 1, one for each row of counts; "
            f"got {given.dtype} of shape {given.shape}"
        )
    some = table.sum(axis=1) >= 2
    return table[some], given[some].astype(np.int64, copy=False)


def _with_mirrored(table: Counts, times: Ints, mirror: Sequence[int] | None) -> tuple[Counts, Ints]:
    if mirror is None:
        return table, times
    return np.concatenate([table, table[:, list(mirror)]]), np.concatenate([times, times])


def raw_agreement(counts: ArrayLike, times: ArrayLike | None = None) -> float | None:
    """Return the share of agreeing pairs among all pairs of votes on an item, averaged over items.

    Parameters
    ----------
    counts : int (n_items, n_labels)
        Items with fewer than two votes are ignored; the others have equal weight.
    times : int (n_items,), optional
        As in `agreement`.

    Returns
    -------
    float in [0, 1], or None when no item has two votes

    Source: Fleiss, Measuring nominal scale agreement among many raters (1971), the mean of P_i.

    Examples
    --------
    >>> raw_agreement([[3, 0], [2, 1]])
    0.6666666666666666
    """
    table, times = _with_pairs(counts, times)
    if not len(table):
        return None
    votes = table.sum(axis=1)
    pairs = (table * (table - 1)).sum(axis=1) / (votes * (votes - 1))
    return float(np.average(pairs, weights=times))


def fleiss_kappa(counts: ArrayLike, times: ArrayLike | None = None) -> float | None:
    """Return Fleiss' kappa: agreement beyond that expected from the labels' frequencies.

    Parameters
    ----------
    counts : int (n_items, n_labels)
        Every item with the same number of votes, at least two.
    times : int (n_items,), optional
        As in `agreement`.

    Returns
    -------
    float, or None
        None without items, or if every vote has the same label: expected agreement is then 1, and
        kappa is 0 ÷ 0.

    Raises
    ------
    ValueError
        When items differ in their number of votes, or have fewer than two.

    Source: Fleiss (1971), Psychological Bulletin 76.

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
    table, times = _with_pairs(table, times)
    shares = times @ table / (times @ votes)
    observed, expected = raw_agreement(table, times), float(shares @ shares)
    if observed is None or np.count_nonzero(shares) < 2:
        return None
    return (observed - expected) / (1 - expected)


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
    from statsmodels.stats import inter_rater  # takes most of a second to import

    return float(inter_rater.cohens_kappa(table, return_results=False))


def krippendorff_alpha(counts: ArrayLike, times: ArrayLike | None = None) -> float | None:
    """Return Krippendorff's alpha for nominal labels; items may have any number of votes.

    Parameters
    ----------
    counts : int (n_items, n_labels)
        Items with fewer than two votes are ignored.
    times : int (n_items,), optional
        As in `agreement`.

    Returns
    -------
    float, or None
        None without pairs of votes, or if every vote has the same label.

    Source: Krippendorff, Content Analysis (2004), ch. 11.

    Examples
    --------
    >>> round(krippendorff_alpha([[3, 0], [2, 1], [0, 3], [1, 0]]), 3)
    0.6
    """
    table, times = _with_pairs(counts, times)
    frequencies = times @ table
    if np.count_nonzero(frequencies) < 2:
        return None
    votes, total = table.sum(axis=1), frequencies.sum()
    differing = votes * votes - (table * table).sum(axis=1)  # ordered pairs of votes
    observed = float(times @ (differing / (votes - 1)))
    expected = float(total * total - frequencies @ frequencies) / float(total - 1)
    return 1 - observed / expected
