"""What a prover answers to a claim."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol


class Verdict(StrEnum):
    PROVED = "proved"
    REFUTED = "refuted"
    UNDECIDED = "undecided"


class Limit(StrEnum):
    """What ended a proof without a decision."""

    STEPS = "steps"
    TIME = "time"
    MEMORY = "memory"
    SESSION = "session"
    KILLED = "killed"
    DIED = "died"
    INCOMPLETE = "incomplete"


LIMITS = {
    Limit.STEPS: "it reached the limit of 2,000,000 steps",
    Limit.TIME: "it reached the limit of 3 seconds",
    Limit.MEMORY: "it reached the limit of 512 MB of memory",
    Limit.SESSION: "the claims of the question took more than 10 seconds together",
    Limit.KILLED: "it heeded no limit and was stopped after 5 seconds",
    Limit.DIED: "the prover's process died",
    Limit.INCOMPLETE: "the prover gave up without reaching a limit",
}


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer to a claim.

    Parameters
    ----------
    verdict
        Whether the claim is proved, refuted by a model, or neither.
    limit
        Why it is undecided; None otherwise.
    truths
        Of the probes of the script, in a model that refutes the claim; None where unknown.
    others
        Whether that model has objects beside the named ones.
    """

    verdict: Verdict
    limit: Limit | None = None
    truths: tuple[bool | None, ...] = ()
    others: bool = False


class Prove(Protocol):
    """Proves or refutes the claim of an SMT-LIB script with some probes, as part of a session."""

    def __call__(self, script: str, *, probes: int = 0, session: str = "") -> Answer: ...


def truths_of(values: Sequence[object]) -> tuple[bool | None, ...]:
    """Read the truths of a JSON reply."""
    return tuple(value if isinstance(value, bool) else None for value in values)
