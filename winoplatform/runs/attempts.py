"""The frame of a long job: claim the row, execute it step by step, end it once.

A run ends with the same bytes even if its worker is killed or its message delivered twice: the
worker holds a lease under an attempt number, and steps and results are written only while that
attempt is still the row's current one.
"""

import logging
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import copy_context
from datetime import timedelta
from typing import Any, Generic, TypeVar, cast

from django.conf import settings
from django.db import connection, transaction
from django.db.models import F, Model, QuerySet
from django.db.models.expressions import CombinedExpression
from django.db.models.functions import Greatest

from winoplatform import clock
from winoplatform.errors import (
    SESSION_LOST,
    Conflict,
    DomainError,
    FileMissing,
    StoreAway,
    disk_full,
    file_missing,
)
from winoplatform.metrics import counting, events
from winoplatform.processes import logs
from winoplatform.runs.dispatch import dispatch, run_models, waiting_for
from winoplatform.runs.models import Outcome, Run, RunQuerySet, RunStatus, Step, next_attempt
from winoplatform.signals import run_done

log = logging.getLogger(__name__)
R = TypeVar("R", bound=Run)


class LeaseLost(Exception):
    """Another attempt executes this run now; this one must stop without writing."""


class Cancelled(Exception):
    """A user has cancelled the run."""


def lease_end() -> CombinedExpression:
    """Return the end of a lease that is written now."""
    return clock.Now() + timedelta(seconds=settings.RUN_LEASE_SECONDS)


class Attempt(Generic[R]):
    """One attempt's hold on a run.

    Every write is guarded by "still running, still my attempt", so an attempt whose lease has
    ended cannot add a step or end the run if it resumes later.
    """

    def __init__(self, run: R) -> None:
        self.run = run
        self.attempt = run.attempt
        self._pulsed = 0.0

    def _mine(self) -> "QuerySet[Any]":
        rows = type(self.run)._default_manager.filter(pk=self.run.pk, status=RunStatus.RUNNING)
        return rows.filter(attempt=self.attempt)

    def _renew(self, **changes: Any) -> None:
        renewed = self._mine().filter(cancel_requested=False)
        if renewed.update(leased_until=lease_end(), **changes):
            for name, value in changes.items():
                setattr(self.run, name, value)
        elif self._mine().exists():
            raise Cancelled
        else:
            raise LeaseLost

    def report(self, done: int, *, total: int | None = None, activity: str | None = None) -> None:
        """Store progress; raises ``Cancelled`` or ``LeaseLost`` if the run must stop."""
        changes: dict[str, Any] = {"done": done}
        if total is not None:
            changes["total"] = total
        if activity is not None:
            changes["activity"] = activity
        self._renew(**changes)

    def pulse(self, activity: str) -> None:
        """Store the activity within a step, at most once a second; raises as ``report`` does."""
        if time.monotonic() - self._pulsed >= 1:
            self._pulsed = time.monotonic()
            self._renew(activity=activity)

    def note(self, **facts: Any) -> None:
        """Store facts, before the first step, that later attempts must use; may raise likewise.

        For example which weights were loaded: the steps of two attempts must not differ in them.
        """
        self._renew(**facts)

    def note_same(self, **facts: str) -> None:
        """Store facts as `note`; refuse those that differ from the recorded ones."""
        for name, value in facts.items():
            recorded = getattr(self.run, name)
            if recorded not in ("", value):
                raise ValueError(
                    f"The first steps of this {self.run.noun} have {name} {recorded!r}, and here "
                    f"it is {value!r}; start a new one."
                )
        self.note(**facts)

    @transaction.atomic
    def record(self, step: Step, *, done: int, activity: str = "") -> None:
        """Store one finished step and the run's progress, in one transaction."""
        self._renew(done=done, activity=activity, stalled_attempts=0)
        step.attempt = self.attempt
        step.save(force_insert=True)

    @transaction.atomic
    def finish(self, *, output: Mapping[str, Any] | None = None, **results: Any) -> None:
        """End the run as done, storing its result fields and those of its output."""
        self._renew(**results)
        self._end(RunStatus.DONE, output=output, activity="")

    def fail(self, reason: str) -> None:
        """End the run as failed, with a reason that a person can act on."""
        self._end(RunStatus.FAILED, failure=reason)

    def wait_for_store(self) -> None:
        """Let the next attempt go on when the lease has ended; this one does not count."""
        self._mine().update(stalled_attempts=Greatest(F("stalled_attempts") - 1, 0))

    @transaction.atomic
    def _end(
        self, status: RunStatus, *, output: Mapping[str, Any] | None = None, **changes: Any
    ) -> None:
        ended = self._mine().update(
            status=status, ended_at=clock.Now(), leased_until=None, **changes
        )
        if not ended:
            raise LeaseLost
        self.run.share_status(status, **output or {})
        self.run.refresh_from_db()

    @contextmanager
    def heartbeat(self) -> Iterator[None]:
        """Renew the lease from a thread, since a step may take longer than the lease."""
        over = threading.Event()
        thread = threading.Thread(target=copy_context().run, args=(self._beat, over), daemon=True)
        thread.start()
        try:
            yield
        finally:
            over.set()
            thread.join()

    def _beat(self, over: threading.Event) -> None:
        try:
            while not over.wait(settings.RUN_LEASE_SECONDS / 3):
                try:
                    if not self._mine().update(leased_until=lease_end()):
                        return
                except SESSION_LOST:
                    log.warning("%s: heartbeat failed", self.run, exc_info=True)
                    connection.close()  # the next heartbeat opens a new one
        finally:
            connection.close()


