"""The plain engine: scikit-learn, one member after the other, as the oracle of the batched one."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Generator, Sequence
from contextlib import closing
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import LinAlgWarning
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import LogisticRegression

from filtering.core.engines.contract import Base, Bools, Ensemble, Floats, Rows, Settings
from filtering.core.engines.crew import crew
from filtering.core.table import Table

BLOCK = 8192


class Member(NamedTuple):
    """One classifier: the positive class where ``X @ weights[:-1] + weights[-1]`` is above 0."""

    weights: NDArray[np.float64]  # (d + 1,)
    converged: bool


class PlainEngine:
    """Train the members one by one in float64; see `Engine` for the contract.

    Newton's method with Cholesky: on encodings it reaches the exact optimum's predictions in two
    or three steps, where lbfgs stops at the same ``tol`` with one prediction in a hundred still
    wrong. ``base`` and ``device`` change nothing here.
    """

    def __init__(self, table: Table, settings: Settings, *, device: str = "auto") -> None:
        self._table = table
        self._settings = settings

    def fit(
        self,
        base: Base,
        rows: Rows,
        masks: Bools,
        *,
        progress: Callable[[int], None] | None = None,
    ) -> Ensemble:
        """Train and predict; see `Engine.fit`."""
        n = masks.shape[1]
        weights = np.empty((n, self._table.d + 1), dtype=np.float64)
        converged = np.zeros(n, dtype=bool)
        parts = [rows[mask] for mask in masks.T]
        with closing(train_members(self._table, parts, self._settings)) as members:
            for i, member in enumerate(members):
                weights[i], converged[i] = member
                if progress is not None:
                    progress(i + 1)
        decisions = decide(self._table, rows, weights)
        unconverged = int(n - converged.sum())
        return Ensemble(decisions, weights.astype(np.float32), unconverged, fallbacks=0)


def train_members(
    table: Table, parts: Sequence[Rows], settings: Settings
) -> Generator[Member, None, None]:
    """Yield a member per part, in order, trained in threads."""

    def member(part: Rows) -> Member:
        return fit_member(table.rows(part), table.y[part], settings)

    with warnings.catch_warnings(), crew() as each:
        # Counted instead; an ill-conditioned Newton step falls back to lbfgs by itself.
        warnings.simplefilter("ignore", ConvergenceWarning)
        warnings.simplefilter("ignore", LinAlgWarning)
        yield from each(member, parts)


def decide(table: Table, rows: Rows, weights: NDArray[np.float64]) -> Floats:
    """Decide about rows with models (n, d + 1), block by block: float32 (n_rows, n)."""
    decisions = np.empty((len(rows), len(weights)), dtype=np.float32)
    for start in range(0, len(rows), BLOCK):
        X = table.rows(rows[start : start + BLOCK])  # noqa: N806
        decisions[start : start + BLOCK] = X @ weights[:, :-1].T + weights[:, -1]
    return decisions


def fit_member(X: Floats, y: Bools, settings: Settings) -> Member:  # noqa: N803
    """Train one member on its part, of which every row is given.

    A part with one class gives weights of 0, and an intercept that predicts that class.
    """
    if y.all() or not y.any():
        return Member(np.append(np.zeros(X.shape[1]), 1.0 if y[0] else -1.0), True)
    limits = {"tol": settings.tol, "max_iter": settings.max_iter}
    alike = "balanced" if settings.balanced else None
    model = LogisticRegression(C=settings.C, class_weight=alike, solver="newton-cholesky", **limits)
    model.fit(X.astype(np.float64), y)
    weights = np.append(model.coef_[0], model.intercept_[0])
    return Member(weights, bool(model.n_iter_[0] < settings.max_iter))
