"""One model of all columns, tested on each unit before it learns from it."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
LEAST_BLOCKS = 2  # before there are scores and weights of them


@dataclass
class Model:
    """A weighted sum of scores, by how well each has predicted earlier units.

    The predictions of a block depend only on earlier labels. So if the labels are fair coins, the
    hits are fair coins as well, and their number has the binomial distribution exactly.

    Source: Dawid, Present position and potential developments: the prequential approach (JRSS A
    1984).
    """

    throws: int = 0
    right: int = 0
    blocks: int = 0
    agreement: Floats = field(default_factory=lambda: np.zeros(0))  # (k,)
    squares: Floats = field(default_factory=lambda: np.zeros(0))  # (k,)

    def add(self, scores: Floats, labels: Floats) -> None:
        """Predict units from scores (n, k), then learn from their labels 1 and -1 (n,)."""
        if not self.agreement.size:
            self.agreement, self.squares = np.zeros((2, scores.shape[1]))
        if self.blocks >= LEAST_BLOCKS:
            size = np.sqrt(np.maximum(self.squares, np.finfo(np.float64).tiny))
            weights = np.maximum(self.agreement / size, 0) ** 2 / size
            total = scores @ np.where(self.squares > 0, weights, 0)
            predicted = np.where(total >= 0, 1, -1)  # a tie is a prediction, independent of labels
            self.throws += len(labels)
            self.right += int((predicted == labels).sum())
        self.blocks += 1
        self.agreement += labels @ scores
        self.squares += (scores**2).sum(axis=0)
