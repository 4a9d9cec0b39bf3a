"""The plain solver: Newton's method in float64, one member after the other."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import cho_factor, cho_solve
from scipy.special import expit

from filtering.core.engines.contract import Bools, Floats, Rows, Settings
from filtering.core.engines.thread_pool import thread_pool
from filtering.core.table import Table

Doubles = NDArray[np.float64]

BLOCK = 8192
HALVINGS = 40
# Mean decisions below this are lost in float64: sigmoid(z) is 1/2 + z/4, rounded.
LOST = 1e-13


class Member(NamedTuple):
    """One classifier: the positive class where ``X @ weights[:-1] + weights[-1]`` is above 0."""

    weights: NDArray[np.float64]  # (d + 1,)
    converged: bool


def train_members(
    table: Table, parts: Sequence[Rows], settings: Settings
) -> Generator[Member, None, None]:
    """Yield a member per training set, in order, trained in threads."""

    def member(part: Rows) -> Member:
        return fit_member(table.rows(part), table.y[part], settings)

    with thread_pool() as each:
        yield from each(member, parts)


def decide(table: Table, rows: Rows, weights: NDArray[np.float64]) -> Floats:
    """Return the decisions of models (n, d + 1) for rows, by blocks: float32 (n_rows, n)."""
    decisions = np.empty((len(rows), len(weights)), dtype=np.float32)
    for start in range(0, len(rows), BLOCK):
        X = table.rows(rows[start : start + BLOCK])  # noqa: N806
        decisions[start : start + BLOCK] = X @ weights[:, :-1].T + weights[:, -1]
    return decisions


def fit_member(X: Floats, y: Bools, settings: Settings) -> Member:  # noqa: N803
    """Train one member on the rows of its training set.

    A training set with one class gives weights of 0 and an intercept that predicts that class.
    """
    if y.all() or not y.any():
        return Member(np.append(np.zeros(X.shape[1]), 1.0 if y[0] else -1.0), True)
    part = Part.of(X, y, settings)
    weights = np.zeros(X.shape[1] + 1)
    for _ in range(settings.max_iter):
        step, change = part.step(weights)
        weights += step
        if not change > settings.tol:
            size = np.abs(part.toward @ weights).mean()
            return Member(weights, bool(np.isfinite(change)) and not 0 < size < LOST)
    return Member(weights, False)


class Part(NamedTuple):
    """The loss of one member.

    toward : float64 (m, d + 1), the rows with a 1 appended; times -1 in the negative class.
    shares : float64 (m,), weights of the rows in the mean; they sum to 1.
    ridge : float64 (d + 1,)
    """

    toward: Doubles
    shares: Doubles
    ridge: Doubles

    @classmethod
    def of(cls, X: Floats, y: Bools, settings: Settings) -> Part:  # noqa: N803
        m, d = X.shape
        toward = np.ones((m, d + 1))
        toward[:, :-1] = X
        toward *= np.where(y, 1.0, -1.0)[:, None]
        counts = np.where(y, y.sum(), m - y.sum())
        shares = 1 / (2.0 * counts) if settings.balanced else np.full(m, 1.0 / m)
        ridge = np.append(np.full(d, 1 / (settings.C * m)), 0.0)
        return cls(toward, shares, ridge)

    def loss(self, margins: Doubles, weights: Doubles) -> float:
        losses = self.shares @ np.logaddexp(0, -margins)
        return float(losses + (self.ridge * weights * weights).sum() / 2)

    def step(self, weights: Doubles) -> tuple[Doubles, float]:
        """Return Newton's step (d + 1,), halved until the loss falls, and its relative change.

        The change is that of the decisions as defined in `Settings`; nan where there is no step.
        """
        margins = self.toward @ weights  # (m,)
        missing = self.shares * expit(-margins)
        gradient = self.ridge * weights - missing @ self.toward
        hessian = (self.toward * (missing * expit(margins))[:, None]).T @ self.toward
        np.einsum("ii->i", hessian)[:] += self.ridge
        step = -_solved(hessian, gradient)
        moved = self.toward @ step
        slope, before = float(gradient @ step), self.loss(margins, weights)
        for _ in range(HALVINGS):
            # A decrease smaller than rounding is accepted.
            most = before + 1e-4 * slope + 1e-15 * abs(before)
            if self.loss(margins + moved, weights + step) <= most:
                break
            step, moved, slope = step / 2, moved / 2, slope / 2
        return step, relative_change(margins, moved)


def relative_change(decisions: Doubles, change: Doubles) -> float:
    """Return the mean of |change| / (|decision after| + |change|); 0 if nothing changes."""
    sizes = np.abs(decisions + change) + np.abs(change)
    return float((np.abs(change) / np.maximum(sizes, np.finfo(np.float64).tiny)).mean())


def _solved(hessian: Doubles, gradient: Doubles) -> Doubles:
    """Solve for Newton's step, independent of the features' scales; nan if there is no solution."""
    scales = 1 / np.sqrt(np.maximum(np.diag(hessian), np.finfo(np.float64).tiny))
    hessian *= scales * scales[:, None]
    # Duplicate features make it singular.
    np.einsum("ii->i", hessian)[:] += 1e-12
    try:
        step: Doubles = scales * cho_solve(cho_factor(hessian, lower=True), scales * gradient)
    except ValueError:  # not finite; LinAlgError (not positive definite) is a subclass
        step = np.full_like(gradient, np.nan)
    return step
