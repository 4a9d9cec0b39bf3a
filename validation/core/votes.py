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
    """Votes as columns, in any order.

    Parameters
    ----------
    question, twin, worker : int (n,)
        Any integer identifiers.
    option, answer : int (n,), 1 or 2
        The vote's option, and the author's.
    ambiguous : bool (n,)
    local : int (n,)
        Answer from the local context; 0 for "cannot tell".
    gold, excluded, reported : bool (n,)
        Cast on a gold question; paid but not used; with a report.
    domain : int (n,)
        Index into the caller's list of domains.
    due : int (n,)
        The usual number of votes of its question, without additional ones.
    shown_at, local_at, at : float (n,)
        Seconds since 1970 at which the seat was claimed, the local context answered and the vote
        cast; nan where it was not recorded.
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
    due: Ints
    shown_at: Floats
    local_at: Floats
    at: Floats

    def __len__(self) -> int:
        return len(self.question)

    def where(self, chosen: Flags | Ints) -> Votes:
        """Return the votes for which *chosen* is true, or the votes at these indices."""
        return Votes(*(getattr(self, field.name)[chosen] for field in fields(self)))

    def counted(self) -> Votes:
        """Return the votes that count for verdicts."""
        return self.where(~self.gold & ~self.excluded)

    @property
    def right(self) -> Flags:
        """Whether each vote agrees with the author."""
        return np.asarray(self.option == self.answer)

    @property
    def right_on_gold(self) -> Flags:
        """Whether each vote is right for a gold question: the author's answer, unambiguous."""
        return np.asarray(self.right & ~self.ambiguous)

    def question_codes(self) -> Ints:
        return codes(self.question)[0]


def first_seconds(shown_at: ArrayLike, before: ArrayLike, local_at: ArrayLike) -> Floats:
    """Return the seconds of each first step.

    Parameters
    ----------
    shown_at, local_at : float (n,)
        As in ``Votes``.
    before : float (n,)
        The time of the validator's previous vote; -inf if there is none.
    """
    begun = np.maximum(shown_at, before)
    # A vote cast in another tab in between would make the duration negative.
    return np.maximum(np.asarray(local_at, dtype=np.float64) - begun, 0)


def step_seconds(votes: Votes) -> tuple[Floats, Floats]:
    """Return the seconds of each vote's two steps.

    Parameters
    ----------
    votes : Votes
        All votes of the validators: the previous vote limits when a vote can have begun.

    Returns
    -------
    tuple of float (n,)
        Seconds to the answer from the local context, and from there to the vote; nan if a time
        was not recorded.

    Notes
    -----
    The next question is prefetched while one is validated, so a seat's age does not measure the
    reading time: the first step begins when the seat was claimed or when the validator's previous
    vote was cast, whichever is later.
    """
    order = np.lexsort((votes.at, votes.worker))
    before = np.full(len(votes), -np.inf)
    same = votes.worker[order][1:] == votes.worker[order][:-1]
    before[order[1:][same]] = votes.at[order[:-1][same]]
    first = first_seconds(votes.shown_at, before, votes.local_at)
    return first, np.maximum(votes.at - votes.local_at, 0)
