"""The batched engine: trains all ensemble members of a phase together on shared rows."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing

import numpy as np
from numpy.typing import NDArray
from torch import Tensor

from filtering.core.engines.blocks import Blocks
from filtering.core.engines.contract import Base, Bools, Ensemble, Floats, Rows, Settings
from filtering.core.engines.descent import Descent
from filtering.core.engines.members import of_one_class, weigh_alike
from filtering.core.engines.plain import decide, train_members
from filtering.core.engines.products import pick_device
from filtering.core.engines.thread_pool import ThreadPool, thread_pool
from filtering.core.engines.working_set import WorkingSets
from filtering.core.table import Table


class BatchedEngine:
    """Train one L2 logistic regression per mask, all together in float32, and predict with each.

    A member that stalls, or whose decisions are too small for float32, is passed to the plain
    solver and counted as a fallback.

    On CUDA the same computation runs on the device, where sums are split differently: a run must
    stay on one kind of device to give the same bytes when it is resumed.
    """

    def __init__(self, table: Table, settings: Settings, *, device: str = "auto") -> None:
        self._table, self._settings = table, settings
        self._working_sets = WorkingSets(table, settings, device=pick_device(device))

    def fit(
        self,
        base: Base,
        rows: Rows,
        masks: Bools,
        *,
        progress: Callable[[int], None] | None = None,
    ) -> Ensemble:
        """Train and predict.

        Parameters
        ----------
        base : Base
            What is prepared is prepared from these rows, and kept while they stay the same.
        rows : int (n_rows,), ascending
            Those of ``base.held`` that are still alive, or any others of them. Nested sets are
            fitted from one base, which is prepared once.
        masks : bool (n_rows, n)
            Each column marks one member's training part, never empty.
        progress : callable (members done), optional
            Called from the calling thread; ends at n.

        Returns
        -------
        Ensemble
            The same bits for any number of threads. A part with one class predicts that class.
        """
        C, tol, max_iter, _, balanced = self._settings  # noqa: N806
        with thread_pool() as each:
            working_set = self._working_sets.of(base, each)
            here = np.searchsorted(working_set.rows, rows)
            parts = self._working_sets.spread(working_set, here, masks)
            classes = of_one_class(working_set.labels, parts, each)  # (n,), 0 for both
            if balanced:
                weigh_alike(working_set.labels, parts, each)
            descent = Descent(
                working_set.blocks, working_set.labels, parts, C=C, each=each, weighted=balanced
            )
            solution = descent.run(working_set.start, tol=tol, max_iter=max_iter, progress=progress)
            decisions = _gathered(working_set.blocks, solution.decisions, here, each)  # (n_rows, n)
        weights = solution.weights.cpu().numpy().astype(np.float64)
        weights[classes != 0] = 0
        weights[:, -1] += classes
        decisions[:, classes != 0] = classes[classes != 0]
        done = solution.converged.cpu().numpy() | (classes != 0)
        unconverged = self._fall_back(~done, rows, masks, weights, decisions, progress)
        return Ensemble(decisions, weights.astype(np.float32), unconverged, int((~done).sum()))

    def _fall_back(
        self,
        left: Bools,
        rows: Rows,
        masks: Bools,
        weights: NDArray[np.float64],
        decisions: Floats,
        progress: Callable[[int], None] | None,
    ) -> int:
        """Train the members in ``left`` one by one, in place; return how many did not converge."""
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
        decisions[:, left] = decide(self._table, rows, weights[left])
        return len(parts) - sum(converged)


def _gathered(blocks: Blocks, decisions: list[Tensor], here: Rows, each: ThreadPool) -> Floats:
    """Gather the blocks' decisions (B, n) for the rows ``here``: (n_rows, n)."""
    gathered = np.empty((len(here), decisions[0].shape[1]), dtype=np.float32)

    def gather(i: int) -> None:
        span = blocks.spans[i]
        first, last = np.searchsorted(here, [span.start, span.stop])
        inside = here[first:last] - span.start
        np.take(decisions[i].cpu().numpy(), inside, axis=0, out=gathered[first:last], mode="clip")

    list(each(gather, range(len(blocks))))
    return gathered
