"""Votes of a question, their majority, and whether one more is needed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields

import numpy as np
from numpy.typing import ArrayLike, NDArray

from stats.tables import as_counts, codes
from validation.core.verdicts import Ballot, Policy, decide

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

    def counting(self) -> Votes:
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


def majority_shares(counts: ArrayLike) -> Floats:
    """Return each label's share of the majority of each item: 1, or its share of a tie.

    Parameters
    ----------
    counts : int (n_items, n_labels)

    Returns
    -------
    float (n_items, n_labels)
        Rows sum to 1. If t labels tie for the most votes, each gets 1/t: the probability that a
        fair draw picks it. An item without votes has 1/n_labels everywhere.

    Examples
    --------
    >>> majority_shares([[2, 1], [1, 1], [0, 0]]).tolist()
    [[1.0, 0.0], [0.5, 0.5], [0.5, 0.5]]
    """
    table = as_counts(counts)
    most = table == table.max(axis=1, keepdims=True)  # (n_items, n_labels)
    shares: Floats = most / most.sum(axis=1, keepdims=True)
    return shares


def wants_another(ballots: Sequence[Ballot], *, answer: int, policy: Policy, most: int) -> bool:
    """Return whether a question should get one more vote.

    It should if the votes so far do not all agree, and some completion to *most* votes would
    change the verdict. Validity is monotone: a vote that is good in every part never makes a valid
    question invalid, and one that is bad in every part never makes an invalid question valid. So
    the all-good and the all-bad completions bound all others, and one more vote matters iff these
    two differ.

    Parameters
    ----------
    ballots
        The votes that count so far, at least one.
    answer
        The author's answer, 1 or 2.
    most
        The maximum number of votes of the question.

    Raises
    ------
    ValueError
        As ``verdicts.decide``.

    Source: curtailed sampling (stop as soon as the outcome is certain). Departure: a part on which
    all votes agree is taken as certain, although a long run of contrary votes could change it.

    >>> good, bad = Ballot(1, False, None), Ballot(2, False, None)
    >>> wants_another([good, good, bad], answer=1, policy=Policy.MAJORITY, most=5)
    True
    >>> wants_another([good, good, good], answer=1, policy=Policy.MAJORITY, most=9)
    False
    """
    now = decide(ballots, answer=answer, policy=policy)
    if len({_parts(ballot, answer) for ballot in ballots}) == 1 or len(ballots) >= most:
        return False
    rest = most - len(ballots)
    good = Ballot(option=answer, ambiguous=False, local_option=None)
    bad = Ballot(option=3 - answer, ambiguous=True, local_option=answer)
    best = decide([*ballots, *[good] * rest], answer=answer, policy=policy)
    worst = decide([*ballots, *[bad] * rest], answer=answer, policy=policy)
    return now.valid is not best.valid or now.valid is not worst.valid


def _parts(ballot: Ballot, answer: int) -> tuple[bool, bool, bool]:
    """Return the parts of a ballot that the verdict uses."""
    return ballot.option == answer, ballot.ambiguous, ballot.local_option == answer
