"""What all phases of a leg share: blocks of rows, a consensus to start from, a preconditioner."""

from __future__ import annotations

import numpy as np
import torch
from numpy.typing import NDArray
from scipy.linalg import lapack
from torch import Tensor

from filtering.core.engines.blocks import Blocks, Memory
from filtering.core.engines.contract import Rows, Settings
from filtering.core.engines.crew import Crew
from filtering.core.engines.descent import Descent, Start
from filtering.core.table import Table

# The consensus is a start: a closer one saves no step.
CONSENSUS_TOL, CONSENSUS_STEPS = 1e-3, 10
# It is taken from so many times the rows of a part: two times cost the members a step more.
SAMPLE = 5


class Leg:
    """Prepared once for some phases, from the rows alive at the first of them.

    The consensus is one model of a sample of the rows; the preconditioner is the inverse of the
    sample's Hessian there. Every member starts from the consensus, which is as near to it as the
    mean of the last phase's members (measured: the same number of steps), and depends on nothing
    but the rows: so a run that resumes in the middle of a leg prepares the same leg.
    """

    def __init__(
        self,
        table: Table,
        base: Rows,
        settings: Settings,
        *,
        device: torch.device,
        each: Crew,
        memory: Memory,
    ) -> None:
        self.base = base
        self.blocks = Blocks(table, base, device=device, each=each, memory=memory, name="leg")
        self.labels = self.blocks.columns(column(table.y[base]))
        ridge = 1 / (settings.C * settings.m)
        sample = _sample(table, base, max(SAMPLE * settings.m, 10 * table.d))
        if len(sample) == len(base):
            self.start = _consensus(self.blocks, self.labels, ridge, each)
            return
        blocks = Blocks(table, sample, device=device, each=each, memory=memory, name="sample")
        labels = blocks.columns(column(table.y[sample]))
        start = _consensus(blocks, labels, ridge, each)
        self.start = start._replace(decisions=_decide(self.blocks, start.weights, each))


def _consensus(blocks: Blocks, labels: list[Tensor], ridge: float, each: Crew) -> Start:
    """Train one model of all the rows, from weights of 0, and invert the Hessian there."""
    # Every row's curvature is 1/4 at first, and every other block will do.
    quarters = {i: torch.full_like(labels[i], 0.25) for i in range(0, len(labels), 2)}
    rough = inverse_hessian(blocks, quarters, ridge, each)
    everyone = [torch.ones_like(label) for label in labels]
    descent = Descent(blocks, labels, everyone, C=1 / (ridge * blocks.n_rows), each=each)
    nowhere = torch.zeros(len(rough), device=blocks.device)
    nothing = [torch.zeros_like(label) for label in labels]
    start = Start(nowhere, nothing, rough)
    found = descent.run(start, tol=CONSENSUS_TOL, max_iter=CONSENSUS_STEPS)
    p = [decisions.sigmoid() for decisions in found.decisions]
    curvatures = {i: q * (1 - q) for i, q in enumerate(p)}
    inverse = inverse_hessian(blocks, curvatures, ridge, each)
    return Start(found.weights[0], found.decisions, inverse)


def _decide(blocks: Blocks, weights: Tensor, each: Crew) -> list[Tensor]:
    return list(each(lambda i: blocks.block(i).decide(weights[None]), range(len(blocks))))


def column(values: NDArray[np.bool_]) -> NDArray[np.float32]:
    """Return booleans (n,) as float32 (n, 1)."""
    return values.astype(np.float32)[:, None]


def inverse_hessian(
    blocks: Blocks, curvatures: dict[int, Tensor], ridge: float, each: Crew
) -> Tensor:
    """Invert the mean over rows of curvature x [x; 1][x; 1]^T, plus the ridge.

    Parameters
    ----------
    blocks : Blocks
    curvatures : float32 (B, 1) of each block that counts
    ridge : float
        Added to the diagonal, but for the intercept's.

    Returns
    -------
    float32 (d + 1, d + 1)
        Summed over blocks and factorised in float64.
    """

    def outer(i: int) -> Tensor:
        return blocks.block(i).outer(curvatures[i]).cpu()

    first, *rest = sorted(curvatures)
    hessian = outer(first).double().numpy()
    with np.errstate(all="ignore"):  # of features beyond 1e18 the squares are too large
        for part in each(outer, rest):
            hessian += part.numpy()
    hessian /= sum(len(curvature) for curvature in curvatures.values())
    diagonal = np.einsum("ii->i", hessian)
    diagonal[:-1] += ridge
    # Keeps features that are constant or repeat each other from making it singular.
    diagonal += 1e-7 * max(diagonal.mean(), np.finfo(np.float32).tiny)
    return torch.from_numpy(_inverse(hessian)).to(blocks.device)


def _inverse(hessian: NDArray[np.float64]) -> NDArray[np.float32]:
    if not np.isfinite(hessian).all():
        return np.eye(len(hessian), dtype=np.float32)
    factor, bad = lapack.dpotrf(hessian, lower=True)
    inverse, bad_too = lapack.dpotri(factor, lower=True)
    if bad or bad_too or not np.isfinite(inverse).all():
        # Descent goes on without a preconditioner, and hands on what it does not finish.
        return np.eye(len(hessian), dtype=np.float32)
    lower = np.tril(inverse)
    return np.asarray(lower + np.tril(inverse, -1).T, dtype=np.float32)


def _sample(table: Table, rows: Rows, size: int) -> Rows:
    """Take the rows whose keys are lowest, for keys are random: (size,) or all, by key."""
    return rows[np.argsort(table.keys[rows])[:size]]
