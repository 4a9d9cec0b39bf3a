"""Algorithm 1's outer loop, starting from any phase."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from filtering.core.engines import Base, BatchedEngine
from filtering.core.phases import Phase, PhaseDone
from filtering.core.probes import training_masks
from filtering.core.stopping import Choice, PhaseScores, Stop, StopReason
from filtering.core.table import Table, Units
from stats.keys import PhaseKeys, UInt64s

Progress = Callable[[int, int], None]
Rows = NDArray[np.intp]
Bools = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Rules:
    """The settings that determine the training sets of a run's phases."""

    n: int
    m: int
    seed: int
    partition: Literal["individual", "grouped"]

    def training_masks(self, row_keys: UInt64s, keys: PhaseKeys, units: Units) -> Bools:
        """Draw the training set of every member of a phase, (n_left, n)."""
        if self.partition == "grouped":
            return training_masks(units.keys, m=self.m, members=keys.members, units=units.of_row)
        return training_masks(row_keys, m=self.m, members=keys.members)


@dataclass(frozen=True, slots=True)
class PhaseLoop:
    """A run over one table.

    A phase depends only on the table, the rules and the rows removed in each earlier phase: neither
    random streams nor models are carried over.
    """

    rules: Rules
    stop: Stop
    table: Table
    engine: BatchedEngine
    progress: Progress | None

    @property
    def reason_not_to_start(self) -> StopReason | None:
        """Why there is no first phase, or None."""
        return self.stop.before(self.table.y, self.table.group_keys)

    def phases(self, done: Sequence[PhaseDone | Phase]) -> Iterator[Phase]:
        """Run the phases that follow those in ``done``."""
        removed_in = self.table.removed_in([phase.removed_ids for phase in done])
        return self._phases(removed_in, done)

    def _phases(
        self, removed_in: NDArray[np.int64], done: Sequence[PhaseDone | Phase]
    ) -> Iterator[Phase]:
        alive = np.arange(len(removed_in))
        base = Base.of(alive)
        for number in range(1, len(done) + 1):
            alive = np.flatnonzero((removed_in == 0) | (removed_in > number))
            base = base.after(alive)
        number = len(done)
        reason = done[-1].stop_reason if done else self.reason_not_to_start
        while reason is None:
            number += 1
            phase, stays = self._phase(base, alive, number)
            alive = alive[stays]
            base = base.after(alive)
            reason = phase.stop_reason
            yield phase

    def _phase(self, base: Base, alive: Rows, number: int) -> tuple[Phase, Bools]:
        scored = self._score_phase(base, alive, number)
        choice = self.stop.choose(scored)
        return self._record(scored, choice), ~choice.removal.removed

    def _score_phase(self, base: Base, alive: Rows, number: int) -> PhaseScores:
        table, n = self.table, self.rules.n
        keys = PhaseKeys.of(seed=self.rules.seed, phase=number, n=n)
        units = Units.of(table.group_keys[alive])
        masks = self.rules.training_masks(table.keys[alive], keys, units)  # (n_left, n)
        report = None if self.progress is None else partial(_report, self.progress, n)
        decisions = self.engine.fit(base, alive, masks, progress=report)
        y, row_keys = table.y[alive], table.keys[alive]
        return PhaseScores(number, base, alive, units, y, row_keys, masks, keys, decisions)

    def _record(self, scored: PhaseScores, choice: Choice) -> Phase:
        """Return the phase with rows in the caller's order."""
        rows, removal = self.table.position[scored.alive], choice.removal
        order = np.argsort(rows)
        removed = np.sort(rows[removal.removed])
        return Phase(
            number=scored.number,
            rows=rows[order],
            correct=scored.votes.correct[order],
            held_out=scored.votes.held_out[order],
            removed=removed,
            removed_ids=tuple(self.table.ids[i] for i in removed),
            eligible=removal.eligible,
            tied_at_cutoff=removal.tied_at_cutoff,
            unconverged=scored.found.unconverged,
            fallbacks=scored.found.fallbacks,
            looks=choice.looks,
            stop_reason=choice.stop_reason,
        )


def _report(progress: Progress, n: int, done: int) -> None:
    progress(done, n)
