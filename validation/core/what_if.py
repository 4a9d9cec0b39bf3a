"""Which verdicts would change under another policy or version."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from validation.core.verdicts import VERSION, Ballot, Policy, decide


@dataclass(frozen=True, slots=True)
class Decided:
    """A question with the votes that count and its verdict.

    ``id`` is any identifier of the caller. Leave out questions decided by curators: no policy
    changes them.
    """

    id: str
    answer: int
    ballots: Sequence[Ballot]
    valid: bool
    reasons: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class Change:
    """A verdict that would change; ``reasons`` are those of the invalid side."""

    id: str
    becomes_valid: bool
    reasons: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class WhatIf:
    """The changes under *policy* and *version*.

    ``gained`` would become valid, ``lost`` invalid; both in the order given. ``undecidable`` are
    questions that the version cannot decide (no votes; under version 1, an even number of them);
    they are in no other count.
    """

    policy: Policy
    version: int
    n: int
    valid_before: int
    valid_after: int
    gained: tuple[Change, ...]
    lost: tuple[Change, ...]
    undecidable: tuple[str, ...]

    @property
    def n_changed(self) -> int:
        return len(self.gained) + len(self.lost)

    def by_reason(self) -> dict[str, tuple[int, int]]:
        """Return for each reason how many gained questions had it, and lost ones would get it."""
        gained = Counter(reason for change in self.gained for reason in change.reasons)
        lost = Counter(reason for change in self.lost for reason in change.reasons)
        return {reason: (gained[reason], lost[reason]) for reason in sorted(gained | lost)}


def what_if(questions: Iterable[Decided], *, policy: Policy, version: int = VERSION) -> WhatIf:
    """Decide *questions* again and return which verdicts would change; nothing is stored.

    Parameters
    ----------
    questions
        Any number of questions, streamed: only those that change are kept.
    policy, version
        As in ``verdicts.decide``.

    Returns
    -------
    WhatIf
        ``n`` counts the questions that could be decided; ``valid_before`` and ``valid_after``
        refer to these.

    >>> fair, wrong = Ballot(1, False, None), Ballot(2, False, None)
    >>> split = Decided("a", answer=1, ballots=[fair, fair, wrong], valid=True)
    >>> report = what_if([split], policy=Policy.UNANIMOUS)
    >>> [change.id for change in report.lost], report.by_reason()
    (['a'], {'wrong_answer': (0, 1)})
    """
    n = before = after = 0
    gained: list[Change] = []
    lost: list[Change] = []
    undecidable: list[str] = []
    for question in questions:
        if not question.ballots or (version == 1 and len(question.ballots) % 2 == 0):
            undecidable.append(question.id)
            continue
        decision = decide(question.ballots, answer=question.answer, policy=policy, version=version)
        n, before, after = n + 1, before + question.valid, after + decision.valid
        if decision.valid and not question.valid:
            gained.append(Change(question.id, True, tuple(map(str, question.reasons))))
        elif question.valid and not decision.valid:
            lost.append(Change(question.id, False, tuple(map(str, decision.reasons))))
    return WhatIf(policy, version, n, before, after, tuple(gained), tuple(lost), tuple(undecidable))
