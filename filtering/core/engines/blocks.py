"""The rows of a working set in blocks: held in memory, or read again for every product."""

from __future__ import annotations

import threading
from itertools import pairwise
from typing import NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from filtering.core.engines.contract import Floats, Rows
from filtering.core.engines.products import linear
from filtering.core.engines.thread_pool import ThreadPool
from filtering.core.table import Table

# Rows of a block: the size best for products if held, a size that fits the cache if read.
HELD, READ = 6000, 2048
# Rows of a Hessian computed at once; the upper triangle is left out.
PANEL = 256
# Below this number of models their product is faster with models as its rows than as columns.
FEW = 48
# Maximum memory of held blocks with their transposes: 131,000 rows of 1,024 features.
HELD_BYTES = 2**30


class Memory:
    """Reused arrays: on some machines allocating a new page costs more than filling it."""

    def __init__(self) -> None:
        self._arrays: dict[str, Floats] = {}

    def floats(self, name: str, *shape: int) -> Tensor:
        """Return the float32 array of that name and shape, with undefined content."""
        size = int(np.prod(shape))
        array = self._arrays.get(name)
        if array is None or len(array) < size:
            self._arrays.pop(name, None)
            array = self._arrays[name] = np.empty(size, dtype=np.float32)
        return torch.from_numpy(array[:size]).view(shape)


class Block(NamedTuple):
    """Some rows, centred."""

    X: Tensor  # float32 (B, d)
    transposed: Tensor | None  # float32 (d, B), contiguous; where rows are held on a CPU

    def decide(self, weights: Tensor) -> Tensor:
        """Return the decisions of models (n, d + 1) for the rows: (B, n)."""
        slopes, intercepts = weights[:, :-1].contiguous(), weights[:, -1].contiguous()
        if len(slopes) < FEW:
            return linear(slopes, self.X).T.contiguous().add_(intercepts)
        return linear(self.X, slopes, intercepts)

    def pull(self, residuals: Tensor) -> Tensor:
        """Return the rows' sums weighted by residuals (B, n): (n, d + 1), the plain sums last."""
        sums = residuals.sum(0)  # (n,)
        if self.transposed is not None:
            weighted = linear(self.transposed, residuals.T).T  # (n, d)
        else:
            weighted = linear(residuals.T.contiguous(), self.X.T)  # (n, d)
        return torch.cat([weighted, sums[:, None]], dim=1)

    def outer(self, curvatures: Tensor) -> Tensor:
        """Return the lower triangle of the sum of curvature x [x; 1][x; 1]^T, (d + 1, d + 1)."""
        wide = self.X.T.contiguous() if self.transposed is None else self.transposed  # (d, B)
        d = len(wide)
        sums = torch.zeros((d + 1, d + 1), device=wide.device)
        for start in range(0, d, PANEL):
            end = min(start + PANEL, d)
            weighted = wide[start:end] * curvatures.T  # (PANEL, B)
            sums[start:end, :end] = linear(weighted, wide[:end])
            sums[d, start:end] = weighted.sum(1)
        sums[d, d] = curvatures.sum()
        return sums


class Blocks:
    """Rows of a table in blocks whose boundaries depend only on the number of rows.

    On CUDA they are always held, on the device. New blocks made with the same memory overwrite
    these.
    """

    def __init__(
        self,
        table: Table,
        rows: Rows,
        *,
        device: torch.device,
        each: ThreadPool,
        memory: Memory,
    ) -> None:
        self._table, self._rows, self.device = table, rows, device
        self.n_rows = len(rows)
        on_cpu = device.type == "cpu"
        held = not on_cpu or 2 * 4 * len(rows) * table.d <= HELD_BYTES
        # An even number, so that two threads finish together.
        n_blocks = 2 * -(-len(rows) // (2 * (HELD if held else READ)))
        edges = np.linspace(0, len(rows), n_blocks + 1).astype(int)
        self.spans = [slice(a, b) for a, b in pairwise(edges) if a < b]
        self._buffers = threading.local()
        self._held = None
        if not on_cpu:
            self._held = list(each(self._send, self.spans))
        elif held:
            memories = [memory.floats(what, len(rows), table.d) for what in "XT"]
            self._held = list(each(lambda span: self._hold(span, *memories), self.spans))

    def __len__(self) -> int:
        return len(self.spans)

    def block(self, i: int) -> Block:
        """Return a block; a block that is read is valid until the same thread requests another."""
        if self._held is not None:
            return self._held[i]
        return Block(self._read_rows(self.spans[i]), None)

    def columns(self, values: NDArray[np.float32]) -> list[Tensor]:
        """Split values (n_rows, …) like the blocks."""
        whole = torch.from_numpy(values).to(self.device)
        return [whole[span] for span in self.spans]

    def _read_rows(self, span: slice) -> Tensor:
        """Read rows into the calling thread's buffer."""
        buffer = getattr(self._buffers, "rows", None)
        if buffer is None:
            longest = max(span.stop - span.start for span in self.spans)
            buffer = self._buffers.rows = np.empty((longest, self._table.d), dtype=np.float32)
        return torch.from_numpy(self._table.rows(self._rows[span], out=buffer))

    def _send(self, span: slice) -> Block:
        # The copy is complete on return, so the thread can reuse its buffer.
        return Block(self._read_rows(span).to(self.device), None)

    def _hold(self, span: slice, rows: Tensor, transposes: Tensor) -> Block:
        self._table.rows(self._rows[span], out=rows[span].numpy())
        transposed = transposes[span].view(self._table.d, -1)
        return Block(rows[span], transposed.copy_(rows[span].T))
