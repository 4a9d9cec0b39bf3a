"""Steps of a run that any number of workers compute, each recorded once."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any, ClassVar, Generic, TypeVar

from django.conf import settings
from django.db import transaction
from django.db.models import Max, Q

from winoplatform.db.locks import held
from winoplatform.runs import helping
from winoplatform.runs.attempts import Attempt
from winoplatform.runs.models import Run, Step

LOOK_AGAIN_SECONDS = 0.5
R = TypeVar("R", bound=Run)
Compute = Callable[[int], Step]


@dataclass(frozen=True, slots=True)
class Share:
    """A process's part of the steps: of *of* processes it is the one with this index, from 0."""

    index: int
    of: int


WHOLE = Share(0, 1)
_share: ContextVar[Share | None] = ContextVar("share", default=None)


@contextmanager
def share_of_steps(share: Share) -> Iterator[None]:
    """Let this process begin with the steps of its share, and wait for those of others."""
    token = _share.set(share)
    try:
        yield
    finally:
        _share.reset(token)


class SharedSteps(Generic[R]):
    """The steps of a run, numbered from 1, in any order and by any worker.

    What a step computes must depend only on the run and its number. Computing it twice only costs
    time. A subclass names the table of the steps (``STEP``), their noun and the activity.
    """

    STEP: ClassVar[type[Step]]
    NOUN: ClassVar[str]
    ACTIVITY: ClassVar[str]

    def __init__(self, attempt: Attempt[R], *, n_rows: int, step_size: int) -> None:
        self.attempt, self.run = attempt, attempt.run
        self.n_rows, self.step_size = n_rows, step_size
        self.of = -(-n_rows // step_size)

    def rows_of(self, number: int) -> slice:
        """Return the rows of a step."""
        return slice((number - 1) * self.step_size, number * self.step_size)

    def recorded(self) -> set[int]:
        return set(self._steps().values_list("number", flat=True))

    def missing(self) -> list[int]:
        """Return the numbers of the steps that are not recorded yet, those to begin with first."""
        share = _share.get() or WHOLE
        numbers = set(range(1, self.of + 1)) - self.recorded()
        return sorted(numbers, key=lambda number: ((number - 1 - share.index) % share.of, number))

    def rows_done(self, more: int = 0) -> int:
        """Return the rows of the steps recorded, and of *more* steps."""
        return min((len(self.recorded()) + more) * self.step_size, self.n_rows)

    def compute_all(self, compute: Compute) -> None:
        """Continue until all steps are recorded, by this or other workers.

        Steps locked by others are waited for. If none is recorded for the time of a lease and
        three times the time of the slowest step, the other workers are assumed dead or stuck, and
        the first missing step is computed here as well.
        """
        before, since = 0, time.monotonic()
        while missing := self.missing():
            if len(missing) != before:
                before, since = len(missing), time.monotonic()
            if self.compute_free(compute):
                continue
            if time.monotonic() - since > self._patience():
                self._compute(compute, missing[0])
            else:
                waited = f"waiting for {len(missing)} {self.NOUN}s of other workers"
                self.attempt.pulse(f"{self.ACTIVITY}, {waited}")
                time.sleep(LOOK_AGAIN_SECONDS)

    def help(self, compute: Callable[[], Compute]) -> None:
        """Compute steps for the worker that executes the run; *compute* loads what they need.

        A process with a share of the steps has nothing else to do, so it stays until all are
        recorded; a worker goes on to other runs.
        """
        if self.missing():
            (self.compute_all if _share.get() else self.compute_free)(compute())

    def compute_free(self, compute: Compute) -> int:
        """Compute each missing step that is not locked; return their number."""
        count = 0
        for number in self.missing():
            helping.ask_for_help(self.run, places=self.of - len(self.recorded()) - 1)
            with held(f"{self.run._meta.label_lower} {self.run.pk}, step {number}") as ours:
                # It may have been recorded since the list of missing steps was read.
                if ours and number not in self.recorded():
                    self._compute(compute, number)
                    count += 1
        return count

    def pulse(self, number: int, rest: str) -> None:
        """Store the activity within a step; *rest* says how far it is."""
        self.attempt.pulse(f"{self._activity(number)}, {rest}")

    def _activity(self, number: int) -> str:
        return f"{self.ACTIVITY}, {self.NOUN} {number} of {self.of}"

    def _patience(self) -> float:
        lease: float = settings.RUN_LEASE_SECONDS
        slowest: float | None = self._steps().aggregate(slowest=Max("seconds"))["slowest"]
        return max(lease, 3 * (slowest or 0))

    def _compute(self, compute: Compute, number: int) -> None:
        start = time.monotonic()
        step = compute(number)
        step.seconds = time.monotonic() - start
        self._record(step)

    @transaction.atomic
    def _record(self, step: Step) -> None:
        # One worker at a time, so that each counts what the others have recorded.
        type(self.run)._default_manager.select_for_update().get(pk=self.run.pk)
        if step.number not in self.recorded():
            self.attempt.record(
                step, done=self.rows_done(more=1), activity=self._activity(step.number)
            )

    def _steps(self) -> Any:
        return self.STEP._default_manager.filter(Q(("run", self.run)))
