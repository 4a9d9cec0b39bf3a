"""The plain engine: every member by the plain solver, as the batched engine's oracle."""

from collections.abc import Callable
from contextlib import closing

import numpy as np

from filtering.core.aflite import AFLite
from filtering.core.engines import Base, Ensemble, Settings
from filtering.core.engines.contract import Bools, Rows
from filtering.core.engines.plain import decide, train_members
from filtering.core.table import Table


class PlainEngine:
    """Train the members one by one in float64, by Newton's method; see `BatchedEngine`.

    Newton's last step is far smaller than the one that ``tol`` asks for, so this is the exact
    optimum, but for rounding. ``base`` changes nothing here.
    """

    def __init__(self, table: Table, settings: Settings) -> None:
        self._table = table
        self._settings = settings

    def fit(
        self,
        base: Base,
        rows: Rows,
        masks: Bools,
        *,
        progress: Callable[[int], None] | None = None,
    ) -> Ensemble:
        """Train and predict; see `BatchedEngine.fit`."""
        n = masks.shape[1]
        weights = np.empty((n, self._table.d + 1), dtype=np.float64)
        converged = np.zeros(n, dtype=bool)
        parts = [rows[mask] for mask in masks.T]
        with closing(train_members(self._table, parts, self._settings)) as members:
            for i, member in enumerate(members):
                weights[i], converged[i] = member
                if progress is not None:
                    progress(i + 1)
        decisions = decide(self._table, rows, weights)
        unconverged = int(n - converged.sum())
        return Ensemble(decisions, weights.astype(np.float32), unconverged, fallbacks=0)


class PlainAFLite(AFLite):
    """AFLite whose classifiers the plain engine trains."""

    def make_engine(self, table: Table) -> PlainEngine:
        m, balanced = self.sizes(table.n_rows)[0], self.stop == "neutral"
        return PlainEngine(table, Settings(self.C, self.tol, self.max_iter, m, balanced))
