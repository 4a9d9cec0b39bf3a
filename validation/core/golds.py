"""Control questions: which questions are suitable, and what follows from the answers."""

from collections.abc import Sequence
from enum import StrEnum

from validation.core.verdicts import Ballot

WINDOW = 20
"""Answers considered: enough to distinguish 0.5 from 0.8, few enough to drop a bad first day."""
FEWEST = 5
"""Answers needed for a warning or pause: with fewer, one error would weigh a quarter."""


class Step(StrEnum):
    """The consequence of a validator's answers to gold questions."""

    NOTHING = "nothing"
    WARN = "warning"
    PAUSE = "pause"


def next_step(answers: Sequence[bool], *, pass_share: float, warned: bool) -> Step:
    """Return what follows from a validator's answers since their last warning or pause.

    Parameters
    ----------
    answers
        Whether each was right, newest first, none from before the last warning or pause.
    pass_share
        The share of the last ``WINDOW`` answers that must be right.
    warned
        Whether the last notice was a warning. A validator who returns after a pause is warned
        again first.

    >>> next_step([False, True, False, True, False], pass_share=0.7, warned=False)
    <Step.WARN: 'warning'>
    """
    recent = answers[:WINDOW]
    if len(recent) < FEWEST or sum(recent) >= pass_share * len(recent):
        return Step.NOTHING
    return Step.PAUSE if warned else Step.WARN


def is_right(option: int, answer: int, ambiguous: bool) -> bool:
    """Return whether an answer to a gold question is right: the author's, and unambiguous."""
    return option == answer and not ambiguous


def can_be_gold(ballots: Sequence[Ballot], *, answer: int) -> bool:
    """Return whether a question's votes are clear enough to use it as gold.

    There are at least three votes; all chose the author's answer, none found the question
    ambiguous, and none answered it correctly from the local context.
    """
    return len(ballots) >= 3 and all(
        ballot.option == answer and not ballot.ambiguous and ballot.local_option != answer
        for ballot in ballots
    )
