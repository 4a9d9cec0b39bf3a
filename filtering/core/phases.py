"""The result of one filtering phase."""

from __future__ import annotations

from collections.abc import Collection, Hashable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from filtering.core.fresh import Look
from filtering.core.stopping import StopReason


class PhaseDone(NamedTuple):
    """What a resumed run needs from a phase; fields are as in `Phase`."""

    removed_ids: Collection[Hashable]
    stop_reason: StopReason | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Phase:
    """One pass of Algorithm 1's outer loop.

    Parameters
    ----------
    number : int
        1 for the first phase.
    rows : int (n_before,)
        Positions, in the caller's input, of the rows left at the start; ascending.
    correct, held_out : int (n_before,)
        Each row's numbers of correct predictions and of all predictions, by the ensemble members
        that held it out.
    removed : int (n_removed,)
        Positions of the rows removed; ascending.
    removed_ids : tuple
        Their ids, in the same order.
    eligible : int
        Rows at or above tau (in groups at or above tau when groups are removed together).
    tied_at_cutoff : int
        Eligible rows whose score equals the lowest score removed. When ``eligible`` exceeds
        ``n_removed``, the seed chose among these.
    unconverged : int
        Members that stopped at ``max_iter``, or whose decisions are too small for floats.
    fallbacks : int
        Members that the batched engine passed to the plain solver.
    looks : tuple of Look
        Accuracies of fresh models before, between and after the removals of a run that stops at a
        neutral set; empty otherwise.
    stop_reason : str or None
        Why no phase follows this one; None when one does.
    """

    number: int
    rows: NDArray[np.int64]
    correct: NDArray[np.int64]
    held_out: NDArray[np.int64]
    removed: NDArray[np.int64]
    removed_ids: tuple[Hashable, ...]
    eligible: int
    tied_at_cutoff: int
    unconverged: int
    fallbacks: int
    looks: tuple[Look, ...]
    stop_reason: StopReason | None

    @property
    def n_before(self) -> int:
        return len(self.rows)

    @property
    def n_removed(self) -> int:
        return len(self.removed)

    @property
    def n_after(self) -> int:
        return self.n_before - self.n_removed

    @property
    def scores(self) -> NDArray[np.float64]:
        """Each row's predictability score (n_before,): its share of correct held-out predictions.

        nan where a row was never held out.
        """
        with np.errstate(invalid="ignore"):
            return np.asarray(self.correct / self.held_out, dtype=np.float64)

    @property
    def never_held_out(self) -> int:
        """Rows without a score: never held out, so they could not be removed."""
        return int((self.held_out == 0).sum())

    @property
    def accuracy(self) -> float:
        """Share of all held-out predictions that were correct; nan when there were none."""
        total = int(self.held_out.sum())
        return float(self.correct.sum()) / total if total else float("nan")

    def histogram(self, *, bins: int = 20) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        """Count the scores in equal bins over [0, 1]: counts (bins,) and edges (bins + 1,)."""
        scores = self.scores
        counts, edges = np.histogram(scores[~np.isnan(scores)], bins=bins, range=(0.0, 1.0))
        return counts.astype(np.int64), edges
