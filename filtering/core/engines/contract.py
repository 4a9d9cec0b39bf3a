"""What goes into and comes out of an engine, which trains a phase's n linear classifiers.

It is a function of its arguments and of nothing that happened before, so a run that was broken off
goes on with the same bytes.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]
Bools = NDArray[np.bool_]
Rows = NDArray[np.intp]


class Settings(NamedTuple):
    """What a member minimises and when it is done.

    A member minimises mean log loss + ||w||^2 / (2 C m) over its part of m rows, the intercept
    unpenalised, until the steps still to come would change its decisions by ``tol`` or less: the
    mean over rows of |change| / (|decision| + |change|); at ``max_iter`` steps it stops anyway.
    Parts may hold any number of rows: ``m`` shapes what is prepared for all, and what a member
    minimises goes by its own part. With ``balanced`` the mean is a weighted one: the rows of
    either label weigh half of the part together, each its share of that.
    """

    C: float
    tol: float
    max_iter: int
    m: int
    balanced: bool = False


class Ensemble(NamedTuple):
    """What an engine hands back.

    decisions : float32 (n_rows, n), of every row by every member; rows in training parts included.
        Above 0 for the positive class: x @ w + b, and 1 or -1 by a part with one class.
    weights : float32 (n, d + 1), the intercept last, for features centred by `Table.mean`.
    unconverged : int, members that stopped short of ``tol``: at ``max_iter``, or where floats end.
    fallbacks : int, members that the batched engine handed to the plain solver.
    """

    decisions: Floats
    weights: Floats
    unconverged: int
    fallbacks: int

    @property
    def predictions(self) -> Bools:
        """True for the positive class: bool (n_rows, n), computed at each call."""
        return self.decisions > 0


# Shares of a base's rows that may have gone until it is renewed: what costs least by the batched
# engine.
OUTDATED, THINNED = 0.2, 0.07


class Base(NamedTuple):
    """Rows that an engine prepares a phase from: a function of the rows each phase before left.

    surveyed : int (n_surveyed,), ascending
        Rows of the table for whatever takes a while to find, and stays of use for long.
    held : int (n_held,), ascending
        Those of them that a working set of the run began with, for what goes stale with every row
        gone.
    """

    surveyed: Rows
    held: Rows

    @classmethod
    def of(cls, rows: Rows) -> Base:
        """Return the base of a first phase, int (n_rows,), ascending."""
        return cls(rows, rows)

    def after(self, alive: Rows) -> Base:
        """Return the base of the phase that rows (n_rows,) are left for."""
        if len(alive) <= (1 - OUTDATED) * len(self.surveyed):
            return Base.of(alive)
        if len(alive) <= (1 - THINNED) * len(self.held):
            return Base(self.surveyed, alive)
        return self
