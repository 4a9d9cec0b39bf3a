"""The accuracy of people: single votes and the majority of an item's votes."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from corpora.core.metrics import credits, group_credits
from stats.agreement import agreement
from stats.binomial import share_p
from stats.corrections import holm
from stats.groups import Names, group_numbers
from stats.intervals import Estimate
from stats.people import NO_PEOPLE, People, PeopleEstimate, people_share, single_votes
from stats.rated_items import LabelledVotes

LEVEL = 0.05
"""Probability of any note about the order of options where nobody follows it."""

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class PeopleScores:
    """The accuracy of people on a set of items; every figure has two intervals.

    Parameters
    ----------
    individual : PeopleEstimate
        Share of votes for the right option; n counts votes.
    majority : PeopleEstimate
        Mean credit of the option with the most votes; n counts items.
    group : PeopleEstimate
        Mean, over groups of several items, of the product of the majorities' credits, as for
        models; n counts groups. Different people answer the items of a group.
    raw, alpha : Estimate
        Agreement of the votes on an item: the share of agreeing pairs, and Krippendorff's alpha.
        Alpha is unknown where an item has more than two options, whose numbers mean nothing across
        items.
    """

    individual: PeopleEstimate
    majority: PeopleEstimate
    group: PeopleEstimate
    raw: Estimate
    alpha: Estimate


EMPTY = PeopleScores(NO_PEOPLE, NO_PEOPLE, NO_PEOPLE, NO_PEOPLE, NO_PEOPLE)


def people_scores(
    votes: ArrayLike,
    people: ArrayLike,
    answers: ArrayLike,
    groups: Names,
    *,
    n_options: Sequence[int],
) -> PeopleScores:
    """Return the accuracy of single votes and of majorities, with intervals.

    Parameters
    ----------
    votes : int (n, n_votes)
        The options chosen for each item, from 1. Items with equally many votes only: where a vote
        was added because the others differ, hard items would weigh more.
    people : int (n, n_votes)
        Who chose them.
    answers : int (n,)
        From 1 to the item's number of options.
    groups : (n,)
        The value that the items of a group share.
    n_options : sequence of int (n,)

    Returns
    -------
    PeopleScores
        m options with equally many votes share the credit, 1 / m each, as a model's tied scores
        do. Intervals are over groups, and over groups and people; see `stats.people`.

    Raises
    ------
    ValueError
        When ``votes`` and ``people`` are not tables of the same shape with at least one column, or
        a vote is for none of the item's options.

    Source: Sakaguchi et al., WinoGrande (AAAI 2020), §4.1: the majority of three. Items with more
    than two options, ties and intervals are ours.

    Examples
    --------
    >>> found = people_scores([[1, 1, 1], [1, 2, 2]], [[5, 6, 7], [8, 9, 6]], [1, 1], ["a", "a"],
    ...                       n_options=[2, 2])
    >>> round(found.individual.value, 3), found.majority.value, found.group.value
    (0.667, 0.5, 0.0)
    """
    chosen, cast_by = _table(votes, people, n_options)
    if not len(chosen):
        return EMPTY
    n, size = chosen.shape
    right = np.asarray(answers, dtype=np.int64)
    units, row = group_numbers(groups), np.repeat(np.arange(n), size)
    tables = [np.bincount(rows - 1, minlength=k) for rows, k in zip(chosen, n_options, strict=True)]
    credit = credits(tables, right)
    effects = credit[:, None] - _without_each(chosen, tables, right)  # (n, n_votes)
    single = (chosen == right[:, None]).ravel()
    of_item = People(row, cast_by.ravel())
    return PeopleScores(
        individual=single_votes(single, units[row], cast_by.ravel()),
        majority=people_share(credit, units, effects=effects.ravel(), people=of_item),
        group=_group(credit, units, effects, cast_by),
        **_agreement(chosen, of_item, units, n_options),
    )


def _table(votes: ArrayLike, people: ArrayLike, n_options: Sequence[int]) -> tuple[Ints, Ints]:
    chosen, cast_by = np.asarray(votes, dtype=np.int64), np.asarray(people, dtype=np.int64)
    if not chosen.size and not len(n_options):
        return chosen, cast_by
    if chosen.ndim != 2 or chosen.shape != cast_by.shape or len(n_options) != len(chosen):
        raise ValueError(
            "votes and people must have a row for each item and equally many votes in each, "
            f"got shapes {chosen.shape} and {cast_by.shape} for {len(n_options)} items"
        )
    if ((chosen < 1) | (chosen > np.asarray(n_options)[:, None])).any():
        raise ValueError("votes must be from 1 to the item's number of options")
    return chosen, cast_by


def _without_each(chosen: Ints, tables: Sequence[Ints], right: Ints) -> Floats:
    """Return the credit of each item's majority without each of its votes: (n, n_votes)."""
    columns = []
    for vote in chosen.T:
        fewer = [table.copy() for table in tables]
        for table, option in zip(fewer, vote, strict=True):
            table[option - 1] -= 1
        columns.append(credits(fewer, right))
    return np.stack(columns, axis=1)


