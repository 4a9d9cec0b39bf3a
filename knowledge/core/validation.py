"""Annotators' answers about problems: which problems are valid, and how annotators agree."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from stats.agreement import Agreement, agreement
from stats.cohen import Kappa, cohen, mean_kappa
from stats.groups import Names, group_numbers
from stats.intervals import Estimate
from stats.people import People, PeopleEstimate, single_votes
from stats.rated_items import LabelledVotes
from stats.tables import label_counts

Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]

ANNOTATORS = 6
NEEDED = 5
FEWEST_ANSWERS = 20
"""Annotators with fewer answers are left out of the mean kappa."""


@dataclass(frozen=True, slots=True)
class Policy:
    """When a problem is valid.

    Parameters
    ----------
    annotators : int, at least 1
        Answers of each problem.
    needed : int, more than half of ``annotators``
        Answers that equal its label.

    Raises
    ------
    ValueError
        When ``needed`` is out of range: with half of the answers, both labels would be valid.

    Source: WinoLogic (EMNLP 2021), §4.4: at least 5 of 6.
    """

    annotators: int = ANNOTATORS
    needed: int = NEEDED

    def __post_init__(self) -> None:
        if not self.annotators < 2 * self.needed <= 2 * self.annotators:
            raise ValueError(
                f"needed must be more than half of annotators = {self.annotators} and at most "
                f"all of them, got {self.needed}"
            )


@dataclass(frozen=True, slots=True)
class AnnotatorFigures:
    """One annotator's agreement with the labels.

    Parameters
    ----------
    annotator : int
        Number in the input.
    right, n : int
        Answers that equal the label, and all answers.
    kappa : Estimate
        Cohen's, with the labels, and its interval over pairs; the value is None if undefined.
    yes : float in [0, 1]
        Share of "yes".
    seconds : float or None
        Median time of an answer.
    """

    annotator: int
    right: int
    n: int
    kappa: Estimate
    yes: float
    seconds: float | None


@dataclass(frozen=True, slots=True)
class Figures:
    """What the answers of a knowledge set say.

    Parameters
    ----------
    n_problems, n_complete, n_valid : int
        Problems, those with all answers, and those of them that are valid.
    raw : PeopleEstimate
        Share of answers that equal the label; n counts answers, the intervals are over pairs, for
        these annotators and for annotators like them.
    annotators : tuple of AnnotatorFigures
    mean_kappa : PeopleEstimate
        Over annotators with at least 20 answers and a defined kappa, whom n counts.
    among : Agreement
        Between annotators, whatever the labels: raw, Fleiss' kappa, Krippendorff's alpha.
    by_kind : mapping of kind to PeopleEstimate
        As ``raw``.
    valid_by_kind : mapping of kind to (int, int)
        Valid and complete problems.
    """

    n_problems: int
    n_complete: int
    n_valid: int
    raw: PeopleEstimate
    annotators: tuple[AnnotatorFigures, ...]
    mean_kappa: PeopleEstimate
    among: Agreement
    by_kind: Mapping[str, PeopleEstimate]
    valid_by_kind: Mapping[str, tuple[int, int]]


@dataclass(frozen=True, slots=True, eq=False)
class Answers:
    """Answers as columns.

    Parameters
    ----------
    problem : int (n,), from 0
        Row of ``labels``.
    annotator : int (n,), from 0
    yes : bool (n,)
    seconds : float (n,), optional
        nan where unknown.
    """

    problem: Ints
    annotator: Ints
    yes: Bools
    seconds: NDArray[np.float64] | None = None

    @classmethod
    def of(
        cls,
        problem: ArrayLike,
        annotator: ArrayLike,
        yes: ArrayLike,
        seconds: ArrayLike | None = None,
    ) -> Answers:
        """Return the columns of sequences; see the class."""
        return cls(
            np.asarray(problem, dtype=np.int64),
            np.asarray(annotator, dtype=np.int64),
            np.asarray(yes, dtype=bool),
            None if seconds is None else np.asarray(seconds, dtype=np.float64),
        )


def is_valid(n_equal: int, *, policy: Policy = Policy()) -> bool:
    """Return whether so many answers that equal the label make a problem valid.

    >>> is_valid(5), is_valid(4), is_valid(4, policy=Policy(6, 4))
    (True, False, True)
    """
    return n_equal >= policy.needed


def valid_problems(
    labels: ArrayLike,
    answers: Answers,
    *,
    policy: Policy = Policy(),
) -> tuple[Bools, Bools]:
    """Return which problems are valid, and which have all their answers.

    Parameters
    ----------
    labels : bool (n_problems,)
    answers : Answers
    policy : Policy

    Returns
    -------
    bool (n_problems,), bool (n_problems,)
        A problem with fewer answers than the policy asks for is not valid.

    Raises
    ------
    ValueError
        When a problem has more answers than the policy asks for.
    """
    truth = np.asarray(labels, dtype=bool)
    n_answers = np.bincount(answers.problem, minlength=len(truth))
    if (n_answers > policy.annotators).any():
        raise ValueError(f"answers: a problem has at most {policy.annotators}")
    equal = answers.yes == truth[answers.problem]
    n_equal = np.bincount(answers.problem[equal], minlength=len(truth))
    complete = n_answers == policy.annotators
    return complete & (n_equal >= policy.needed), complete


def figures(
    labels: ArrayLike,
    answers: Answers,
    *,
    kinds: Sequence[str],
    pairs: Names,
    policy: Policy = Policy(),
) -> Figures:
    """Return all figures of a set's answers.

    Parameters
    ----------
    labels : bool (n_problems,)
    answers : Answers
    kinds : (n_problems,)
        For example "true", "negation", "swapped".
    pairs : (n_problems,)
        The pair of each problem; intervals are over pairs.
    policy : Policy

    Source: WinoLogic (EMNLP 2021), §4.4; the intervals, Fleiss and alpha are ours.
    """
    truth = np.asarray(labels, dtype=bool)
    valid, complete = valid_problems(truth, answers, policy=policy)
    equal = answers.yes == truth[answers.problem]
    of_problem = group_numbers(pairs)
    groups = of_problem[answers.problem]
    kappas = _kappas(truth, answers, groups)
    names = np.asarray(kinds, dtype=str)
    of_answer = names[answers.problem]
    return Figures(
        n_problems=len(truth),
        n_complete=int(complete.sum()),
        n_valid=int(valid.sum()),
        raw=single_votes(equal, groups, answers.annotator),
        annotators=tuple(_figures_of(answers, equal, who, kappa) for who, kappa in kappas.items()),
        mean_kappa=mean_kappa([row for row in kappas.values() if row.estimate.n >= FEWEST_ANSWERS]),
        among=_among(answers, of_problem),
        by_kind={
            str(kind): single_votes(equal[rows], groups[rows], answers.annotator[rows])
            for kind in np.unique(names)
            for rows in [of_answer == kind]
        },
        valid_by_kind={
            str(kind): (int(valid[names == kind].sum()), int(complete[names == kind].sum()))
            for kind in np.unique(names)
        },
    )


def _kappas(truth: Bools, answers: Answers, groups: Ints) -> dict[int, Kappa]:
    """Return each annotator's kappa with the labels, in the order of their numbers."""
    label = truth[answers.problem]
    rows = {int(who): answers.annotator == who for who in np.unique(answers.annotator)}
    return {who: cohen(label[of], answers.yes[of], groups[of]) for who, of in rows.items()}


def _figures_of(answers: Answers, equal: Bools, number: int, kappa: Kappa) -> AnnotatorFigures:
    rows = answers.annotator == number
    seconds = np.empty(0) if answers.seconds is None else answers.seconds[rows]
    measured = seconds[~np.isnan(seconds)]
    return AnnotatorFigures(
        annotator=number,
        right=int(equal[rows].sum()),
        n=int(rows.sum()),
        kappa=kappa.estimate,
        yes=float(answers.yes[rows].mean()),
        seconds=float(np.median(measured)) if len(measured) else None,
    )


def _among(answers: Answers, pairs: Ints) -> Agreement:
    """Return the annotators' agreement with each other; groups are pairs of problems."""
    yes = answers.yes.astype(np.int64)
    return agreement(
        label_counts(answers.problem, yes, n_items=len(pairs), n_labels=2),
        groups=pairs,
        votes=LabelledVotes(People(answers.problem, answers.annotator), yes),
    )
