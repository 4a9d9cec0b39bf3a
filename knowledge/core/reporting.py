"""An examination as plain values, and its obligations as sentences."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from corpora.core.bundle.codec import value_of
from knowledge.core.answers import LIMITS
from knowledge.core.obligations import Examination, Way


@dataclass(frozen=True, slots=True)
class Obligation:
    """One condition of "verified".

    Parameters
    ----------
    code
        Stable name, for programs.
    met
        None if the examination ended before it was known.
    sentence
        What was found.
    """

    code: str
    met: bool | None
    sentence: str


def as_dict(examination: Examination) -> dict[str, Any]:
    """Return an examination without its claims as JSON values, the same for the same result."""
    return {
        "verified": examination.verified,
        "consistent": examination.consistent,
        "ways": list(examination.ways),
        "other": _lists(examination.other),
        "without_knowledge": list(examination.without_knowledge),
        "cores": {way: list(core) for way, core in sorted(examination.cores.items())},
        "unused": list(examination.unused),
        "worlds": {way: asdict(world) for way, world in sorted(examination.worlds.items())},
        "undecided": examination.undecided,
        "limit": examination.limit,
    }


def from_dict(values: Mapping[str, Any]) -> Examination:
    """Read what ``as_dict`` returned, also after JSON; the claims are not in it."""
    return value_of(Examination, {name: values[name] for name in values if name != "verified"})


def _lists(other: Mapping[str, tuple[Way, ...]] | None) -> dict[str, list[Way]] | None:
    return None if other is None else {option: list(other[option]) for option in sorted(other)}


def obligations(examination: Examination) -> tuple[Obligation, ...]:
    """Return every condition of "verified" as a sentence, in the order in which it was asked."""
    ended = bool(examination.undecided)
    return (
        _consistent(examination),
        _answer(examination, ended),
        _other(examination),
        _needed(examination, ended),
        _decided(examination),
    )


def warnings(examination: Examination) -> tuple[str, ...]:
    """Return a sentence for each formula that no way needs."""
    if examination.undecided:
        return ()
    return tuple(f"The formula “{name}” is not used." for name in examination.unused)


def _consistent(examination: Examination) -> Obligation:
    said = {
        True: "Scene, knowledge, right reading and outcome can be true together.",
        False: "Scene, knowledge, right reading and outcome contradict each other.",
        None: "Whether scene, knowledge, right reading and outcome can be true together is open.",
    }
    return Obligation("consistent", examination.consistent, said[examination.consistent])


_PICKS = {
    Way.EXPLAINS: "the clause of the answer explains the outcome",
    Way.FOLLOWS: "the clause of the answer follows",
    Way.EXCLUDES: "the clause of every other option is excluded",
}


def _answer(examination: Examination, ended: bool) -> Obligation:
    if examination.ways:
        ways = " and ".join(_PICKS[way] for way in examination.ways)
        return Obligation("picks_answer", True, f"With the knowledge, {ways}.")
    if ended:
        return Obligation("picks_answer", None, "Whether the knowledge picks the answer is open.")
    return Obligation("picks_answer", False, "The knowledge does not pick the answer.")


def _other(examination: Examination) -> Obligation:
    if examination.other:
        options = ", ".join(sorted(examination.other))
        return Obligation("picks_no_other", False, f"The knowledge also picks {options}.")
    if examination.other is None:
        return Obligation("picks_no_other", None, "Whether it picks another option is open.")
    return Obligation("picks_no_other", True, "The knowledge picks no other option.")


def _needed(examination: Examination, ended: bool) -> Obligation:
    if examination.without_knowledge:
        return Obligation(
            "needs_knowledge", False, "The answer is picked without any knowledge already."
        )
    if ended or not examination.ways:
        return Obligation("needs_knowledge", None, "Whether knowledge is needed is open.")
    return Obligation("needs_knowledge", True, "Without the knowledge, no way picks the answer.")


def _decided(examination: Examination) -> Obligation:
    if examination.limit is None:
        return Obligation("decided", True, "Every claim was decided.")
    return Obligation(
        "decided",
        False,
        f"The claim “{examination.undecided}” was not decided: {LIMITS[examination.limit]}.",
    )
