"""Measures of agreement between raters: raw agreement, kappa, Krippendorff's alpha."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from stats.intervals import Estimate
from stats.rated_items import LabelledVotes, RatedItems
from stats.tables import as_counts


@dataclass(frozen=True, slots=True)
class Agreement:
    """The agreement of validators on one part of their votes.

    Parameters
    ----------
    raw : Estimate
        Share of agreeing pairs of votes, averaged over the items; n counts items with at least two
        votes.
    alpha, kappa : Estimate
        At most 1; 0 is expected by chance, below 0 is worse than chance. The value is None if it is
        undefined. n counts the items used: for kappa those with the most frequent number of votes.
    n_votes : int
        Votes on items with at least two.
    """

    raw: Estimate
    alpha: Estimate
    kappa: Estimate
    n_votes: int


def agreement(
    counts: ArrayLike,
    *,
    times: ArrayLike | None = None,
    groups: ArrayLike | None = None,
    mirror: Sequence[int] | None = None,
    votes: LabelledVotes | None = None,
) -> Agreement:
    """Return all three measures for the same table, each with a 95 % interval.

    Parameters
    ----------
    counts : int (n_items, n_labels)
        How often each label was given to each item; see ``tables.label_counts``. Items may have
        different numbers of votes if none were added because of earlier ones (see
        ``validation.core.human.first_votes``). Items with fewer than two votes are ignored.
    times : int (n_items,), optional
        How many items have each row of counts, so that a million items need a few rows; 1 for each
        by default.
    groups : int (n_items,), optional
        Items of a group have the same value, such as a twin's two questions: intervals are over
        groups. Each item is its own group by default. The rows of a group are there equally often.
    mirror : permutation of the labels, optional
        For labels numbered arbitrarily in each item, as two options are: every item is counted
        both as it is and with its labels permuted. Otherwise, if the right option of many items
        happens to be the first, validators who agree on them seem to do so by chance.
    votes : LabelledVotes, optional
        The votes behind ``counts``, for items that are there once. Estimates are then those of
        `people.PeopleEstimate`: for these validators, and for validators like them.

    Returns
    -------
    Agreement
        Kappa requires the same number of votes for every item, so it uses the items with the most
        frequent number of votes (in a tie, the larger one).

    Examples
    --------
    >>> found = agreement([[3, 0], [2, 1], [0, 3], [1, 0]])
    >>> found.raw.n, [round(one.value, 3) for one in (found.raw, found.alpha, found.kappa)]
    (3, [0.778, 0.6, 0.55])
    """
    table = RatedItems.of(counts, times=times, groups=groups, votes=votes)
    votes_of = table.counts.sum(axis=1)
    frequent = np.bincount(votes_of, weights=table.times, minlength=1)
    usual = len(frequent) - 1 - int(np.argmax(frequent[::-1]))
    of_kappa = table.where(votes_of == usual)
    return Agreement(
        raw=table.raw(raw_agreement(table.counts, table.times)),
        alpha=table.corrected(krippendorff_alpha(*table.mirrored(mirror)), mirror),
        kappa=of_kappa.corrected(fleiss_kappa(*of_kappa.mirrored(mirror)), mirror),
        n_votes=int(votes_of @ table.times),
    )


def agreement_of_groups(
    groups: Mapping[tuple[tuple[int, ...], ...], int], *, mirror: Sequence[int] | None = None
) -> Agreement:
    """Return the agreement of items counted by group, as `agreement` does.

    Parameters
    ----------
    groups : mapping of ((int, ...), ...) to int
        The counts of the labels of each item of a group, and how many groups have these.
    mirror : permutation of the labels, optional

    Examples
    --------
    >>> found = agreement_of_groups({((3, 0), (0, 3)): 40, ((2, 1),): 10}, mirror=(1, 0))
    >>> found.alpha.n, round(found.alpha.value, 3)
    (90, 0.852)
    """
    if not groups:
        return agreement(np.zeros((0, 2), dtype=np.int64))
    sizes = [len(items) for items in groups]
    return agreement(
        [counts for items in groups for counts in items],
        times=np.repeat(list(groups.values()), sizes),
        groups=np.repeat(np.arange(len(sizes)), sizes),
        mirror=mirror,
    )


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
    items = RatedItems.of(counts, times=times)
    table, times = items.counts, items.times
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
    items = RatedItems.of(table, times=times)
    table, times = items.counts, items.times
    shares = times @ table / (times @ votes)
    observed, expected = raw_agreement(table, times), float(shares @ shares)
    if observed is None or np.count_nonzero(shares) < 2:
        return None
    return (observed - expected) / (1 - expected)


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
    items = RatedItems.of(counts, times=times)
    table, times = items.counts, items.times
    frequencies = times @ table
    if np.count_nonzero(frequencies) < 2:
        return None
    votes, total = table.sum(axis=1), frequencies.sum()
    differing = votes * votes - (table * table).sum(axis=1)  # ordered pairs of votes
    observed = float(times @ (differing / (votes - 1)))
    expected = float(total * total - frequencies @ frequencies) / float(total - 1)
    return 1 - observed / expected