def _group(credit: Floats, units: Ints, effects: Floats, cast_by: Ints) -> PeopleEstimate:
    """Return the group score: a vote changes it by its effect times the others' credits."""
    sizes, member = np.bincount(units), _place_in_group(units)
    several = sizes > 1
    place, rows = np.cumsum(several) - 1, np.flatnonzero(several[units])
    others = np.ones(len(units))
    for k in range(int(sizes.max())):
        value, at = np.ones(len(sizes)), member == k
        value[units[at]] = credit[at]
        others[~at] *= value[units[~at]]
    products = group_credits(credit, units)
    people = People(np.repeat(place[units[rows]], cast_by.shape[1]), cast_by[rows].ravel())
    return people_share(
        products,
        np.arange(len(products)),
        effects=(effects * others[:, None])[rows].ravel(),
        people=people,
    )


def _place_in_group(units: Ints) -> Ints:
    """Return each item's place among the items of its group, from 0."""
    order = np.argsort(units, kind="stable")
    sizes = np.bincount(units)
    starts = np.cumsum(sizes) - sizes
    places = np.empty(len(units), dtype=np.int64)
    places[order] = np.arange(len(units)) - starts[units[order]]
    return places


def _agreement(
    chosen: Ints, people: People, units: Ints, n_options: Sequence[int]
) -> dict[str, Estimate]:
    of_two = max(n_options) == 2
    counts = np.stack([(chosen == k).sum(axis=1) for k in range(1, max(n_options) + 1)], axis=1)
    figures = agreement(
        counts,
        groups=units,
        mirror=[1, 0] if of_two else None,
        votes=LabelledVotes(people, chosen.ravel() - 1),
    )
    return {"raw": figures.raw, "alpha": figures.alpha if of_two else NO_PEOPLE}


def leaning(people: Sequence[Sequence[tuple[bool, float]]]) -> list[bool]:
    """Return which people choose the option shown first more or less often than by chance.

    Parameters
    ----------
    people : sequence of sequence of (bool, float)
        For each person's votes whether it is for the option shown first, and how likely that is if
        the order is random; 0 for a fixed order, which is left out.

    Returns
    -------
    list of bool
        Exact tests, corrected for the number of people by Holm's method: if nobody follows the
        order, any of them is True with probability `LEVEL` or less.

    Notes
    -----
    Votes with unequal chances are tested with the mean chance: their sum varies less than that.

    Examples
    --------
    >>> leaning([[(True, 0.5)] * 12, [(True, 0.5), (False, 0.5)] * 6, [(True, 0.0)]])
    [True, False, False]
    """
    drawn = [[vote for vote in votes if vote[1]] for votes in people]
    rows = [k for k, votes in enumerate(drawn) if votes]
    hits = [sum(first for first, _chance in drawn[k]) for k in rows]
    sizes = [len(drawn[k]) for k in rows]
    chances = [sum(chance for _first, chance in drawn[k]) / len(drawn[k]) for k in rows]
    lean = np.zeros(len(people), dtype=bool)
    lean[rows] = holm(share_p(hits, sizes, chances)) <= LEVEL
    return [bool(value) for value in lean]
