"""Questions to train on or to validate on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from modeling.batches import Text
from modeling.scoring.clozes import Cloze, Floats


@dataclass(frozen=True, slots=True)
class Questions:
    """Questions with options and answers.

    Parameters
    ----------
    options : sequence of length n
        For each question at least two texts (or pairs of texts, as from `texts_of`), one per
        option. For the loss ``mc_mlm`` a `Cloze` instead.
    answers : sequence of int, length n
        The position of the right option of each question, from 0.

    Raises
    ------
    ValueError
        When there is no question, the lengths differ, a question has fewer than two options, or an
        answer is not one of them.
    """

    options: Sequence[Sequence[Text]] | Sequence[Cloze]
    answers: Sequence[int]

    def __post_init__(self) -> None:
        if not self.answers or len(self.options) != len(self.answers):
            raise ValueError(
                f"options and answers must be equally many and at least one, got "
                f"{len(self.options)} and {len(self.answers)}"
            )
        for count, answer in zip(self.counts, self.answers, strict=True):
            if count < 2 or not 0 <= answer < count:
                raise ValueError(f"answer must be one of at least 2 options, got {answer}, {count}")

    def __len__(self) -> int:
        return len(self.answers)

    @property
    def counts(self) -> list[int]:
        """The number of options of each question."""
        return [
            len(question.options) if isinstance(question, Cloze) else len(question)
            for question in self.options
        ]


def table_of(scores: Sequence[Floats]) -> NDArray[np.float64]:
    """Return the scores of all options (n, k), padded with -inf for questions with fewer."""
    table = np.full((len(scores), max(map(len, scores))), -np.inf)
    for row, of_question in zip(table, scores, strict=True):
        row[: len(of_question)] = of_question
    return table


def accuracy(scores: NDArray[np.float64], answers: Sequence[int]) -> float:
    """Return the share of questions whose right option scores higher than all others.

    >>> accuracy(np.array([[2.0, 1.0], [1.0, 1.0], [0.0, -np.inf]]), [0, 0, 0])
    0.6666666666666666
    """
    places = np.arange(len(scores)), np.asarray(answers)
    others = scores.copy()
    others[places] = -np.inf
    return float((scores[places] > others.max(axis=1)).mean())
