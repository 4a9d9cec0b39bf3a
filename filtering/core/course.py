"""The course of a run: Algorithm 1's outer loop, from any phase on."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from filtering.core.engines import Base, Engine, Ensemble
from filtering.core.parts import PhaseKeys, UInt64s, training_masks
from filtering.core.phases import Phase, StopReason
from filtering.core.removal import Removal, Votes, choose_rows
from filtering.core.table import Table, Units

Progress = Callable[[int, int], None]
Rows = NDArray[np.intp]
Bools = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Rules:
    """What a course goes by: the parameters of `AFLite` but for those of its classifiers."""

    n: int
    m: int
    k: int
    tau: float
    seed: int
    partition: Literal["individual", "grouped"]
    removal: Literal["individual", "together"]

    def parts(self, row_keys: UInt64s, keys: PhaseKeys, units: Units) -> Bools:
        """Draw every member's training part of a phase, (n_left, n)."""
        if self.partition == "grouped":
            return training_masks(units.keys, m=self.m, members=keys.members, units=units.of_row)
        return training_masks(row_keys, m=self.m, members=keys.members)

    def stop_reason(self, last_removed: int | None, n_left: int) -> StopReason | None:
        """Say why no further phase follows; None where one does.

        ``last_removed`` counts the rows that the last phase removed, None before the first one.
        """
        if last_removed is not None and last_removed < self.k:
            return "fewer_than_k"
        return "at_most_m" if n_left <= self.m else None


@dataclass(frozen=True, slots=True)
class Course:
    """A run over one table.

    A phase follows from the table, the rules and the rows that each phase before it removed,
    and from nothing else that happened: neither random streams nor models are carried over.
    """

    rules: Rules
    table: Table
    engine: Engine
    progress: Progress | None

    def phases(self, removed_in: NDArray[np.int64], *, n_done: int) -> Iterator[Phase]:
        """Run the phases after the first ``n_done``, of which ``removed_in`` tells who went."""
        alive = np.arange(len(removed_in))
        base = Base.of(alive)
        for number in range(1, n_done + 1):
            alive = np.flatnonzero((removed_in == 0) | (removed_in > number))
            base = base.after(alive)
        number = n_done
        last_removed = int((removed_in == n_done).sum()) if n_done else None
        while self.rules.stop_reason(last_removed, len(alive)) is None:
            number += 1
            phase, stays = self._phase(base, alive, number)
            alive = alive[stays]
            base = base.after(alive)
            last_removed = phase.n_removed
            yield phase

    def _phase(self, base: Base, alive: Rows, number: int) -> tuple[Phase, Bools]:
        table, rules, n = self.table, self.rules, self.rules.n
        keys = PhaseKeys.of(seed=rules.seed, phase=number, n=n)
        units = Units.of(table.group_keys[alive])
        masks = rules.parts(table.keys[alive], keys, units)  # (n_left, n)
        report = None if self.progress is None else partial(_report, self.progress, n)
        found = self.engine.fit(base, alive, masks, progress=report)
        votes = _votes(found, table.y[alive], masks)
        removal = choose_rows(
            votes,
            units,
            together=rules.removal == "together",
            k=rules.k,
            tau=rules.tau,
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
            stop_reason=self.rules.stop_reason(len(removed), len(alive) - len(removed)),
        )


def _votes(found: Ensemble, y: Bools, masks: Bools) -> Votes:
    correct = (found.predictions == y[:, None]) & ~masks  # (n_left, n)
    return Votes(correct.sum(axis=1), masks.shape[1] - masks.sum(axis=1))


def _report(progress: Progress, n: int, done: int) -> None:
    progress(done, n)
