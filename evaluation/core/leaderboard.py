"""Scores on a blind test, with noise that bounds what a year of scores tells about its labels.

Exact scores tell labels: two submissions that differ in one prediction show that question's
answer. Here each figure has Gaussian noise, so that all figures of a year together tell at most
`SHARE` of the labels, however the submissions are chosen.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import ceil, log, sqrt

import numpy as np
from numpy.typing import NDArray

from corpora.core.bundle.layout import SIZES
from stats.groups import Names, group_numbers
from stats.intervals import Estimate
from training.core.curves import curve_area

Ints = NDArray[np.int64]
SHARE = 0.01  # of the labels, that a year of submissions may tell
MOST_NOISE = 0.05  # standard deviation of an accuracy, above which scores are useless
Z = 1.959963984540054


@dataclass(frozen=True, slots=True)
class Shape:
    """How many questions a blind test has: those without their twin, and complete pairs."""

    n_unpaired: int
    n_pairs: int

    @property
    def n_questions(self) -> int:
        """Questions of the test."""
        return self.n_unpaired + 2 * self.n_pairs


@dataclass(frozen=True, slots=True)
class Noise:
    """Standard deviations of the noise of one submission's figures.

    Parameters
    ----------
    accuracy : float
        Of accuracies and of the area under the curve, as shares from 0 to 1.
    pair_accuracy : float or None
        Of the share of complete pairs with both answers right; None without complete pairs.
    """

    accuracy: float
    pair_accuracy: float | None


def shape_of(groups: Names) -> Shape:
    """Count the unpaired questions and the pairs of a test.

    Raises
    ------
    ValueError
        When a group has more than two questions.
    """
    sizes = np.bincount(group_numbers(groups))
    if len(sizes) and sizes.max() > 2:
        raise ValueError(f"groups must have at most 2 questions, got {sizes.max()}")
    return Shape(n_unpaired=int((sizes == 1).sum()), n_pairs=int((sizes == 2).sum()))


def noise(shape: Shape, *, per_year: int, n_accuracies: int = 1, share: float = SHARE) -> Noise:
    """Return the noise with which *per_year* submissions tell at most *share* of the labels.

    Each figure of a submission gets an equal part of the submission's part.

    Parameters
    ----------
    shape : Shape
        With at least one question.
    per_year : int, at least 1
        Submissions of a year, of all people together.
    n_accuracies : int, at least 1
        Figures of a submission that are accuracies of all questions, or weighted means of such.
    share : float in (0, 1)

    Returns
    -------
    Noise

    Raises
    ------
    ValueError
        When ``per_year``, ``n_accuracies`` or the number of questions is below 1.

    Notes
    -----
    The labels of different groups are independent; the two labels of a pair are opposite. Let a
    change of one group's labels move a figure by at most d, and the figure's noise have the
    standard deviation s. Given all other labels, the figure is one of two normal distributions
    at most d apart, so it tells at most (d / s)^2 / 8 nats about the group (the divergence from
    the normal distribution between them). With earlier figures given this holds for the next one
    too, however it is chosen, so the nats add up over figures. A group's bits count for each of
    its labels. For the number of right answers d is 1 for an unpaired question and 2 for a pair,
    for the number of right pairs it is 1.

    *Source*: the sequential composition of Bun and Steinke, Concentrated differential privacy
    (TCC 2016), with the divergence to the midpoint instead of the other distribution.

    Examples
    --------
    >>> found = noise(Shape(n_unpaired=993, n_pairs=387), per_year=12)  # WinoGrande's test
    >>> round(found.accuracy, 3), round(found.pair_accuracy, 3)
    (0.018, 0.036)
    """
    for name, value in (("per_year", per_year), ("n_accuracies", n_accuracies)):
        if value < 1:
            raise ValueError(f"{name} must be at least 1, got {value}")
    if shape.n_questions < 1:
        raise ValueError("shape must have at least one question")
    n_figures = n_accuracies + bool(shape.n_pairs)
    allowed = share * shape.n_questions / per_year / n_figures  # labels that one figure may tell
    accuracy = sqrt(_labels_per_answer(shape) / allowed) / shape.n_questions
    if not shape.n_pairs:
        return Noise(accuracy, None)
    return Noise(accuracy, sqrt(_labels_per_pair(shape) / allowed) / shape.n_pairs)


def least_questions(shape: Shape, *, per_year: int) -> int:
    """Return how many questions a test of this kind needs for scores that say something.

    The noise is inversely proportional to the number of questions, for the same share of pairs.

    Examples
    --------
    >>> least_questions(Shape(n_unpaired=0, n_pairs=29), per_year=12)
    833
    """
    return ceil(shape.n_questions * noise(shape, per_year=per_year).accuracy / MOST_NOISE)


def labels_told(shape: Shape, noise: Noise, *, n_accuracies: int = 1) -> float:
    """Return the number of labels that the figures of one submission tell at most.

    Examples
    --------
    >>> shape = Shape(n_unpaired=993, n_pairs=387)
    >>> round(12 * labels_told(shape, noise(shape, per_year=12)), 2)  # 1 % of 1,767
    17.67
    """
    labels = n_accuracies * _labels_per_answer(shape) / (noise.accuracy * shape.n_questions) ** 2
    if noise.pair_accuracy is not None:
        labels += _labels_per_pair(shape) / (noise.pair_accuracy * shape.n_pairs) ** 2
    return labels


def _labels_per_answer(shape: Shape) -> float:
    """Labels told by the number of right answers, times the variance of its noise."""
    return (shape.n_unpaired * 1**2 + 2 * shape.n_pairs * 2**2) / 8 / log(2)


def _labels_per_pair(shape: Shape) -> float:
    """Labels told by the number of right pairs, times the variance of its noise."""
    return 2 * shape.n_pairs * 1**2 / 8 / log(2)


@dataclass(frozen=True, slots=True)
class Scores:
    """The figures of a submission, with noise, from 0 to 1.

    Parameters
    ----------
    accuracy : float
        Of the predictions; of those of the largest training size, if there are five.
    pair_accuracy : float or None
    area : float or None
        Normalised area under the curve of accuracy over the logarithm of the training size.
    """

    accuracy: float
    pair_accuracy: float | None
    area: float | None


def score(
    predictions: Mapping[str, Ints],
    answers: Ints,
    *,
    groups: Names,
    sizes: Sequence[int] | None,
    noise: Noise,
    rng: np.random.Generator,
) -> Scores:
    """Score predictions for a blind test, and add the noise.

    Parameters
    ----------
    predictions : mapping of str to int (n,)
        Either one entry, or the five training sizes of `SIZES`.
    answers : int (n,)
    groups : (n,)
    sizes : sequence of 5 int, increasing
        Questions of the training files; only needed for the area.
    noise : Noise
        For one accuracy, or for two if there are five training sizes.
    rng : numpy Generator
        From a secret seed: who can repeat the noise can remove it.

    Returns
    -------
    Scores
        Rounded to 0.001 and clipped to [0, 1], after the noise.
    """
    right = {name: prediction == answers for name, prediction in predictions.items()}
    last = right[SIZES[-1]] if len(right) > 1 else next(iter(right.values()))
    area = None
    if len(right) > 1:
        assert sizes is not None
        area = curve_area([right[size].mean() for size in SIZES], sizes)
    pairs = _right_pairs(last, group_numbers(groups))
    return Scores(
        accuracy=_noisy(last.mean(), noise.accuracy, rng),
        pair_accuracy=_noisy(pairs.mean(), noise.pair_accuracy or 0, rng) if len(pairs) else None,
        area=None if area is None else _noisy(area, noise.accuracy, rng),
    )


def _right_pairs(right: NDArray[np.bool_], groups: Ints) -> NDArray[np.bool_]:
    sizes = np.bincount(groups)
    counts = np.bincount(groups, weights=right)
    is_right: NDArray[np.bool_] = counts[sizes == 2] == 2
    return is_right


def _noisy(value: float, sd: float, rng: np.random.Generator) -> float:
    return round(min(1.0, max(0.0, float(value) + rng.normal(0, sd))), 3)


def with_interval(value: float, *, sd: float, units: Sequence[int]) -> Estimate:
    """Return a noisy share with a 95 % interval for the questions' population.

    Parameters
    ----------
    value : float in [0, 1]
    sd : float
        Of the noise.
    units : sequence of int
        Sizes of the groups; their questions vary together, at most completely. Without any, the
        ends are unknown.

    Returns
    -------
    Estimate
        Wider than necessary where the questions of a group vary less than completely together.
    """
    weights = np.asarray(units, dtype=np.float64)
    n = weights.sum()
    if not n:
        return Estimate(value, None, None, 0)
    middle = (value * n + Z**2 / 2) / (n + Z**2)  # as Wilson's, so that 0 and 1 have a width
    variance = middle * (1 - middle) * (weights**2).sum() / n**2 + sd**2
    half = Z * sqrt(variance)
    return Estimate(value, max(0.0, middle - half), min(1.0, middle + half), int(n))
