"""Items with options as rows of contrasts, on which a linear model needs no intercept.

A model that scores options by a linear function of their features depends only on differences
within an item. An item with k options therefore becomes k - 1 rows, orthogonal contrasts of its
options; with two options, their difference. Numbering the options in another order turns the
features and the label alike, so such a model cannot know which option is listed first.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import helmert
from scipy.sparse import block_diag, csr_matrix

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

# Scores that differ by less are a tie: predictions are of size 1 or more, and sums are rounded.
TIE = 1e-9


@dataclass(frozen=True)
class Contrasts:
    """The rows of items with the given numbers of options.

    Parameters
    ----------
    sizes : int (n,)
        Number of options of each item, at least 2.
    """

    sizes: Ints

    @cached_property
    def item_of_row(self) -> Ints:
        """The item of each row of contrasts."""
        return np.repeat(np.arange(len(self.sizes)), self.sizes - 1)

    @cached_property
    def matrix(self) -> csr_matrix:
        """The rows as combinations of options: (sum of k - 1, sum of k)."""
        of_size = {k: helmert(k) for k, _ in self._by_size()}
        return csr_matrix(block_diag([of_size[k] for k in self.sizes.tolist()], format="csr"))

    def targets(self, answers: Ints) -> Floats:
        """Return the rows' targets: the contrasts of 1 for the right option and 0 for others.

        Parameters
        ----------
        answers : int (n, m)
            From 0 to k - 1, for each of m labellings.

        Returns
        -------
        float (sum of k - 1, m)
        """
        targets = np.empty((len(self.item_of_row), answers.shape[1]))
        for k, items in self._by_size():
            contrast = helmert(k)  # (k - 1, k)
            rows = self._starts(self.sizes - 1)[items][:, None] + np.arange(k - 1)
            targets[rows] = contrast.T[answers[items]].transpose(0, 2, 1)
        return targets

    def credits(self, predicted: Floats, answers: Ints) -> Floats:
        """Return each item's credit: 1 if its right option alone has the highest score.

        Parameters
        ----------
        predicted : float (sum of k - 1, m)
            For the rows, by models of the m labellings.
        answers : int (n, m)

        Returns
        -------
        float in [0, 1] (n, m)
            Options with the highest score share the credit.
        """
        credits_of_names = np.empty(answers.shape)
        for k, items in self._by_size():
            rows = self._starts(self.sizes - 1)[items][:, None] + np.arange(k - 1)
            scores = helmert(k).T @ predicted[rows]  # (n_k, k, m)
            best = scores >= scores.max(axis=1, keepdims=True) - TIE
            right = np.take_along_axis(best, answers[items][:, None, :], axis=1)[:, 0]
            credits_of_names[items] = right / best.sum(axis=1)
        return credits_of_names

    def _by_size(self) -> Sequence[tuple[int, NDArray[np.intp]]]:
        return [(int(k), np.flatnonzero(self.sizes == k)) for k in np.unique(self.sizes)]

    @staticmethod
    def _starts(counts: Ints) -> Ints:
        return np.cumsum(counts) - counts
