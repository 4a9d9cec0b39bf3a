"""The batched engine: all members of a phase trained together on shared rows."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from filtering.core.engines.contract import Base, Bools, Ensemble, Rows, Settings
from filtering.core.engines.crew import crew
from filtering.core.engines.descent import Descent
from filtering.core.engines.leg import Legs
from filtering.core.engines.plain import predict, train_members
from filtering.core.engines.products import pick_device
from filtering.core.table import Table


class BatchedEngine:
    """Train all members together in float32; see `Engine` for the contract.

    A member that stalls is handed to the plain solver, and counted. ``tol`` bounds the gradient as
    in scikit-learn: see `AFLite` for what it leaves.

    On CUDA the same computation runs on the device, where sums are cut differently: a run that is
    to be resumed with the same bytes stays on one kind of device.
    """

    def __init__(self, table: Table, settings: Settings, *, device: str = "auto") -> None:
        self._table, self._settings = table, settings
        self._legs = Legs(table, settings, device=pick_device(device))

    def fit(
        self,
        base: Base,
        rows: Rows,
        masks: Bools,
        *,
        progress: Callable[[int], None] | None = None,
    ) -> Ensemble:
        """Train and predict; see `Engine.fit`."""
        _, tol, max_iter, _ = self._settings
        with crew() as each:
            leg = self._legs.of(base, each)
            here = np.searchsorted(leg.rows, rows)
            parts = self._legs.spread(leg, here, masks)
            classes = _only_class(leg.labels, parts)  # (n,), 0 where a part has both
            descent = Descent(leg.blocks, leg.labels, parts, C=self._settings.C, each=each)
            found = descent.run(leg.start, tol=tol, max_iter=max_iter, progress=progress)
            decided = list(each(lambda z: (z > 0).cpu().numpy(), found.decisions))
        predictions = np.concatenate(decided)[here]  # (n_rows, n)
        weights = found.weights.cpu().numpy().astype(np.float64)
        weights[classes != 0] = 0
        weights[:, -1] += classes
        predictions[:, classes != 0] = classes[classes != 0] > 0
        done = found.converged.cpu().numpy() | (classes != 0)
        unconverged = self._fall_back(~done, rows, masks, weights, predictions, progress)
        return Ensemble(predictions, weights.astype(np.float32), unconverged, int((~done).sum()))

    def _fall_back(
        self,
        left: Bools,
        rows: Rows,
        masks: Bools,
        weights: NDArray[np.float64],
        predictions: Bools,
        progress: Callable[[int], None] | None,
    ) -> int:
        """Train the members left one by one, in place; return how many did not converge."""
        if not left.any():
            return 0
        parts = [rows[mask] for mask in masks.T[left]]
        converged = []
        with closing(train_members(self._table, parts, self._settings)) as members:
            for i, member in zip(np.flatnonzero(left), members, strict=True):
                weights[i] = member.weights
                converged.append(member.converged)
                if progress is not None:
                    progress(len(left) - len(parts) + len(converged))
        predictions[:, left] = predict(self._table, rows, weights[left])
        return len(parts) - sum(converged)


def _only_class(labels: list[Tensor], parts: list[Tensor]) -> NDArray[np.int64]:
    """Empty the parts of one class; return 1 or -1 for these, 0 for others: (n,)."""
    size = torch.stack([part.sum(0) for part in parts]).sum(0)
    right = [(part * label).sum(0) for part, label in zip(parts, labels, strict=True)]
    positive = torch.stack(right).sum(0)
    classes = torch.eq(positive, size).int() - torch.eq(positive, 0).int()
    if classes.any():
        for part in parts:
            part[:, classes != 0] = 0
    return classes.cpu().numpy().astype(np.int64)
