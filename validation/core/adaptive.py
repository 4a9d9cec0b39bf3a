"""Whether a question should get one more vote: curtailed sampling of its votes."""

from collections.abc import Sequence

from validation.core.verdicts import Ballot, Policy, decide


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
