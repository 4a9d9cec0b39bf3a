"""Data shared by all phases of a working set: blocks of rows, labels, and the members' start."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from filtering.core.engines.blocks import Blocks, Memory
from filtering.core.engines.consensus import Consensus, find_consensus
from filtering.core.engines.contract import Base, Rows, Settings
from filtering.core.engines.descent import Start
from filtering.core.engines.thread_pool import ThreadPool
from filtering.core.table import Table

# Rows for the consensus, as a multiple of a training set's: with twice, members need a step more.
SAMPLE = 5


class WorkingSet(NamedTuple):
    """Data prepared once for several phases.

    rows : int (n_rows,), ascending
    blocks : Blocks, of the rows
    labels : float32 (B, 1) of each block
    start : Start
        Of every member. The consensus is as close to a member as the mean of the last phase's
        members (measured: the same number of steps), and depends only on rows.
    """

    rows: Rows
    blocks: Blocks
    labels: list[Tensor]
    start: Start


class WorkingSets:
    """Prepare working sets and cache the last one; the cache does not change results."""

    def __init__(self, table: Table, settings: Settings, *, device: torch.device) -> None:
        self._table, self._settings, self._device = table, settings, device
        self._memory = Memory()
        self._working_set: WorkingSet | None = None
        self._consensus: tuple[Rows, Consensus] | None = None

    def of(self, base: Base, each: ThreadPool) -> WorkingSet:
        """Return the working set of a base."""
        if self._working_set is None or not np.array_equal(self._working_set.rows, base.held):
            self._working_set = None  # releases its memory before new rows are loaded
            self._working_set = self._prepare(base, each)
        return self._working_set

    def spread(self, working_set: WorkingSet, here: Rows, masks: NDArray[np.bool_]) -> list[Tensor]:
        """Spread masks (n_rows, n) of the rows ``here`` over all rows: (B, n) a block."""
        spread = self._memory.floats("masks", len(working_set.rows), masks.shape[1])
        values = spread.numpy()
        values[:] = 0
        values[here] = masks
        return working_set.blocks.columns(values)

    def _prepare(self, base: Base, each: ThreadPool) -> WorkingSet:
        consensus, blocks = self._find_consensus(base, each)
        if blocks is None:
            blocks = self._cut(base.held, each)
        decided = each(
            lambda i: blocks.block(i).decide(consensus.weights[None]), range(len(blocks))
        )
        start = Start(consensus.weights, list(decided), consensus.inverse)
        return WorkingSet(base.held, blocks, self._labels(base.held, blocks), start)

    def _find_consensus(self, base: Base, each: ThreadPool) -> tuple[Consensus, Blocks | None]:
        """Return the consensus, and the blocks of ``base.held`` if computed from these rows."""
        if self._consensus is not None and np.array_equal(self._consensus[0], base.surveyed):
            return self._consensus[1], None
        size = max(SAMPLE * self._settings.m, 10 * self._table.d)
        sample = _sample(self._table, base.surveyed, size)
        blocks = self._cut(sample, each)
        settings = self._settings
        consensus = find_consensus(
            blocks,
            self._labels(sample, blocks),
            ridge=1 / (settings.C * settings.m),
            balanced=settings.balanced,
            each=each,
        )
        self._consensus = base.surveyed, consensus
        return consensus, blocks if np.array_equal(sample, base.held) else None

    def _cut(self, rows: Rows, each: ThreadPool) -> Blocks:
        return Blocks(self._table, rows, device=self._device, each=each, memory=self._memory)

    def _labels(self, rows: Rows, blocks: Blocks) -> list[Tensor]:
        return blocks.columns(self._table.y[rows].astype(np.float32)[:, None])


def _sample(table: Table, rows: Rows, size: int) -> Rows:
    """Return a random sample (the lowest keys) of the rows: (size,) or all, ascending."""
    return np.sort(rows[np.argsort(table.keys[rows])[:size]])
