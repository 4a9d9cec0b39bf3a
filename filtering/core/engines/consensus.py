"""One model of many rows, the start for all members of a phase, and its preconditioner."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from scipy.linalg import lapack
from torch import Tensor

from filtering.core.engines.blocks import Blocks
from filtering.core.engines.descent import Descent, Start
from filtering.core.engines.members import weigh_alike
from filtering.core.engines.thread_pool import ThreadPool

# The consensus is only a start: higher precision saves no step.
TOL, STEPS = 1e-2, 10
# Every fourth block is enough for its own preconditioner: steps of a single model are cheap.
EVERY = 4


class Consensus(NamedTuple):
    """The consensus model and the preconditioner derived from it.

    weights : float32 (d + 1,), the intercept last.
    inverse : float32 (d + 1, d + 1), inverse Hessian there, the preconditioner of all models.
    """

    weights: Tensor
    inverse: Tensor


def find_consensus(
    blocks: Blocks, labels: list[Tensor], *, ridge: float, balanced: bool, each: ThreadPool
) -> Consensus:
    """Train one model of all the blocks' rows, from weights of 0, and invert the Hessian there.

    ``labels`` are float32 (B, 1) of each block; ``ridge`` is 1 / (C m), as for the members; with
    ``balanced`` both labels have the same total weight.
    """
    everyone = [torch.ones_like(label) for label in labels]
    if balanced:
        weigh_alike(labels, everyone, each)
    # At weights of 0 every row's curvature is 1/4.
    quarters = {i: everyone[i] / 4 for i in range(0, len(labels), EVERY)}
    rough = inverse_hessian(blocks, quarters, ridge, each)
    C = 1 / (ridge * blocks.n_rows)  # noqa: N806
    descent = Descent(
        blocks, labels, [guess.clone() for guess in everyone], C=C, each=each, weighted=balanced
    )
    nowhere = torch.zeros(len(rough), device=blocks.device)
    start = Start(nowhere, [torch.zeros_like(label) for label in labels], rough)
    solution = descent.run(start, tol=TOL, max_iter=STEPS)
    bent = [z.sigmoid() * (-z).sigmoid() for z in solution.decisions]  # p (1 - p), all digits
    curvatures = {i: everyone[i] * curvature for i, curvature in enumerate(bent)}
    return Consensus(solution.weights[0], inverse_hessian(blocks, curvatures, ridge, each))


def inverse_hessian(
    blocks: Blocks, curvatures: dict[int, Tensor], ridge: float, each: ThreadPool
) -> Tensor:
    """Invert the mean over rows of curvature x [x; 1][x; 1]^T, plus the ridge.

    Parameters
    ----------
    blocks : Blocks
    curvatures : float32 (B, 1) of each block to include
    ridge : float
        Added to the diagonal, except for the intercept.

    Returns
    -------
    float32 (d + 1, d + 1)
        Summed over blocks and factorised in float64.
    """

    def outer(i: int) -> Tensor:
        return blocks.block(i).outer(curvatures[i]).cpu()

    parts = each(outer, sorted(curvatures))
    hessian = next(parts).double().numpy()
    with np.errstate(all="ignore"):  # squares of features beyond 1e18 overflow
        for part in parts:
            hessian += part.numpy()
    hessian /= sum(len(curvature) for curvature in curvatures.values())
    diagonal = np.einsum("ii->i", hessian)
    diagonal[:-1] += ridge
    # (Nearly) duplicate features make it singular, to the precision of sums in float32.
    diagonal += 1e-5 * diagonal + np.finfo(np.float32).tiny
    return torch.from_numpy(_inverse(hessian)).to(blocks.device)


def _inverse(hessian: NDArray[np.float64]) -> NDArray[np.float32]:
    if not np.isfinite(hessian).all():
        return np.eye(len(hessian), dtype=np.float32)
    factor, bad = lapack.dpotrf(hessian, lower=True)
    inverse, bad_too = lapack.dpotri(factor, lower=True)
    if bad or bad_too or not np.isfinite(inverse).all():
        # Descent continues without a preconditioner; members that stall go to the plain solver.
        return np.eye(len(hessian), dtype=np.float32)
    lower = np.tril(inverse)
    return np.asarray(lower + np.tril(inverse, -1).T, dtype=np.float32)
