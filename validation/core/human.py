"""Human performance: the majority of three and single votes, each with two intervals."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from stats.people import People, PeopleEstimate, people_share, single_votes

VOTES = 3
PAPER = 0.94
"""Human performance on WinoGrande's test set: the majority of three (AAAI 2020, §4.1, table 3)."""


@dataclass(frozen=True, slots=True)
class Human:
    """Human performance on a set of questions.

    Parameters
    ----------
    majority : PeopleEstimate
        Accuracy of the majority of each question's first three votes; n counts questions.
    single : PeopleEstimate
        Accuracy of the same votes individually; n counts votes.
    n_short : int
        Questions left out because they have fewer than three votes.
    """

    majority: PeopleEstimate
    single: PeopleEstimate
    n_short: int = 0


def first_votes(items: ArrayLike, order: ArrayLike, *, n: ArrayLike = VOTES) -> NDArray[np.bool_]:
    """Choose each item's first votes.

    Parameters
    ----------
    items : int (n_votes,), from 0
    order : (n_votes,)
        The time of each vote; ties are broken by position.
    n : int, at least 1, or int (n_votes,)
        Votes to choose per item, or for each vote those of its item; all if it has fewer.

    Returns
    -------
    bool (n_votes,)

    Notes
    -----
    A question may have additional votes, requested by the campaign's settings or by a curator
    *because* the first ones differ. With them, hard questions would weigh more than easy ones in
    one figure, and be left out of another.

    Examples
    --------
    >>> first_votes([0, 0, 0, 0, 1], [5, 1, 2, 3, 4]).tolist()
    [False, True, True, True, True]
    """
    rows = np.asarray(items, dtype=np.int64)
    chosen = np.zeros(len(rows), dtype=bool)
    sequence = np.lexsort((np.arange(len(rows)), np.asarray(order), rows))
    sizes = np.bincount(rows)
    starts = np.cumsum(sizes) - sizes
    places = np.arange(len(rows)) - starts[rows[sequence]]
    chosen[sequence] = places < np.broadcast_to(n, rows.shape)[sequence]
    return chosen


def human_performance(
    right: ArrayLike, people: ArrayLike, twins: ArrayLike, *, n_short: int = 0
) -> Human:
    """Return human performance from the first votes of each question.

    Parameters
    ----------
    right : bool (n, n_votes)
        Whether each of a question's first votes is right; an odd number of them.
    people : int (n, n_votes)
        Who cast it.
    twins : int (n,)
        Twins share a value. Their votes are correlated (same author, same difficulty), so all
        intervals are over twins.
    n_short : int

    Returns
    -------
    Human

    Raises
    ------
    ValueError
        When the number of votes is even (there may be no majority), or shapes differ.

    Source: Sakaguchi et al., WinoGrande (AAAI 2020), §4.1: the majority of three validators. The
    intervals are ours: see ``stats.people.people_share``.

    Examples
    --------
    >>> right = np.arange(3) < np.repeat([3, 2, 1], [80, 14, 6])[:, None]
    >>> found = human_performance(right, np.arange(300).reshape(100, 3) % 7, range(100))
    >>> found.majority.value, round(found.single.value, 3), found.majority.n
    (0.94, 0.913, 100)
    """
    votes, cast_by = np.asarray(right, dtype=bool), np.asarray(people, dtype=np.int64)
    units = np.asarray(twins, dtype=np.int64)
    if votes.ndim != 2 or votes.shape[1] % 2 == 0:
        raise ValueError(
            f"right must have an odd number of votes in each row, got shape {votes.shape}"
        )
    if cast_by.shape != votes.shape or units.shape != votes.shape[:1]:
        raise ValueError(
            "people must have a person for each vote, and twins a value for each row; "
            f"got shapes {cast_by.shape} and {units.shape} for {votes.shape}"
        )
    n, size = votes.shape
    n_right = votes.sum(axis=1)
    row, person, each = np.repeat(np.arange(n), size), cast_by.ravel(), votes.ravel()
    # A vote decides if the others are split evenly: half of a majority more or less.
    decides = 2 * (n_right[:, None] - votes) == size - 1  # (n, n_votes)
    return Human(
        majority=people_share(
            2 * n_right > size,
            units,
            effects=(decides * (votes - 0.5)).ravel(),
            people=People(row, person),
        ),
        single=single_votes(each, units[row], person),
        n_short=n_short,
    )
