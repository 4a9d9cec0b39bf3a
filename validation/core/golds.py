"""Control questions, and the order of contested questions in the review queue."""

from collections.abc import Sequence
from enum import StrEnum

from validation.core.verdicts import Ballot, closeness

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


APPEALED, REPORTED = 20_000, 1_000  # a suspected label error counts as one report
MOST_REPORTS = 9
UNANIMOUS_WEIGHT = 1 / 3  # of dissent about clarity or local context, if all agree on the answer


def case_rank(
    *,
    counts: dict[str, int] | None,
    reports: int,
    appealed: bool,
    suspected: bool = False,
    valid: bool = False,
) -> int:
    """Return the priority of a question in the review queue; 0 if it is not contested.

    Questions with an upheld appeal come first, then reported ones and suspected label errors, by
    the number of reports, then split votes, by how close they were.

    Parameters
    ----------
    counts
        Votes for each part of the verdict; None if there is no verdict.
    valid
        Whether the question is valid. If all votes are also for the author's answer, the other
        differences count a third: they are no reason to doubt it.

    >>> case_rank(counts={"votes": 3, "correct": 2, "unambiguous": 3, "local": 0}, reports=0,
    ...           appealed=False)
    333
    >>> case_rank(counts={"votes": 3, "correct": 3, "unambiguous": 2, "local": 0}, reports=0,
    ...           appealed=False, valid=True)
    111
    """
    rank = APPEALED * appealed + REPORTED * min(reports + suspected, MOST_REPORTS)
    return rank + round(1000 * _doubt(counts, valid=valid)) if counts else rank


def _doubt(counts: dict[str, int], *, valid: bool) -> float:
    agreed = valid and counts["correct"] == counts["votes"]
    return closeness(counts) * (UNANIMOUS_WEIGHT if agreed else 1)
