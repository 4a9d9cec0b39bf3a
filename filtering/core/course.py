"""The course of a run: Algorithm 1's outer loop, from any phase on."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from filtering.core.engines import Engine, Ensemble
from filtering.core.parts import PhaseKeys
from filtering.core.phases import Phase, StopReason
from filtering.core.removal import Removal, Votes, choose_rows
from filtering.core.table import Table, Units

if TYPE_CHECKING:
    from filtering.core.aflite import AFLite

Progress = Callable[[int, int], None]
Rows = NDArray[np.intp]

# A leg ends when so many of its rows have gone: what is prepared for it has grown stale by then.
STALE = 0.1


@dataclass(frozen=True, slots=True)
class Course:
    """An estimator's run over one table.

    A phase follows from the table, the settings and the rows that each phase before it removed,
    and from nothing else that happened: neither random streams nor models are carried over.
    """

    estimator: AFLite
    table: Table
    engine: Engine
    progress: Progress | None

    def phases(self, removed_in: NDArray[np.int64], *, n_done: int) -> Iterator[Phase]:
        """Run the phases after the first ``n_done``, of which ``removed_in`` tells who went."""
        base = alive = np.arange(len(removed_in))
        for number in range(1, n_done + 1):
            alive = np.flatnonzero((removed_in == 0) | (removed_in > number))
            base = _next_base(base, alive)
        number = n_done
        ended = n_done > 0 and int((removed_in == n_done).sum()) < self.estimator.k
        while not ended and len(alive) > self.estimator.m:
            number += 1
            phase, stays = self._phase(base, alive, number)
            alive = alive[stays]
            base = _next_base(base, alive)
            ended = phase.stop_reason == "fewer_than_k"
            yield phase

    def _phase(self, base: Rows, alive: Rows, number: int) -> tuple[Phase, NDArray[np.bool_]]:
        table, n = self.table, self.estimator.n
        keys = PhaseKeys.of(seed=self.estimator.seed, phase=number, n=n)
        units = Units.of(table.group_keys[alive])
        masks = self.estimator.parts(table.keys[alive], keys, units)  # (n_left, n)
        report = None if self.progress is None else partial(_report, self.progress, n)
        found = self.engine.fit(base, alive, masks, progress=report)
        votes = _votes(found, table.y[alive], masks)
        removal = choose_rows(
            votes,
            units,
            together=self.estimator.removal == "together",
            k=self.estimator.k,
            tau=self.estimator.tau,
            keys=table.keys[alive],
            tie=keys.tie,
        )
        return self._record(number, alive, votes, removal, found), ~removal.removed

    def _record(
        self, number: int, alive: Rows, votes: Votes, removal: Removal, found: Ensemble
    ) -> Phase:
        """Put the phase into the caller's order."""
        rows = self.table.position[alive]
        order = np.argsort(rows)
        removed = np.sort(rows[removal.removed])
        return Phase(
            number=number,
            rows=rows[order],
            correct=votes.correct[order],
            held_out=votes.held_out[order],
            removed=removed,
            removed_ids=tuple(self.table.ids[i] for i in removed),
            eligible=removal.eligible,
            tied_at_cutoff=removal.tied_at_cutoff,
            unconverged=found.unconverged,
            fallbacks=found.fallbacks,
            stop_reason=self._stop_reason(len(removed), len(alive) - len(removed)),
        )

    def _stop_reason(self, n_removed: int, n_after: int) -> StopReason | None:
        if n_removed < self.estimator.k:
            return "fewer_than_k"
        return "at_most_m" if n_after <= self.estimator.m else None


def _next_base(base: Rows, alive: Rows) -> Rows:
    """Return the rows that the next phase's leg began with: a function of numbers of rows."""
    return alive if len(alive) <= (1 - STALE) * len(base) else base


def _votes(found: Ensemble, y: NDArray[np.bool_], masks: NDArray[np.bool_]) -> Votes:
    correct = (found.predictions == y[:, None]) & ~masks  # (n_left, n)
    return Votes(correct.sum(axis=1), masks.shape[1] - masks.sum(axis=1))


def _report(progress: Progress, n: int, done: int) -> None:
    progress(done, n)