def claim(model: type[R], pk: int) -> Attempt[R] | None:
    """Claim the run *pk* under a lease; None if it has ended, is held, or its input is not done.

    One guarded update decides, so of several claimants one succeeds.
    """
    run = model._default_manager.filter(pk=pk).first()
    if run is None or run.has_ended or not _input_ready(run):
        return None
    if not _take(run):
        return None
    was_left = run.status == RunStatus.RUNNING
    run.refresh_from_db()
    if was_left:
        counting.count(events.LEASES_EXPIRED, "run")
    elif run.attempt == 1:
        _note_wait(run)
    return Attempt(cast(R, run))


def _note_wait(run: Run) -> None:
    """Count how long a run waited since it could start: when the last run it needs had ended."""
    ends = [getattr(source, "ended_at", None) for source in run.needed]
    since = max([run.created_at, *filter(None, ends)])
    assert run.started_at is not None
    waited = (run.started_at - since).total_seconds()
    counting.observe(events.RUN_WAIT_SECONDS, max(0.0, waited), run.queue)


@transaction.atomic
def _take(run: Run) -> bool:
    rows = RunQuerySet[Run](type(run)).claimable()
    won = rows.filter(pk=run.pk, attempt=run.attempt).update(
        status=RunStatus.RUNNING,
        leased_until=lease_end(),
        started_at=run.started_at or clock.Now(),
        **next_attempt(),
    )
    if won:
        run.share_status(RunStatus.RUNNING)
    return bool(won)


def _input_ready(run: Run) -> bool:
    """Return whether the runs this one needs are done; fail it if they never will be."""
    missing = [source for source in run.needed if source.status != RunStatus.DONE]
    for source in missing:
        if source.has_ended:
            _fail_without_input(run, source)
            break
    return not missing


@transaction.atomic
def _fail_without_input(run: Run, source: Outcome) -> None:
    failed = (
        type(run)
        ._default_manager.filter(pk=run.pk, status=RunStatus.QUEUED)
        .update(
            status=RunStatus.FAILED,
            failure=f"It depends on {source}, which {source.ending}.",
            ended_at=clock.Now(),
        )
    )
    if failed:
        run.share_status(RunStatus.FAILED)
        run.refresh_from_db()
        _tell_dependents(run)


