"""What goes into and comes out of an engine, which trains a phase's n linear classifiers.

It is a function of its arguments and of nothing that happened before, so a run that was broken off
continues with the same bytes.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]
Bools = NDArray[np.bool_]
Rows = NDArray[np.intp]


class Settings(NamedTuple):
    """The loss that a classifier minimises, and its convergence criterion.

    A classifier minimises mean log loss + ||w||^2 / (2 C m) over its training set of m rows, with
    an unpenalised intercept. It has converged when the remaining steps would change its decisions
    by ``tol`` or less, as the mean over rows of |change| / (|decision| + |change|); after
    ``max_iter`` steps it stops unconverged. Training sets may have any number of rows: ``m`` is
    only used to prepare what all classifiers share, and each one's loss uses the size of its own
    training set. With ``balanced`` the mean is weighted: the rows of each label have half of the
    total weight, in equal shares.
    """

    C: float
    tol: float
    max_iter: int
    m: int
    balanced: bool = False


class Ensemble(NamedTuple):
    """The result of an engine.

    decisions : float32 (n_rows, n), of every row by every member, including training rows.
        Above 0 for the positive class: x @ w + b, or 1 or -1 if the training set has one class.
    weights : float32 (n, d + 1), the intercept last, for features centred by `Table.mean`.
    unconverged : int, members that did not reach ``tol``: at ``max_iter``, or at float precision.
    fallbacks : int, members that the batched engine passed to the plain solver.
    """

    decisions: Floats
    weights: Floats
    unconverged: int
    fallbacks: int

    @property
    def predictions(self) -> Bools:
        """True for the positive class: bool (n_rows, n), computed at each call."""
        return self.decisions > 0


# Shares of a base's rows that may be removed before it is renewed: the cheapest values for the
# batched engine.
OUTDATED, THINNED = 0.2, 0.07


class Base(NamedTuple):
    """Rows from which an engine prepares a phase; they follow from the rows of earlier phases.

    surveyed : int (n_surveyed,), ascending
        Rows of the table from which to prepare what is expensive and remains useful for long.
    held : int (n_held,), ascending
        Those of them that were left when the current working set began, from which to prepare what
        every removed row makes less useful.
    """

    surveyed: Rows
    held: Rows

    @classmethod
    def of(cls, rows: Rows) -> Base:
        """Return the base of a first phase, int (n_rows,), ascending."""
        return cls(rows, rows)

    def after(self, alive: Rows) -> Base:
        """Return the base of the phase that starts with the rows ``alive`` (n_rows,)."""
        if len(alive) <= (1 - OUTDATED) * len(self.surveyed):
            return Base.of(alive)
        if len(alive) <= (1 - THINNED) * len(self.held):
            return Base(self.surveyed, alive)
        return self
