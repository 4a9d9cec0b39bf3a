"""Several seeds of a training, and maps of how its items are learned."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import ndtri

from corpora.core.metrics import accuracy, answer_positions, group_score
from stats.groups import Names
from stats.intervals import Estimate

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
REGION_SHARE = 1 / 3  # of the questions, in each region


class Region(StrEnum):
    """A region of the map: a third of the questions each, so that they overlap."""

    EASY = "easy"
    AMBIGUOUS = "ambiguous"
    HARD = "hard"


@dataclass(frozen=True, slots=True)
class Cartography:
    """The map of the questions a model was trained on.

    Parameters
    ----------
    confidence : float (n,), in [0, 1]
        Mean probability of the right option over epochs.
    variability : float (n,), in [0, 0.5]
        Standard deviation of that probability over epochs, with n in the denominator.
    correctness : float (n,), in [0, 1]
        Share of epochs in which the right option was chosen.
    n_epochs : int
    """

    confidence: Floats
    variability: Floats
    correctness: Floats
    n_epochs: int

    @property
    def hardest_first(self) -> Ints:
        """Rows (n,) from the lowest confidence; of equal ones, first the lowest variability."""
        return np.lexsort((self.variability, self.confidence)).astype(np.int64)


def cartography(probability: ArrayLike, right: ArrayLike) -> Cartography:
    """Return the confidence, variability and correctness of each question.

    Parameters
    ----------
    probability : float (n_epochs, n), in [0, 1], at least 2 epochs
        Of the right option of each question.
    right : bool (n_epochs, n)
        Whether the right option had the highest score.

    Returns
    -------
    Cartography

    Raises
    ------
    ValueError
        When the shapes differ, there are fewer than 2 epochs, or a probability is not in [0, 1].

    Source: Swayamdipta et al., Dataset Cartography (EMNLP 2020), §2.1, equations 1 and 2. There,
    correctness counts the right answers; here it is their share, so that runs compare.

    Examples
    --------
    >>> found = cartography([[0.6, 0.4], [1.0, 0.2]], [[True, False], [True, False]])
    >>> found.confidence.round(3).tolist(), found.variability.round(3).tolist()
    ([0.8, 0.3], [0.2, 0.1])
    >>> found.correctness.tolist()
    [1.0, 0.0]
    """
    values, hits = np.asarray(probability, dtype=np.float64), np.asarray(right, dtype=bool)
    if values.ndim != 2 or values.shape != hits.shape:
        raise ValueError(
            f"probability and right must be (n_epochs, n), got {values.shape} and {hits.shape}"
        )
    if len(values) < 2:
        raise ValueError(f"probability must have at least 2 epochs, got {len(values)}")
    if not ((values >= 0) & (values <= 1)).all():
        raise ValueError("probability must be in [0, 1]")
    return Cartography(values.mean(axis=0), values.std(axis=0), hits.mean(axis=0), len(values))


def regions(found: Cartography) -> list[tuple[Region, ...]]:
    """Return the regions of each question: none, one, or ambiguous beside one of the others.

    Hard to learn is the third of the lowest confidence, easy to learn that of the highest, and
    ambiguous that of the highest variability. A region's size tells nothing: it is always a third.

    Parameters
    ----------
    found : Cartography of n questions
        Equal ones are in the order of `Cartography.hardest_first`, then in the order given.

    Source: Swayamdipta et al. (2020), §3, whose subsets have 33 % of the questions. Their program
    takes one question more, and 33.19 %.

    Examples
    --------
    >>> found = cartography([[0.9, 0.1, 0.1], [0.9, 0.1, 0.9]], [[1, 0, 0], [1, 0, 1]])
    >>> [" ".join(of) for of in regions(found)]
    ['easy', 'hard', 'ambiguous']
    """
    hardest, n_each = found.hardest_first, round(REGION_SHARE * len(found.confidence))
    rows = {
        Region.EASY: hardest[len(hardest) - n_each :],
        Region.HARD: hardest[:n_each],
        Region.AMBIGUOUS: np.argsort(-found.variability, kind="stable")[:n_each],
    }
    of_row: list[tuple[Region, ...]] = [()] * len(hardest)
    for region, members in rows.items():
        for row in members.tolist():
            of_row[row] += (region,)
    return of_row


@dataclass(frozen=True, slots=True)
class Run:
    """The figures of one seed.

    Parameters
    ----------
    accuracy, group_score : Estimate
    collapsed : bool
        See `seeds`.
    detectable : float in [0, 1] or None
        The accuracy at which a run is not collapsed with a probability of about 80 %; 1 if none is.
    """

    accuracy: Estimate
    group_score: Estimate
    collapsed: bool
    detectable: float | None


@dataclass(frozen=True, slots=True)
class Spread:
    """A metric over runs.

    Parameters
    ----------
    n : int
        Runs in which the metric is known.
    mean, best : float or None
        None without runs.
    sd : float or None
        With n - 1 in the denominator; None for fewer than two runs. It is the spread between
        seeds on the same questions, not the uncertainty about other questions.
    """

    n: int
    mean: float | None
    sd: float | None
    best: float | None


@dataclass(frozen=True, slots=True)
class Seeds:
    """All runs, and the spread of both metrics with and without collapsed runs."""

    runs: tuple[Run, ...]
    accuracy: Spread
    group_score: Spread
    converged_accuracy: Spread
    converged_group_score: Spread


def seeds(
    credits: Sequence[ArrayLike], groups: Names, n_options: ArrayLike, answers: ArrayLike
) -> Seeds:
    """Summarise the runs of one evaluation with different seeds.

    Parameters
    ----------
    credits : n_runs sequences of bool, or of float in [0, 1], (n,)
        As in `metrics.accuracy`, of the same questions in the same order.
    groups : (n,)
    n_options : int (n,), at least 2
    answers : int (n,)
        The right options, from 1, in the order in which the model was given them.

    Returns
    -------
    Seeds
        A run is collapsed if the 95 % interval of its accuracy is neither above nor below
        everything from the lowest to the highest `constant_levels`: it cannot be told from a model
        that learned nothing. The best accuracy and the best group score may be of different runs.

    Raises
    ------
    ValueError
        As `metrics.accuracy` and `constant_levels`.

    Notes
    -----
    Fine-tuned models either learn or stay at chance, by seed, and their accuracies then have two
    modes, which one mean hides. So the spread is given with and without collapsed runs. A run
    below chance has learned something, such as the reverse of a filtered bias, and is not
    collapsed. On few questions a good run may be called collapsed: at an accuracy of 0.6, about
    one in six is on 200 questions, and about half on 100.

    Source: Sakaguchi et al., WinoGrande (AAAI 2020), §4.1 (three seeds) and Figure 2 (best of
    ten). Collapsed runs: Mosbach et al., On the Stability of Fine-tuning BERT (ICLR 2021), who
    call a run failed if its accuracy is at most that of the majority; the interval is ours.
    """
    if len(np.asarray(answers)) != len(groups):
        raise ValueError(
            f"groups must have {len(np.asarray(answers))} entries as answers, got {len(groups)}"
        )
    levels = constant_levels(n_options, answers)
    runs = tuple(_run(credit, groups, levels) for credit in credits)
    usable = [run for run in runs if not run.collapsed]
    return Seeds(
        runs=runs,
        accuracy=spread([run.accuracy.value for run in runs]),
        group_score=spread([run.group_score.value for run in runs]),
        converged_accuracy=spread([run.accuracy.value for run in usable]),
        converged_group_score=spread([run.group_score.value for run in usable]),
    )


def constant_levels(n_options: ArrayLike, answers: ArrayLike) -> NDArray[np.float64]:
    """Return the accuracies of methods that do not read the question.

    Parameters
    ----------
    n_options : int (n,), at least 2
    answers : int (n,)

    Returns
    -------
    float (1 + k,)
        First of random answers, then of always choosing option 1, 2, … k, where k is the smallest
        number of options. Empty without questions.

    Raises
    ------
    ValueError
        When an answer is not from 1 to the question's number of options, or the lengths differ.

    Examples
    --------
    >>> constant_levels([2, 2, 2, 2], [1, 1, 1, 2]).tolist()
    [0.5, 0.75, 0.25]
    """
    sizes = np.asarray(n_options, dtype=np.int64)
    if (sizes < 2).any():
        raise ValueError(f"n_options must be at least 2, got {sizes.min()}")
    right = answer_positions(answers, sizes.tolist())
    if not len(right):
        return np.zeros(0)
    constant = [(right == i).mean() for i in range(sizes.min())]
    return np.array([(1 / sizes).mean(), *constant], dtype=np.float64)


def _run(credits: ArrayLike, groups: Names, levels: NDArray[np.float64]) -> Run:
    single = accuracy(credits, groups)
    collapsed = (
        single.low is not None
        and single.high is not None
        and single.low <= levels.max()
        and single.high >= levels.min()
    )
    return Run(single, group_score(credits, groups), bool(collapsed), _detectable(single, levels))


def _detectable(estimate: Estimate, levels: NDArray[np.float64]) -> float | None:
    if estimate.low is None or estimate.high is None:
        return None
    error = (estimate.high - estimate.low) / (2 * ndtri(0.975))
    return min(1.0, float(levels.max() + error * (ndtri(0.975) + ndtri(0.8))))


def spread(figures: Sequence[float | None]) -> Spread:
    """Return the mean, deviation and best of a metric's figures; None counts as unknown."""
    values = [value for value in figures if value is not None]
    if not values:
        return Spread(0, None, None, None)
    sd = float(np.std(values, ddof=1)) if len(values) > 1 else None
    return Spread(len(values), float(np.mean(values)), sd, max(values))
