"""Start and resume a run."""

from contextlib import suppress
from typing import Any

from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.db.models import F

from winoplatform import clock
from winoplatform.errors import Conflict, DomainError
from winoplatform.runs.dispatch import building_upon, dispatch
from winoplatform.runs.models import Run, RunStatus


@transaction.atomic
def start(run: Run) -> None:
    """Store a new run and dispatch it to a worker.

    Raises
    ------
    DomainError
        When a run that it needs has ended without a result.
    ValidationError
        When the row violates a constraint, also if an equal request was stored between the
        validation and the insert.
    """
    refuse_without_input(run)
    run.full_clean()
    try:
        with transaction.atomic():
            run.save()
    except IntegrityError:
        # The other request is stored now, so validation finds it and raises the message.
        run.full_clean()
        raise
    dispatch(run)


def refuse_without_input(run: Run) -> None:
    """Refuse a run that could never start: one that it needs has failed or was cancelled."""
    for source in run.needed:
        if source.ended_without_result:
            raise Conflict(
                "run_without_input",
                f"It depends on {source}, which {source.ending}. Resume that one first.",
            )


@transaction.atomic
def resume(run: Run) -> None:
    """Let a run that failed or was cancelled continue from its recorded steps.

    It ends with the same bytes as an uninterrupted run, and runs that failed only because it did
    are resumed too. The time since its end counts as waiting, not as running. One guarded update
    decides, so of two simultaneous requests one is refused.

    Raises
    ------
    DomainError
        When the run has not ended or is done, when it would fail again, when a run that it needs
        will never be done, or when another open run holds what it needs exclusively: an equal run,
        or one with the same release name.
    """
    run.refresh_from_db()  # and what it needs
    if run.ended_without_result and not run.can_resume:
        message = f"{run.failure} Resumed, it would fail again."
        raise Conflict("run_would_fail_again", message)
    refuse_without_input(run)
    try:
        with transaction.atomic():
            rows = type(run)._default_manager.filter(pk=run.pk, status__in=Run.RESUMABLE)
            resumed = rows.update(**_as_waiting())
            if resumed:
                run.share_status(RunStatus.QUEUED)
    except IntegrityError as error:
        raise Conflict("run_held", _sentence(run)) from error
    if not resumed:
        raise _not_ended(run)
    run.refresh_from_db()
    dispatch(run)
    # Only a failed input makes a run fail before its first attempt.
    for dependent in building_upon(run, status=RunStatus.FAILED, attempt=0):
        with suppress(DomainError):
            resume(dependent)


def _as_waiting() -> dict[str, Any]:
    return {
        "status": RunStatus.QUEUED,
        "cancel_requested": False,
        "failure": "",
        "activity": "",
        "stalled_attempts": 0,
        "leased_until": None,
        "started_at": F("started_at") + (clock.Now() - F("ended_at")),  # null if it never started
        "ended_at": None,
    }


def _sentence(run: Run) -> str:
    """Return the message of the constraint that the resumed row would violate."""
    run.status = RunStatus.QUEUED
    try:
        run.validate_constraints()
    except ValidationError as error:
        return " ".join(error.messages)
    return "Another run conflicted with this one. Please try again."


def _not_ended(run: Run) -> DomainError:
    run.refresh_from_db()
    if run.status == RunStatus.DONE:
        return Conflict("run_done", "This run is already done.")
    return Conflict("run_open", "This run is already in progress.")
