"""Ensemble engines: train the n linear classifiers of a phase, predict with each of them.

An engine is one function behind the `Engine` protocol, so a faster one can take its place.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Generator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from typing import NamedTuple, Protocol, TypeVar

import joblib
import numpy as np
from numpy.typing import NDArray
from scipy.linalg import LinAlgWarning
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import LogisticRegression
from threadpoolctl import threadpool_limits

Floats = NDArray[np.float32]
Bools = NDArray[np.bool_]
T = TypeVar("T")


class Ensemble(NamedTuple):
    """What an engine hands back.

    predictions : bool (n_rows, n), True for the positive class; rows in training parts included.
    unconverged : int, members that stopped at ``max_iter`` before ``tol``.
    """

    predictions: Bools
    unconverged: int


class Engine(Protocol):
    """Train one L2 logistic regression per mask and predict every row with each."""

    def __call__(
        self,
        X: Floats,  # noqa: N803
        y: Bools,
        masks: Bools,
        *,
        C: float,  # noqa: N803
        tol: float,
        max_iter: int,
        progress: Callable[[int], None] | None = None,
    ) -> Ensemble:
        """Return the ensemble's predictions.

        Parameters
        ----------
        X : float32 (n_rows, d), finite, column means near 0
        y : bool (n_rows,)
        masks : bool (n_rows, n)
            Each column marks one member's training part, never empty.
        C, tol, max_iter
            The member minimises mean log loss + ||w||^2 / (2 C m), the intercept unpenalised,
            until no entry of the gradient exceeds ``tol``.
        progress : callable (members done), optional
            Called from the calling thread.

        Returns
        -------
        Ensemble
            The same bits for any number of threads. A part with one class predicts that class.
        """


def stock_ensemble(
    X: Floats,  # noqa: N803
    y: Bools,
    masks: Bools,
    *,
    C: float,  # noqa: N803
    tol: float,
    max_iter: int,
    progress: Callable[[int], None] | None = None,
) -> Ensemble:
    """Train the members one by one with scikit-learn; see `Engine` for the contract.

    Newton's method with Cholesky: on encodings it reaches the exact optimum's predictions in two
    or three steps, where lbfgs stops at the same ``tol`` with one prediction in a hundred still
    wrong. Members spread over threads, each with single-threaded linear algebra: NumPy lets go of
    the interpreter lock there, and a Celery worker's process may not start processes of its own.
    """

    def member(mask: Bools) -> tuple[Bools, bool]:
        return _fit_and_predict(X, y, mask, C=C, tol=tol, max_iter=max_iter)

    predictions = np.empty(masks.shape, dtype=bool)
    unconverged = 0
    # Closed at once where progress() raises: the threads end before anything else goes on.
    with closing(over_threads(member, masks.T)) as members:
        for i, (predicted, converged) in enumerate(members):
            predictions[:, i] = predicted
            unconverged += not converged
            if progress is not None:
                progress(i + 1)
    return Ensemble(predictions, unconverged)


def over_threads(work: Callable[[Bools], T], parts: Bools) -> Generator[T, None, None]:
    """Yield ``work(part)`` of each part in order, done in threads without warnings."""
    with warnings.catch_warnings(), threadpool_limits(limits=1):
        # Counted instead; an ill-conditioned Newton step falls back to lbfgs by itself.
        warnings.simplefilter("ignore", ConvergenceWarning)
        warnings.simplefilter("ignore", LinAlgWarning)
        with ThreadPoolExecutor(min(joblib.cpu_count(), len(parts))) as pool:
            yield from pool.map(work, parts)


class Member(NamedTuple):
    """One classifier: True where ``X @ weights + intercept`` is above 0."""

    weights: Floats  # (d,)
    intercept: np.float32
    converged: bool


def fit_member(
    X: Floats,  # noqa: N803
    y: Bools,
    *,
    C: float,  # noqa: N803
    tol: float,
    max_iter: int,
) -> Member:
    """Train one member on its part, of which every row is given; see `Engine` for the contract.

    A part with one class gives weights of 0, and an intercept that predicts that class.
    """
    if y.all() or not y.any():
        return Member(np.zeros(X.shape[1], np.float32), np.float32(1 if y[0] else -1), True)
    model = LogisticRegression(C=C, tol=tol, max_iter=max_iter, solver="newton-cholesky")
    model.fit(X, y)
    return Member(
        weights=model.coef_[0].astype(np.float32),
        intercept=np.float32(model.intercept_[0]),
        converged=bool(model.n_iter_[0] < max_iter),
    )


def _fit_and_predict(
    X: Floats,  # noqa: N803
    y: Bools,
    mask: Bools,
    *,
    C: float,  # noqa: N803
    tol: float,
    max_iter: int,
) -> tuple[Bools, bool]:
    member = fit_member(X[mask], y[mask], C=C, tol=tol, max_iter=max_iter)
    return X @ member.weights + member.intercept > 0, member.converged
