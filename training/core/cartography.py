"""Dataset cartography: what the course of training tells about each question.

Training dynamics are the probabilities of the right option during training, one row per epoch.
Questions of low confidence in every epoch are the hardest to learn: of all, their labels are the
likeliest to be wrong.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

import numpy as np
from numpy.typing import ArrayLike, NDArray

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
