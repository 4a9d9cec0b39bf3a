"""Many L2 logistic regressions on shared rows, trained together by conjugate gradients."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import torch
from torch import Tensor

from filtering.core.engines.blocks import Blocks
from filtering.core.engines.members import LEAST_WEIGHT
from filtering.core.engines.products import linear
from filtering.core.engines.thread_pool import ThreadPool

# A model has stalled when its smallest step has not halved for this many steps: float32 has no more
# precision, or Newton's method suits its data better (separable, with almost no penalty).
PATIENCE = 12
HALVINGS = 6
# Rows from which the change by a step is estimated.
ENOUGH = 4096
# sigmoid(z) is 1/2 + z/4, rounded to 6e-8. Where mean decisions are below FAINT, the intercept is
# computed in another way; below LOST, float32 is not precise enough.
FAINT, LOST = 1e-2, 1e-4
TINY = torch.finfo(torch.float32).tiny


class Start(NamedTuple):
    """The common start of all models, and their preconditioner.

    weights : float32 (d + 1,), of one model.
    decisions : float32 (B, 1) of each block, of that model.
    inverse : float32 (d + 1, d + 1), the preconditioner.
    """

    weights: Tensor
    decisions: list[Tensor]
    inverse: Tensor


class Models(NamedTuple):
    """Models that are trained together, an entry or a row for each of n."""

    which: Tensor  # int (n,), their numbers in the phase
    size: Tensor  # (n, 1), total weight of the training set
    ridge: Tensor  # (n, 1), 1 / (C m)
    weights: Tensor  # (n, d + 1), the intercept last
    gradient: Tensor  # (n, d + 1)
    before: Tensor  # (n, d + 1), the gradient before the last step
    downhill: Tensor  # (n, d + 1), the gradient times the preconditioner
    direction: Tensor  # (n, d + 1), of the last step
    done: Tensor  # bool (n,), within tol; they continue while that is free
    taken: Tensor  # int (n,), steps
    best: Tensor  # (n,), the smallest change so far, updated when it halves
    waited: Tensor  # int (n,), steps since then

    @property
    def stalled(self) -> Tensor:
        """Models that make no more progress, bool (n,)."""
        return ~self.done & (self.waited >= PATIENCE)

    def after(self, change: Tensor, tol: float) -> Models:
        """Return the models, updated with a step's relative change (n,).

        Steps that shrink by a factor s sum up to s / (1 - s) times the last one.
        """
        taken = self.taken + 1
        shrinks = change ** (1 / taken)  # mean factor, from 1
        better = change <= self.best / 2
        return self._replace(
            done=self.done | (change * shrinks / (1 - shrinks) <= tol),
            taken=taken,
            best=torch.where(better, change, self.best),
            waited=torch.where(better, 0, self.waited + 1),
        )


class Descended(NamedTuple):
    """The result of a descent.

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
    along the direction, halved where they overshoot. Once half of the models are done, only the
    others continue.

    Source: Polak and Ribière's beta, never below 0; each step exact to second order.
    """

    def __init__(
        self,
        blocks: Blocks,
        labels: list[Tensor],
        masks: list[Tensor],
        *,
        C: float,  # noqa: N803
        each: ThreadPool,
        weighted: bool = False,
    ) -> None:
        """Take the rows, their labels (B, 1) and masks (B, n) by block, all float32.

        Masks are 0 or 1, or with ``weighted`` 0 or the row's weight, at least `LEAST_WEIGHT`.
        They are changed in place: rows of the positive class become negative.
        """
        self._blocks, self._each = blocks, each
        self._C, self._weighted = C, weighted
        self._every = max(1, blocks.n_rows // ENOUGH)
        self._away = [1 - 2 * label for label in labels]  # (B, 1), away from the label
        self._parts = self._masks = self._map(lambda i: masks[i].mul_(self._away[i]))

    def run(
        self,
        start: Start,
        *,
        tol: float,
        max_iter: int,
        progress: Callable[[int], None] | None = None,
    ) -> Descended:
        """Descend until every model is done, has stalled or has taken ``max_iter`` steps.

        A step's relative change is the mean of |change| / (|decision| + |change|) over rows,
        inside and outside the training set. A model is done when all remaining steps, estimated
        from how its steps have shrunk so far, would change its decisions by ``tol`` or less.
        """
        models = self._begin(start)
        weights, decisions = models.weights.clone(), list(self._decisions)
        done = models.done.clone()
        for _ in range(max_iter):
            active = ~(models.done | models.stalled)
            if not active.any():
                break
            if 2 * active.sum() <= len(active):
                self._store(models, weights, decisions)
                models = self._narrowed(models, active)
            models, step = self._aim(models, start.inverse)
            models = models.after(self._change(models, step), tol)
            done[models.which] = models.done
            if progress is not None:
                progress(int(done.sum()))
            last = bool((models.done | models.stalled).all())
            models = self._shift(models, step) if last else self._descend(models, step)
        self._store(models, weights, decisions)
        self._settle(weights, decisions)
        return Descended(weights, decisions, done & (self._sizes(decisions) >= LOST))

    def _begin(self, start: Start) -> Models:
        n, device = self._masks[0].shape[1], start.weights.device
        self._decisions = self._map(lambda i: start.decisions[i].repeat(1, n))  # (B, n) each
        self._changes = [torch.empty(0)] * len(self._blocks)
        self._residuals = list(self._changes)
        size = self._sum(lambda i: self._masks[i].abs().sum(0))[:, None]  # (n, 1)
        self._size = size.clamp(min=1)
        weights = start.weights.repeat(n, 1)  # (n, d + 1)
        nothing = torch.zeros_like(weights)
        models = Models(
            which=torch.arange(n, device=device),
            size=self._size,
            ridge=(1 / (self._C * size)).nan_to_num(posinf=0.0),  # 0 where a mask is empty
            weights=weights,
            gradient=nothing,
            before=nothing,
            downhill=nothing,
            direction=nothing,
            done=torch.zeros(n, dtype=torch.bool, device=device),
            taken=torch.zeros(n, dtype=torch.int64, device=device),
            best=torch.full_like(size[:, 0], 2.0),  # no change is larger than 1
            waited=torch.zeros(n, dtype=torch.int64, device=device),
        )
        return models._replace(gradient=self._gradient(models, None))

    def _aim(self, models: Models, inverse: Tensor) -> tuple[Models, Tensor]:
        """Return the models with new directions, and step sizes (n,): 0 where undefined."""
        halves = self._each(lambda half: linear(models.gradient, half), inverse.chunk(2))
        downhill = torch.cat(list(halves), dim=1)  # (n, d + 1)
        direction = _direction(models, downhill)
        slope = (models.gradient * direction).sum(1)  # (n,), below 0
        step = (-slope / self._curvature(models, direction)).nan_to_num(0, 0, 0)
        models = models._replace(before=models.gradient, downhill=downhill, direction=direction)
        return models, torch.where(models.stalled, 0.0, step)

    def _change(self, models: Models, step: Tensor) -> Tensor:
        """Return the relative change of each model's decisions by a step: (n,)."""

        def change(i: int) -> Tensor:
            moved = self._changes[i][:: self._every] * step
            size = (self._decisions[i][:: self._every] + moved).abs_()
            moved.abs_()
            return moved.div_(size.add_(moved).clamp_(min=TINY)).sum(0)

        changes = self._sum(change) / sum(-(-len(z) // self._every) for z in self._decisions)
        # Without a step the change is unknown, unless the gradient is 0.
        lost = (step == 0) & (models.gradient != 0).any(1)
        return torch.where(lost, torch.inf, changes)

    def _descend(self, models: Models, step: Tensor) -> Models:
        """Take a step, and take half of it back while it overshoots."""
        slope = (models.gradient * models.direction).sum(1)
        models = self._move(models, step)
        for _ in range(HALVINGS):
            # A Newton step from where curvature is small may end far beyond the minimum.
            beyond = (models.gradient * models.direction).sum(1) > slope.abs() / 2
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

    def _shift(self, models: Models, step: Tensor) -> Models:
        """Take the last step, after which no gradient is needed."""
        self._map(lambda i: self._decisions[i].addcmul_(self._changes[i], step))
        return models._replace(weights=models.weights + step[:, None] * models.direction)

    def _gradient(self, models: Models, step: Tensor | None) -> Tensor:
        """Move the decisions by a step (n,) along their changes; return the gradient (n, d + 1)."""

        def pull(i: int) -> Tensor:
            decisions = self._decisions[i]
            if step is not None:
                decisions.addcmul_(self._changes[i], step)
            # Computed from the margins, so that values near 0 keep their digits.
            residuals = (decisions * self._away[i]).sigmoid_().mul_(self._masks[i])
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
            # |r| is p or 1 - p, so |r| - r^2 is p (1 - p), and 0 outside the training set.
            bare = residuals
            if self._weighted:  # |r| is then v p or v (1 - p), and |r| - r^2 / v is v p (1 - p)
                bare = residuals / self._masks[i].abs().clamp(min=LEAST_WEIGHT)
            bent = residuals.abs().addcmul_(residuals, bare, value=-1)
            return bent.mul_(changes).mul_(changes).sum(0)

        bends = self._sum(bend) / models.size[:, 0]
        return bends + models.ridge[:, 0] * direction[:, :-1].square().sum(1)

    def _store(self, models: Models, weights: Tensor, decisions: list[Tensor]) -> None:
        """Copy the models' state into the phase's results."""
        weights[models.which] = models.weights
        if len(models.which) < len(weights):
            for whole, part in zip(decisions, self._decisions, strict=True):
                whole[:, models.which] = part

    def _narrowed(self, models: Models, stay: Tensor) -> Models:
        """Continue with some of the models only."""
        rows = stay.nonzero()[:, 0]
        self._decisions = self._map(lambda i: self._decisions[i][:, rows])
        self._masks = self._map(lambda i: self._masks[i][:, rows])
        self._residuals = self._map(lambda i: self._residuals[i][:, rows])
        return Models(*(entry[rows] for entry in models))

    def _settle(self, weights: Tensor, decisions: list[Tensor]) -> None:
        """Correct, in place, the intercepts of models whose decisions are faint."""
        faint = (self._sizes(decisions) < FAINT).nonzero()[:, 0]
        if not len(faint):
            return

        def lean(i: int) -> Tensor:
            away, z = self._parts[i][:, faint], decisions[i][:, faint]
            tilted = (away.abs() * torch.tanh(z / 2)).sum(0)  # 2 sigmoid(z) - 1, with all digits
            # With balanced labels these cancel, and their sum would be rounding error.
            return tilted if self._weighted else tilted.add_(away.sum(0))

        shift = self._sum(lean) * -2 / self._size[faint, 0]  # over a curvature of 1/4
        weights[faint, -1] += shift
        for z in decisions:
            z[:, faint] += shift

    def _sizes(self, decisions: list[Tensor]) -> Tensor:
        """Return the mean absolute decision of each model, from a sample of the rows: (n,)."""
        sizes = self._each(lambda z: z[:: self._every].abs().mean(0), decisions)
        return torch.stack(list(sizes)).mean(0)

    def _map(self, work: Callable[[int], Tensor]) -> list[Tensor]:
        return list(self._each(work, range(len(self._blocks))))

    def _sum(self, work: Callable[[int], Tensor]) -> Tensor:
        """Add up the blocks' results, always in the blocks' order."""
        first, *rest = self._map(work)
        for part in rest:
            first += part
        return first


def _direction(models: Models, downhill: Tensor) -> Tensor:
    change = (downhill * (models.gradient - models.before)).sum(1)
    # The first step has no previous one; its direction is the steepest descent.
    beta = (change / (models.downhill * models.before).sum(1)).nan_to_num(0, 0, 0).clamp(min=0)
    return beta[:, None] * models.direction - downhill
