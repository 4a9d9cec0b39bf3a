"""A campaign's votes as columns of equal length."""

from __future__ import annotations

from dataclasses import dataclass, fields

import numpy as np
from numpy.typing import ArrayLike, NDArray

from stats.tables import codes

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Votes:
    """Votes, each a place in every column; in any order.

    Parameters
    ----------
    question, twin, worker : int (n,)
        Whatever numbers they are known by.
    option, answer : int (n,), 1 or 2
        What the vote says, and what the author does.
    ambiguous : bool (n,)
    local : int (n,)
        Answer from the local context alone; 0 for "cannot tell".
    gold, excluded, reported : bool (n,)
        Given to a gold question; paid and not used; with a report.
    domain : int (n,)
        Which of the domains the caller has, by its place.
    shown_at, local_at, at : float (n,)
        Seconds since 1970 at which the seat was taken, the local context answered and the vote
        given; nan where it was not noted.
    """

    question: Ints
    twin: Ints
    worker: Ints
    option: Ints
    answer: Ints
    ambiguous: Flags
    local: Ints
    gold: Flags
    excluded: Flags
    reported: Flags
    domain: Ints
    shown_at: Floats
    local_at: Floats
    at: Floats

    def __len__(self) -> int:
        return len(self.question)

    def where(self, chosen: Flags | Ints) -> Votes:
        """The votes for which *chosen* is true, or those at these places."""
        return Votes(*(getattr(self, field.name)[chosen] for field in fields(self)))

    def counted(self) -> Votes:
        """Votes that a verdict counts."""
        return self.where(~self.gold & ~self.excluded)

    @property
    def right(self) -> Flags:
        """Whether each vote says what the author does."""
        return np.asarray(self.option == self.answer)

    @property
    def right_on_gold(self) -> Flags:
        """Whether each would be right of a gold question: as the author, and unambiguous."""
        return np.asarray(self.right & ~self.ambiguous)

    def question_codes(self) -> Ints:
        return codes(self.question)[0]


def first_seconds(shown_at: ArrayLike, before: ArrayLike, local_at: ArrayLike) -> Floats:
    """Return how long each first step took.

    Parameters
    ----------
    shown_at, local_at : float (n,)
        As in ``Votes``.
    before : float (n,)
        When the validator had voted the time before; -inf for never.
    """
    begun = np.maximum(shown_at, before)
    # A vote that was given in another tab meanwhile would make the step shorter than nothing.
    return np.maximum(np.asarray(local_at, dtype=np.float64) - begun, 0)


def step_seconds(votes: Votes) -> tuple[Floats, Floats]:
    """Return how long each vote's two steps took.

    Parameters
    ----------
    votes : Votes
        All of the validators': what came before a vote says when it can have begun.

    Returns
    -------
    tuple of float (n,)
        Seconds to the answer from the local context, and from there to the vote; nan where a time
        was not noted.

    Notes
    -----
    The next question is fetched while one is validated, so a seat's age is no measure of reading:
    the first step begins when the seat was taken or the validator's vote before it was given,
    whichever is later.
    """
    order = np.lexsort((votes.at, votes.worker))
    before = np.full(len(votes), -np.inf)
    same = votes.worker[order][1:] == votes.worker[order][:-1]
    before[order[1:][same]] = votes.at[order[:-1][same]]
    first = first_seconds(votes.shown_at, before, votes.local_at)
    return first, np.maximum(votes.at - votes.local_at, 0)
