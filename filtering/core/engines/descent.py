"""Many L2 logistic regressions on shared rows, trained together by conjugate gradients."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import torch
from torch import Tensor

from filtering.core.engines.blocks import Blocks
from filtering.core.engines.crew import Crew
from filtering.core.engines.members import LEAST_WEIGHT
from filtering.core.engines.products import linear

# A model has stalled when its gradient has not halved in so many steps: float32 gives no more,
# or its data is such (separable, next to no penalty) that Newton's method serves it better.
PATIENCE = 12
HALVINGS = 6


class Start(NamedTuple):
    """Where all models begin, and what shapes their steps.

    weights : float32 (d + 1,), of one model.
    decisions : float32 (B, 1) of each block, its own.
    inverse : float32 (d + 1, d + 1), the preconditioner.
    """

    weights: Tensor
    decisions: list[Tensor]
    inverse: Tensor


class Models(NamedTuple):
    """Models that are trained together, an entry or a row for each of n."""

    which: Tensor  # int (n,), their numbers in the phase
    size: Tensor  # (n, 1), rows of the part, as they weigh
    ridge: Tensor  # (n, 1), 1 / (C m)
    weights: Tensor  # (n, d + 1), the intercept last
    gradient: Tensor  # (n, d + 1)
    before: Tensor  # (n, d + 1), the gradient before the last step
    downhill: Tensor  # (n, d + 1), that times the preconditioner
    direction: Tensor  # (n, d + 1), of the last step
    best: Tensor  # (n,), the smallest gradient seen, in halves
    waited: Tensor  # int (n,), steps since then

    @property
    def steepest(self) -> Tensor:
        """Largest entry of each gradient (n,); nan where float32 overflowed."""
        return self.gradient.abs().amax(1)

    @property
    def able(self) -> Tensor:
        """Which have not stalled, bool (n,). Those that are done go on while it costs nothing."""
        return (self.waited < PATIENCE) & self.steepest.isfinite()


class Descended(NamedTuple):
    """Where the models came to.

    weights : float32 (n, d + 1), the intercept last.
    decisions : float32 (B, n) of each block.
    converged : bool (n,)
    """

    weights: Tensor
    decisions: list[Tensor]
    converged: Tensor


class Descent:
    """Non-linear preconditioned conjugate gradients for all models at once.

    Each model has its own rows (a mask), direction and step; all share the two products of a
    step, decisions of the direction and the gradient, and one preconditioner. Steps are Newton's
    along the direction, halved where they overshoot. Once half of the models are done, the others
    go on by themselves.

    Source: Polak and Ribière's beta, never below 0; each step exact to second order.
    """

    def __init__(
        self,
        blocks: Blocks,
        labels: list[Tensor],
        masks: list[Tensor],
        *,
        C: float,  # noqa: N803
        each: Crew,
        weighted: bool = False,
    ) -> None:
        """Take the rows, their labels (B, 1) and masks (B, n) by block, all float32.

        Masks are 0 or 1, or with ``weighted`` 0 or what the row weighs, at least `LEAST_WEIGHT`.
        """
        self._blocks, self._labels, self._each = blocks, labels, each
        self._masks, self._C, self._weighted = list(masks), C, weighted

    def run(
        self,
        start: Start,
        *,
        tol: float,
        max_iter: int,
        progress: Callable[[int], None] | None = None,
    ) -> Descended:
        """Descend until every model is done, has stalled or took ``max_iter`` steps."""
        models = self._begin(start)
        weights, decisions = models.weights.clone(), list(self._decisions)
        converged = torch.zeros(len(weights), dtype=torch.bool, device=weights.device)
        for step in range(max_iter + 1):
            converged[models.which] = models.steepest <= tol
            if progress is not None:
                progress(int(converged.sum()))
            models = _watched(models)
            active = models.able & (models.steepest > tol)
            if step == max_iter or not active.any():
                break
            if 2 * active.sum() <= len(active):
                self._store(models, weights, decisions)
                models = self._narrowed(models, active)
            models = self._step(models, start.inverse)
        self._store(models, weights, decisions)
        return Descended(weights, decisions, converged)

    def _begin(self, start: Start) -> Models:
        n, device = self._masks[0].shape[1], start.weights.device
        self._decisions = self._map(lambda i: start.decisions[i].repeat(1, n))  # (B, n) each
        self._changes = [torch.empty(0)] * len(self._blocks)
        self._residuals = list(self._changes)
        size = self._sum(lambda i: self._masks[i].sum(0))[:, None]  # (n, 1)
        weights = start.weights.repeat(n, 1)  # (n, d + 1)
        nothing = torch.zeros_like(weights)
        models = Models(
            which=torch.arange(n, device=device),
            size=size.clamp(min=1),
            ridge=(1 / (self._C * size)).nan_to_num(posinf=0.0),  # 0 where a mask is empty
            weights=weights,
            gradient=nothing,
            before=nothing,
            downhill=nothing,
            direction=nothing,
            best=torch.full_like(size[:, 0], torch.inf),
            waited=torch.zeros(n, dtype=torch.int64, device=device),
        )
        return models._replace(gradient=self._gradient(models, None))

    def _step(self, models: Models, inverse: Tensor) -> Models:
        """Move every model that is able to along a new direction."""
        halves = self._each(lambda half: linear(models.gradient, half), inverse.chunk(2))
        downhill = torch.cat(list(halves), dim=1)  # (n, d + 1)
        direction = _direction(models, downhill)
        slope = (models.gradient * direction).sum(1)  # (n,), below 0
        step = (-slope / self._curvature(models, direction)).nan_to_num(0, 0, 0)
        step = torch.where(models.able, step, 0.0)
        models = models._replace(before=models.gradient, downhill=downhill, direction=direction)
        models = self._move(models, step)
        for _ in range(HALVINGS):
            # A Newton step from where curvature is small may end far beyond the minimum.
            beyond = (models.gradient * direction).sum(1) > slope.abs() / 2
            beyond &= step != 0
            if not beyond.any():
                break
            step = torch.where(beyond, step / 2, 0.0)
            models = self._move(models, -step)
        return models

    def _move(self, models: Models, step: Tensor) -> Models:
        weights = models.weights + step[:, None] * models.direction
        models = models._replace(weights=weights)
        return models._replace(gradient=self._gradient(models, step))

    def _gradient(self, models: Models, step: Tensor | None) -> Tensor:
        """Move the decisions by a step (n,) along their changes; return the gradient (n, d + 1)."""

        def pull(i: int) -> Tensor:
            decisions = self._decisions[i]
            if step is not None:
                decisions.addcmul_(self._changes[i], step)
            residuals = torch.sigmoid(decisions).sub_(self._labels[i]).mul_(self._masks[i])
            self._residuals[i] = residuals  # (B, n)
            return self._blocks.block(i).pull(residuals)  # (n, d + 1)

        gradient = self._sum(pull) / models.size
        gradient[:, :-1] += models.ridge * models.weights[:, :-1]
        return gradient

    def _curvature(self, models: Models, direction: Tensor) -> Tensor:
        """Keep the decisions' changes along a direction; return the second derivative (n,)."""

        def bend(i: int) -> Tensor:
            changes = self._changes[i] = self._blocks.block(i).decide(direction)  # (B, n)
            residuals = self._residuals[i]
            # |r| is p or 1 - p, so |r| - r^2 is p (1 - p), and 0 outside the part.
            bare = residuals
            if self._weighted:  # |r| is then v p or v (1 - p), and |r| - r^2 / v is v p (1 - p)
                bare = residuals / self._masks[i].clamp(min=LEAST_WEIGHT)
            bent = residuals.abs().addcmul_(residuals, bare, value=-1)
            return bent.mul_(changes).mul_(changes).sum(0)

        bends = self._sum(bend) / models.size[:, 0]
        return bends + models.ridge[:, 0] * direction[:, :-1].square().sum(1)

    def _store(self, models: Models, weights: Tensor, decisions: list[Tensor]) -> None:
        """Write where the models are into the phase's results."""
        weights[models.which] = models.weights
        if len(models.which) < len(weights):
            for whole, part in zip(decisions, self._decisions, strict=True):
                whole[:, models.which] = part

    def _narrowed(self, models: Models, stay: Tensor) -> Models:
        """Go on with some of the models only."""
        kept = stay.nonzero()[:, 0]
        self._decisions = self._map(lambda i: self._decisions[i][:, kept])
        self._masks = self._map(lambda i: self._masks[i][:, kept])
        self._residuals = self._map(lambda i: self._residuals[i][:, kept])
        return Models(*(entry[kept] for entry in models))

    def _map(self, work: Callable[[int], Tensor]) -> list[Tensor]:
        return list(self._each(work, range(len(self._blocks))))

    def _sum(self, work: Callable[[int], Tensor]) -> Tensor:
        """Add up the blocks' results, always in the blocks' order."""
        first, *rest = self._map(work)
        for part in rest:
            first += part
        return first


def _watched(models: Models) -> Models:
    """Return the models, with how long each has waited for its gradient to halve."""
    better = models.steepest <= models.best / 2
    return models._replace(
        best=torch.where(better, models.steepest, models.best),
        waited=torch.where(better, 0, models.waited + 1),
    )


def _direction(models: Models, downhill: Tensor) -> Tensor:
    change = (downhill * (models.gradient - models.before)).sum(1)
    # At the first step nothing was before, and the direction is the steepest.
    beta = (change / (models.downhill * models.before).sum(1)).nan_to_num(0, 0, 0).clamp(min=0)
    return beta[:, None] * models.direction - downhill
