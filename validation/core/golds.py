"""Gold questions: when one is asked, and what follows from the answers to them."""

from collections.abc import Sequence
from enum import StrEnum

from validation.core.verdicts import Ballot

WINDOW = 20
"""Answers looked back on: enough to tell 0.5 from 0.8, few enough to forget a bad first day."""
FEWEST = 5
"""Answers before anything is said: with fewer, one slip would weigh a quarter."""


class Step(StrEnum):
    """What follows from a validator's answers to gold questions."""

    NOTHING = "nothing"
    WARN = "warning"
    PAUSE = "pause"


def next_step(answers: Sequence[bool], *, pass_share: float, warned: bool) -> Step:
    """Say what follows from the answers that a validator gave since they last heard of us.

    Parameters
    ----------
    answers
        Whether each was right, newest first, none from before the last warning or pause.
    pass_share
        The share of the last ``WINDOW`` that has to be right.
    warned
        Whether the last they heard was a warning; who was paused and came back is warned again
        first.

    >>> next_step([False, True, False, True, False], pass_share=0.7, warned=False)
    <Step.WARN: 'warning'>
    """
    recent = answers[:WINDOW]
    if len(recent) < FEWEST or sum(recent) >= pass_share * len(recent):
        return Step.NOTHING
    return Step.PAUSE if warned else Step.WARN


def is_right(option: int, answer: int, ambiguous: bool) -> bool:
    """Whether a gold question was answered rightly: with its author, and found unambiguous."""
    return option == answer and not ambiguous


def can_be_gold(ballots: Sequence[Ballot], *, answer: int) -> bool:
    """Whether votes are so clear that their question may serve as gold.

    All chose the author's answer, none found it ambiguous, none had it from the local context
    alone; and there are three at least.
    """
    return len(ballots) >= 3 and all(
        ballot.option == answer and not ballot.ambiguous and ballot.local_option != answer
        for ballot in ballots
    )
