"""The verdict on a question from its votes: one pure, versioned function."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

VERSION = 2
"""Version 2 also decides even numbers of votes; for odd ones it is equal to version 1."""


class Policy(StrEnum):
    """``majority``: WinoGrande, AAAI 2020, §2; ``unanimous``: arXiv v1, §2."""

    MAJORITY = "majority"
    UNANIMOUS = "unanimous"


class Reason(StrEnum):
    WRONG_ANSWER = "wrong_answer"
    AMBIGUOUS = "ambiguous"
    LOCAL = "local"
    # Not derived from votes: only a curator gives these reasons.
    EXCLUDED = "excluded_by_curator"
    RETURNED = "returned"


REASONS = {
    Reason.WRONG_ANSWER: "The validators did not choose the author's answer.",
    Reason.AMBIGUOUS: "The validators found both options plausible.",
    Reason.LOCAL: "The validators could answer from the local context only.",
    Reason.EXCLUDED: "A curator has excluded it; it is still paid.",
    Reason.RETURNED: "A curator has returned it to its author.",
}


@dataclass(frozen=True, slots=True)
class Ballot:
    """One vote: the option chosen (1 | 2), whether both seemed plausible, and the answer given
    from the local context (1 | 2, or None for "cannot tell")."""

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


def decide(
    ballots: Sequence[Ballot], *, answer: int, policy: Policy, version: int = VERSION
) -> Decision:
    """Decide whether a question is valid.

    Parameters
    ----------
    ballots
        The votes that count, at least one. A tie is not a majority: of 4 votes, 3 are needed.
    answer
        The author's answer, 1 or 2.
    policy
        ``majority``: valid iff more than half chose the author's answer, more than half found it
        unambiguous, and at most half answered correctly from the local context.
        ``unanimous``: the first two parts require every vote; the third is the same.
    version
        1 accepts only odd numbers of votes; 2 is equal to it for these.

    Returns
    -------
    Decision
        With every part that failed as a reason, and ``counts``: votes, correct, unambiguous, local.

    Raises
    ------
    ValueError
        For no ballots, an answer or option that is not 1 or 2, an unknown version, or an even
        number of ballots under version 1.

    Source: WinoGrande (AAAI 2020), §2 "Data Validation"; policy ``unanimous``: arXiv v1. Both
    papers use three votes; the rule for even numbers is ours.

    >>> fair = Ballot(option=1, ambiguous=False, local_option=None)
    >>> decide([fair] * 3, answer=1, policy=Policy.MAJORITY).valid
    True
    >>> [str(r) for r in decide([fair] * 3, answer=2, policy=Policy.MAJORITY).reasons]
    ['wrong_answer']
    """
    _validate(ballots, answer, version)
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
    return Decision(not reasons, reasons, counts, policy, version)


def _validate(ballots: Sequence[Ballot], answer: int, version: int) -> None:
    if version not in (1, 2):
        raise ValueError(f"version: must be 1 or 2; got {version!r}.")
    if not ballots:
        raise ValueError("ballots: a verdict needs at least one vote; got none.")
    if version == 1 and len(ballots) % 2 == 0:
        raise ValueError(f"ballots: version 1 needs an odd number of votes; got {len(ballots)}.")
    if answer not in (1, 2):
        raise ValueError(f"answer: must be 1 or 2; got {answer!r}.")
    for ballot in ballots:
        if ballot.option not in (1, 2) or ballot.local_option not in (None, 1, 2):
            raise ValueError(f"ballots: an option is 1 or 2; got {ballot!r}.")


def closeness(counts: dict[str, int]) -> float:
    """Return how close the votes of a question were, from 0 (all agree) to 0.5 (a tie).

    This is the minority's share in the part of the verdict on which the validators differ most.

    >>> closeness({"votes": 3, "correct": 2, "unambiguous": 3, "local": 0})
    0.3333333333333333
    """
    total = counts["votes"]
    parts = (counts[part] for part in ("correct", "unambiguous", "local"))
    return max((min(part, total - part) / total for part in parts), default=0.0) if total else 0.0
