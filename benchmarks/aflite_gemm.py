"""Share of a fit's time that its matrix products alone would take on this machine."""

from collections.abc import Iterator
from contextlib import contextmanager
from unittest.mock import patch

import torch

from benchmarks.aflite_ways import Problem
from benchmarks.report import median, timed
from filtering.core.engines import Base, blocks, descent
from filtering.core.engines.products import linear
from filtering.core.engines.thread_pool import thread_pool


@contextmanager
def counted() -> Iterator[list[int]]:
    """Yield a list that collects the operations of every matrix product of the engine."""
    operations: list[int] = []

    def counting(a: torch.Tensor, b: torch.Tensor, bias: torch.Tensor | None = None) -> object:
        operations.append(2 * a.shape[0] * a.shape[1] * b.shape[0])
        return linear(a, b, bias)

    with patch.object(blocks, "linear", counting), patch.object(descent, "linear", counting):
        yield operations


def rate(n_rows: int, d: int, n: int) -> float:
    """Return the operations per second of a fit's two products alone, over all threads."""
    size = min(n_rows // 2, blocks.HELD)
    X = [torch.randn(size, d) for _ in range(8)]  # noqa: N806
    transposes = [x.T.contiguous() for x in X]
    models, residuals = torch.randn(n, d), torch.randn(size, n)

    def products(i: int) -> None:
        linear(X[i], models)
        linear(transposes[i], residuals.T)

    with thread_pool() as each:
        seconds = timed(lambda: list(each(products, range(8))), repeats=12)[2:]
    return 8 * 4 * size * d * n / min(seconds)


def share(problem: Problem) -> float:
    """Return the share of a prepared phase's time that its matrix products alone would take."""
    n_rows, n = problem.masks.shape
    engine = problem.estimator.make_engine(problem.table)

    def phase() -> None:
        engine.fit(Base.of(problem.rows), problem.rows, problem.masks)

    phase()
    with counted() as operations:
        phase()
    before = rate(n_rows, problem.table.d, n)
    seconds = median(timed(phase, repeats=5))
    best = max(before, rate(n_rows, problem.table.d, n))
    print(
        f"{best / 1e9:.0f} GFLOP/s in the products only, "
        f"{sum(operations) / seconds / 1e9:.0f} in a phase of {seconds:.3f} s\n"
    )
    return sum(operations) / seconds / best