def _tell_dependents(run: Run) -> None:
    """Dispatch the runs that wait for *run*, or fail them if it ended without a result."""
    for dependent in waiting_for(run):
        if run.status == RunStatus.DONE:
            dispatch(dependent)
        elif run.has_ended:
            _fail_without_input(dependent, run)


def execute(model: type[R], pk: int, work: Callable[[Attempt[R]], None]) -> None:
    """Claim the run *pk* and execute it to its end with *work*, which resumes from recorded steps.

    *work* must call ``finish``. A ``DomainError`` or ``ValueError`` fails the run with its
    message; any other exception fails it too and is raised again. If the lease is lost, this
    attempt ends without an error.
    """
    attempt = claim(model, pk)
    if attempt is None:
        return
    with logs.within(run=str(attempt.run.public_id)):
        try:
            _attempt(attempt, work)
        except LeaseLost:
            log.warning(
                "%s: another attempt executes it; attempt %d stops", attempt.run, attempt.attempt
            )
            return
        if attempt.run.status == RunStatus.DONE:
            run_done.send_robust(sender=model, run=attempt.run)
        _tell_dependents(attempt.run)


def _attempt(attempt: Attempt[R], work: Callable[[Attempt[R]], None]) -> None:
    if attempt.run.stalled_attempts > settings.RUN_MAX_STALLED_ATTEMPTS:
        attempt.fail(
            f"The worker died {attempt.run.stalled_attempts - 1} times without finishing a step. "
            "It may need more memory than the machine has; start a new run with smaller settings."
        )
        return
    try:
        with attempt.heartbeat():
            work(attempt)
    except Cancelled:
        attempt._end(RunStatus.CANCELLED)
    except StoreAway:
        attempt.wait_for_store()
        raise
    except (LeaseLost, *SESSION_LOST):
        raise
    except FileMissing:
        attempt.fail(file_missing().message)
        _tell_dependents(attempt.run)
        raise
    except (DomainError, ValueError) as error:
        # Users see the message; the cause may contain paths of this machine.
        log.warning("%s has failed", attempt.run, exc_info=True)
        attempt.fail(str(error))
    except Exception as error:
        message = f"An unexpected error occurred: {type(error).__name__}. See the worker's log."
        full = disk_full(error)
        attempt.fail(message if full is None else full.message)
        _tell_dependents(attempt.run)
        raise


@transaction.atomic
def request_cancel(run: Run) -> None:
    """Cancel *run*: at once if it waits, at its next step if it runs."""
    rows = RunQuerySet[Run](type(run)).filter(pk=run.pk)
    ended = rows.claimable().update(
        status=RunStatus.CANCELLED, cancel_requested=True, leased_until=None, ended_at=clock.Now()
    )
    if not ended and not rows.filter(status=RunStatus.RUNNING).update(cancel_requested=True):
        raise Conflict("run_ended", "This run has already ended.")
    if ended:
        run.share_status(RunStatus.CANCELLED)
    run.refresh_from_db()
    _tell_dependents(run)


def release_all_leases() -> None:
    """Make every running run claimable at once, for the start of a machine's only workers.

    This is safe at any time: an attempt that is alive keeps its run with its next heartbeat, or
    loses it to another attempt and stops without writing.
    """
    for model in run_models():
        running = model._default_manager.filter(status=RunStatus.RUNNING)
        running.update(leased_until=clock.Now())


def steps_done(steps: "QuerySet[Any]") -> list[Model]:
    """Return the recorded steps in order; raise ValueError on a gap (which no crash can leave)."""
    steps_in_order = list(steps.order_by("number"))
    if [step.number for step in steps_in_order] != list(range(1, len(steps_in_order) + 1)):
        raise ValueError("The recorded steps of this run have a gap; start a new run.")
    return steps_in_order
