"""Obligations of a proof as JSON, and tables of what systems answer."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from corpora.core.bundle.codec import value_of
from knowledge.core.answers import LIMITS
from knowledge.core.obligations import Examination, Way
from stats.groups import Names, group_numbers
from stats.intervals import Estimate, clustered_share

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]

TRUE = "true"
COLLAPSED = 0.05
"""A system collapses if it gives one of the two answers to at most this share of the problems."""


@dataclass(frozen=True, slots=True)
class SystemFigures:
    """One system on one variant of a knowledge set, by one seed.

    Parameters
    ----------
    accuracy : Estimate
        n counts problems; the interval is over questions.
    by_kind : mapping of kind to Estimate
        "true" and each kind of false problem.
    false : Estimate
        All false problems.
    pairs : Estimate
        Pairs with both problems right; chance is 25 %.
    answered_true : float in [0, 1]
    is_collapsed : bool
        Whether nearly all answers are the same; see ``COLLAPSED``.
    """

    accuracy: Estimate
    by_kind: Mapping[str, Estimate]
    false: Estimate
    pairs: Estimate
    answered_true: float
    is_collapsed: bool


def credits(answers_true: ArrayLike, labels: ArrayLike) -> Floats:
    """Return the credit of each answer.

    Parameters
    ----------
    answers_true : float in [0, 1] (n,)
        1 for "true", 0 for "false", 0.5 for a tie.
    labels : bool (n,)

    Returns
    -------
    float (n,)
        1 for a right answer, 0 for a wrong one; a tie counts half.

    Examples
    --------
    >>> credits([1, 0.5, 0], [True, True, True]).tolist()
    [1.0, 0.5, 0.0]
    """
    given, truth = np.asarray(answers_true, dtype=np.float64), np.asarray(labels, dtype=bool)
    if given.shape != truth.shape or ((given < 0) | (given > 1)).any():
        raise ValueError("answers_true must be from 0 to 1, one for each label")
    return np.where(truth, given, 1 - given)


def majority(answers_true: ArrayLike) -> Floats:
    """Return the majority's answers of several models.

    Parameters
    ----------
    answers_true : float in [0, 1] (n_models, n)

    Returns
    -------
    float (n,)
        0.5 where as many models say "true" as "false".

    Examples
    --------
    >>> majority([[1, 1, 0], [1, 0, 0]]).tolist()
    [1.0, 0.5, 0.0]
    """
    votes = np.asarray(answers_true, dtype=np.float64)
    if votes.ndim != 2 or not len(votes):
        raise ValueError("answers_true must have a row for each of at least one model")
    mean = votes.mean(axis=0)
    return np.where(mean == 0.5, 0.5, mean > 0.5).astype(np.float64)


def system_figures(
    answers_true: ArrayLike,
    labels: ArrayLike,
    *,
    kinds: Sequence[str],
    pairs: Names,
    questions: Names,
) -> SystemFigures:
    """Return the figures of one system.

    Parameters
    ----------
    answers_true : float in [0, 1] (n,)
        See `credits`.
    labels : bool (n,)
    kinds : (n,)
        "true", or the kind of a false problem.
    pairs : (n,)
        The pair of each problem. The credit of a pair is the product of its two.
    questions : (n,)
        What the intervals are over: the question of each problem, or its group of twins.

    Raises
    ------
    ValueError
        When there are no problems, or a kind contradicts its label.
    """
    got, truth = credits(answers_true, labels), np.asarray(labels, dtype=bool)
    names = np.asarray(kinds, dtype=str)
    if not len(got) or ((names == TRUE) != truth).any():
        raise ValueError("kinds must be “true” exactly where the label is true, of some problems")
    groups = group_numbers(questions)
    share_true = float(np.asarray(answers_true, dtype=np.float64).mean())

    def over(rows: Bools) -> Estimate:
        return clustered_share(got[rows], groups[rows])

    return SystemFigures(
        accuracy=clustered_share(got, groups),
        by_kind={str(kind): over(names == kind) for kind in np.unique(names)},
        false=over(~truth),
        pairs=_pairs(got, group_numbers(pairs), groups),
        answered_true=share_true,
        is_collapsed=min(share_true, 1 - share_true) <= COLLAPSED,
    )


def _pairs(got: Floats, pairs: NDArray[np.int64], groups: NDArray[np.int64]) -> Estimate:
    """Return the share of pairs with both right; a pair that lost one of its two is left out."""
    sizes = np.bincount(pairs)
    if (sizes > 2).any():
        raise ValueError("pairs must have at most two problems each")
    product = np.ones(len(sizes))
    np.multiply.at(product, pairs, got)
    _, first = np.unique(pairs, return_index=True)
    whole = sizes == 2
    return clustered_share(product[whole], groups[first][whole])


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
    texts = {
        True: "Scene, knowledge, right reading and outcome can be true together.",
        False: "Scene, knowledge, right reading and outcome contradict each other.",
        None: "Whether scene, knowledge, right reading and outcome can be true together is open.",
    }
    return Obligation("consistent", examination.consistent, texts[examination.consistent])


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
