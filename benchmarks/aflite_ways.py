"""Implementations of one AFLite phase: this platform's engines, and loops of scikit-learn."""

import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
from joblib import Parallel, delayed
from numpy.typing import NDArray
from sklearn.linear_model import LogisticRegression
from threadpoolctl import threadpool_limits

from benchmarks.report import median, table, timed
from filtering.core.aflite import AFLite
from filtering.core.engines import Base
from filtering.core.table import Table, Units
from stats.keys import PhaseKeys

Floats = NDArray[np.float32]
Bools = NDArray[np.bool_]
PLAIN, EXACT = 2, 16  # classifiers timed in the plain loop, and compared with the optimum


@dataclass(frozen=True)
class Problem:
    """The first phase: sorted rows, with the training set of every classifier."""

    estimator: AFLite
    table: Table
    masks: Bools  # (n_rows, n)

    @classmethod
    def of(cls, estimator: AFLite, X: Floats, y: Bools, ids: list[str] | None = None) -> "Problem":  # noqa: N803
        rows = Table.of(X, y, groups=None, ids=ids)
        keys = PhaseKeys.of(seed=estimator.seed, phase=1, n=estimator.n)
        masks = estimator.rules(rows.n_rows).training_masks(
            rows.keys, keys, Units.of(rows.group_keys)
        )
        return cls(estimator, rows, masks)

    @property
    def rows(self) -> NDArray[np.intp]:
        return np.arange(len(self.table.y))


def fit_predict(X: Floats, y: Bools, mask: Bools, model: LogisticRegression) -> Bools:  # noqa: N803
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return np.asarray(model.fit(X[mask], y[mask]).predict(X))


def one_thread(X: Floats, y: Bools, mask: Bools, solver: str) -> Bools:  # noqa: N803
    with threadpool_limits(limits=1):
        return fit_predict(X, y, mask, LogisticRegression(solver=solver, max_iter=1000))


def stock(problem: Problem, X: Floats, members: int, solver: str) -> Bools:  # noqa: N803
    """Train in two processes of one thread each, on centred features in a mapped file."""
    jobs = (
        delayed(one_thread)(X, problem.table.y, mask, solver) for mask in problem.masks.T[:members]
    )
    return np.stack(Parallel(n_jobs=2)(jobs), axis=1)


def plain(problem: Problem, raw: Floats, members: int) -> Bools:
    """Train in the usual way: default solver, default threads, raw features."""
    found = [
        fit_predict(raw, problem.table.y, mask, LogisticRegression())
        for mask in problem.masks.T[:members]
    ]
    return np.stack(found, axis=1)


def exact(problem: Problem) -> Bools:
    """Predict with the exact optimum: float64, Newton's method, tolerance 1e-9."""
    wide = problem.table.rows(problem.rows).astype(np.float64)
    with threadpool_limits(limits=1):
        found = [
            fit_predict(
                wide,
                problem.table.y,
                mask,
                LogisticRegression(solver="newton-cholesky", tol=1e-9),
            )
            for mask in problem.masks.T[:EXACT]
        ]
    return np.stack(found, axis=1)


def compare(problem: Problem, *, sample: int) -> dict[str, tuple[float, float]]:
    """Return seconds per phase, and agreement with the optimum, of every implementation.

    Times of joblib are extrapolated from ``sample`` classifiers, of the plain loop from two.
    """
    with _mapped(problem.table.rows(problem.rows)) as X:  # noqa: N806
        return _compare(problem, X, sample=sample)


def _compare(problem: Problem, X: Floats, *, sample: int) -> dict[str, tuple[float, float]]:  # noqa: N803
    raw = np.ascontiguousarray(problem.table.source[problem.table.position])
    n = problem.masks.shape[1]
    engine = problem.estimator.make_engine(problem.table)
    ways: dict[str, tuple[int, Callable[[int], Bools]]] = {
        "batched": (
            n,
            lambda _: engine.fit(Base.of(problem.rows), problem.rows, problem.masks).predictions,
        ),
        "joblib, lbfgs": (sample, lambda members: stock(problem, X, members, "lbfgs")),
        "joblib, newton-cg": (sample, lambda members: stock(problem, X, members, "newton-cg")),
        "plain loop": (PLAIN, lambda members: plain(problem, raw, members)),
    }
    optimum, held_out = exact(problem), ~problem.masks[:, :EXACT]
    figures = {}
    for name, (members, way) in ways.items():
        found = way(max(members, EXACT))  # warm-up: start threads and processes, load pages
        times = timed(
            lambda way=way, members=members: way(members), repeats=5 if members == n else 1
        )
        agreement = float((found[:, :EXACT] == optimum)[held_out].mean())
        figures[name] = median(times) * n / members, agreement
    return figures


@contextmanager
def _mapped(X: Floats) -> Iterator[Floats]:  # noqa: N803
    """Put rows into a file that processes map, so that they are not sent with every call."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "X.npy"
        np.save(path, X)
        yield np.load(path, mmap_mode="r")


def show(figures: dict[str, tuple[float, float]], *, n: int, sample: int) -> dict[str, object]:
    """Print the table; return the ratios and the agreement."""
    batched, agreement = figures["batched"]
    table(
        ["first phase", "seconds", "ratio to batched", "equal to the optimum"],
        [
            [name, f"{s:.2f}", f"{s / batched:.1f}", f"{equal:.5f}"]
            for name, (s, equal) in figures.items()
        ],
    )
    print(
        f"(extrapolated from {sample} of {n} classifiers for joblib and {PLAIN} for the plain "
        "loop)\n"
    )
    best = min(s for name, (s, _) in figures.items() if name.startswith("joblib"))
    return {
        "ratio_plain": figures["plain loop"][0] / batched,
        "ratio_best_stock": best / batched,
        "agreement": f"{agreement:.5f}",
    }
