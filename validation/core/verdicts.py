"""The verdict over a question's votes: one pure, versioned function."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

VERSION = 1


class Policy(StrEnum):
    """``majority``: WinoGrande, AAAI 2020, §2; ``unanimous``: arXiv v1, §2."""

    MAJORITY = "majority"
    UNANIMOUS = "unanimous"


class Reason(StrEnum):
    WRONG_ANSWER = "wrong_answer"
    AMBIGUOUS = "ambiguous"
    LOCAL = "local"


REASONS = {
    Reason.WRONG_ANSWER: "The judges did not choose the author's answer.",
    Reason.AMBIGUOUS: "The judges found both options plausible.",
    Reason.LOCAL: "The judges could answer from the local context alone.",
}


@dataclass(frozen=True, slots=True)
class Ballot:
    """One vote: the option chosen (1 | 2), whether both seemed plausible, and the answer given
    from the local context alone (1 | 2, or None for "cannot tell")."""

    option: int
    ambiguous: bool
    local_option: int | None


@dataclass(frozen=True, slots=True)
class Decision:
    valid: bool
    reasons: tuple[Reason, ...]
    counts: dict[str, int]
    policy: Policy
    version: int = VERSION


def decide(ballots: Sequence[Ballot], *, answer: int, policy: Policy) -> Decision:
    """Decide whether a question is valid.

    Parameters
    ----------
    ballots
        An odd number of votes, all that the question gets.
    answer
        The author's answer, 1 or 2.
    policy
        ``majority``: valid iff more than half chose the author's answer, more than half found it
        unambiguous, and no more than half got it right from the local context alone.
        ``unanimous``: the first two parts need every vote; the third is the same.

    Returns
    -------
    Decision
        With every part that failed as a reason, and ``counts``: votes, correct, unambiguous, local.

    Raises
    ------
    ValueError
        For an even number of ballots, or an answer or option that is not 1 or 2.

    Source: WinoGrande (AAAI 2020), §2 "Data Validation"; policy ``unanimous``: arXiv v1.

    >>> fair = Ballot(option=1, ambiguous=False, local_option=None)
    >>> decide([fair] * 3, answer=1, policy=Policy.MAJORITY).valid
    True
    >>> [str(r) for r in decide([fair] * 3, answer=2, policy=Policy.MAJORITY).reasons]
    ['wrong_answer']
    """
    _validate(ballots, answer)
    total = len(ballots)
    counts = {
        "votes": total,
        "correct": sum(ballot.option == answer for ballot in ballots),
        "unambiguous": sum(not ballot.ambiguous for ballot in ballots),
        "local": sum(ballot.local_option == answer for ballot in ballots),
    }
    majority = total // 2 + 1
    needed = total if policy is Policy.UNANIMOUS else majority
    failed = {
        Reason.WRONG_ANSWER: counts["correct"] < needed,
        Reason.AMBIGUOUS: counts["unambiguous"] < needed,
        Reason.LOCAL: counts["local"] >= majority,
    }
    reasons = tuple(reason for reason, is_so in failed.items() if is_so)
    return Decision(not reasons, reasons, counts, policy)


def _validate(ballots: Sequence[Ballot], answer: int) -> None:
    if len(ballots) % 2 == 0:
        raise ValueError(f"ballots: a majority needs an odd number of votes; got {len(ballots)}.")
    if answer not in (1, 2):
        raise ValueError(f"answer: must be 1 or 2; got {answer!r}.")
    for ballot in ballots:
        if ballot.option not in (1, 2) or ballot.local_option not in (None, 1, 2):
            raise ValueError(f"ballots: an option is 1 or 2; got {ballot!r}.")
