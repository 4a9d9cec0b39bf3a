"""Stopping rules: which rows a phase removes, and when a run ends (published or neutral)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from filtering.core.engines import Base, Ensemble
from filtering.core.fresh import FreshModels, Look
from filtering.core.neutral import STEPS, Queue, is_neutral, share_needed, unit_scores
from filtering.core.one_half import Direction, is_measurable
from filtering.core.removal import Removal, Votes, choose_rows
from filtering.core.table import Units
from stats.keys import PhaseKeys, UInt64s

StopReason = Literal[
    "fewer_than_k",
    "at_most_m",
    "no_bias",
    "below_half",
    "at_half",
    "neutral",
    "not_neutral",
    "too_few_left",
    "nothing_to_remove",
    "not_measurable",
]
Bools = NDArray[np.bool_]
Rows = NDArray[np.intp]


@dataclass(frozen=True, eq=False)  # no slots: cached properties need a __dict__
class PhaseScores:
    """The rows left at the start of a phase, and its ensemble's decisions.

    Parameters
    ----------
    number : int
        The phase, from 1.
    base : Base
    alive : int (n_left,), ascending
    units : Units
        Their groups.
    y : bool (n_left,)
    row_keys : uint64 (n_left,)
    masks : bool (n_left, n)
        Training sets.
    keys : PhaseKeys
    found : Ensemble
    """

    number: int
    base: Base
    alive: Rows
    units: Units
    y: Bools
    row_keys: UInt64s
    masks: Bools
    keys: PhaseKeys
    found: Ensemble

    @cached_property
    def votes(self) -> Votes:
        """Each row's numbers of correct and of all held-out predictions."""
        correct = (self.found.predictions == self.y[:, None]) & ~self.masks  # (n_left, n)
        return Votes(correct.sum(axis=1), self.masks.shape[1] - self.masks.sum(axis=1))

    def left(self, removed: Bools) -> tuple[Bools, UInt64s]:
        """Return the labels and groups of the rows that are not ``removed`` (n_left,)."""
        return self.y[~removed], self.units.keys[self.units.of_row[~removed]]

    @property
    def margins(self) -> NDArray[np.float64]:
        """Each row's mean held-out decision for its label (n_left,), nan if never held out."""
        decisions = np.where(self.masks, 0, self.found.decisions).sum(axis=1, dtype=np.float64)
        with np.errstate(invalid="ignore"):
            return np.asarray(np.where(self.y, 1, -1) * decisions / self.votes.held_out)


class Choice(NamedTuple):
    """The rows that a phase removes, its looks at fresh models, and whether the run ends.

    removal : Removal
        Of rows (n_left,).
    looks : tuple of Look
        In order, each over the rows left at that point; empty for rules without looks.
    stop_reason : str or None
    """

    removal: Removal
    looks: tuple[Look, ...]
    stop_reason: StopReason | None


class Stop(Protocol):
    """A stopping rule."""

    def before(self, y: Bools, groups: UInt64s) -> StopReason | None:
        """Return why no phase starts with rows of these labels and groups (n_left,), or None."""

    def choose(self, scored: PhaseScores) -> Choice:
        """Choose the rows that a phase removes."""


@dataclass(frozen=True, slots=True)
class PublishedStop:
    """Remove the top k rows at or above tau, until fewer than k are, or at most m rows are left.

    Source: WinoGrande §3, Algorithm 1, lines 11 to 15.
    """

    m: int
    k: int
    tau: float
    together: bool

    def before(self, y: Bools, groups: UInt64s) -> StopReason | None:
        return "at_most_m" if len(y) <= self.m else None

    def choose(self, scored: PhaseScores) -> Choice:
        removal = choose_rows(
            scored.votes,
            scored.units,
            together=self.together,
            k=self.k,
            tau=self.tau,
            keys=scored.row_keys,
            tie=scored.keys.tie,
        )
        reason: StopReason | None = "fewer_than_k" if removal.removed.sum() < self.k else None
        return Choice(removal, (), reason or self.before(*scored.left(removal.removed)))


@dataclass(frozen=True, slots=True)
class NeutralStop:
    """Remove the highest margins, k rows between two looks, until fresh models are at one half.

    Nothing is removed unless fresh models are found to be above one half at first: ``side`` returns
    the direction, and is called once. The scores of a phase are used for at most `STEPS` looks. Of
    the step that crosses one half only a share is removed, found by linear interpolation between
    the two looks.

    Source: docs/decisions/0027-neutral-cut.md.
    """

    m: int
    k: int
    together: bool
    side: Callable[[], Direction | None]
    models: FreshModels
    progress: Callable[[int, int], None] | None

    def before(self, y: Bools, groups: UInt64s) -> StopReason | None:
        if not is_measurable(y, groups):
            return "not_measurable"
        return "not_neutral" if len(y) <= self.m else None

    def choose(self, scored: PhaseScores) -> Choice:
        units = scored.units if self.together else Units.of(scored.row_keys)
        scores = unit_scores(scored.margins, units)
        queue = Queue.of(
            scores, units.sizes, rows=STEPS * self.k, keys=units.keys, tie=scored.keys.tie
        )
        looks = [self.models.look(scored.base, scored.alive, progress=self.progress)]
        gone = np.zeros(len(units.keys), dtype=bool)
        reason = self._reason_to_keep(scored.number, looks[0], queue)
        if reason is None:
            reason = self._remove(scored, units, queue, gone, looks)
        removed = gone[units.of_row]
        after = reason or self.before(*scored.left(removed))
        return Choice(Removal(removed, queue.eligible, 0), tuple(looks), after)

    def _reason_to_keep(self, number: int, look: Look, queue: Queue) -> StopReason | None:
        if number == 1 and (side := self.side()) != "above":
            return "below_half" if side == "below" else "no_bias"
        if is_neutral(look):
            return "neutral" if number > 1 else "at_half"
        return None if len(queue.units) else "nothing_to_remove"

    def _remove(
        self, scored: PhaseScores, units: Units, queue: Queue, gone: Bools, looks: list[Look]
    ) -> StopReason | None:
        """Mark the units to remove, and append a look after each step."""

        def look() -> Look:
            left = scored.alive[~gone[units.of_row]]
            return self.models.look(scored.base, left, progress=self.progress)

        for step in queue.steps(self.k):
            gone[step] = True
            if not is_measurable(*scored.left(gone[units.of_row])):
                gone[step] = False
                return "too_few_left"
            looks.append(look())
            if is_neutral(looks[-1]):
                sizes = units.sizes[step]
                needed = share_needed(looks[-2], looks[-1]) * sizes.sum()
                if (back := step[np.cumsum(sizes) - sizes / 2 > needed]).size:
                    gone[back] = False
                    looks.append(look())
                return "neutral"
        return None
