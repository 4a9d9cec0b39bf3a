"""What the commands that execute a run in their own process have in common."""

import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any

from django.core.exceptions import ValidationError
from django.core.management.base import CommandError
from django.utils.text import slugify

from winoplatform.api.runs import RunResource, resources
from winoplatform.errors import DomainError
from winoplatform.runs.kinds import execute_here
from winoplatform.runs.models import Run, RunStatus


def kinds_by_name() -> dict[str, RunResource]:
    """Return each kind of run by its name in commands, such as ``filter-run``."""
    return {slugify(str(kind.rows.model._meta.verbose_name)): kind for kind in resources()}


Report = Callable[[Any], Iterable[str]]
_reports: dict[type[Run], Report] = {}


def reports(model: type[Run]) -> Callable[[Report], Report]:
    """Register the lines that `run` prints of a kind of run, from an app's management.reports."""

    def register(report: Report) -> Report:
        _reports[model] = report
        return report

    return register


def report_of(run: Run) -> Iterable[str] | None:
    """Return the lines of a run's report; None if its kind has none of its own."""
    report = _reports.get(type(run))
    return None if report is None else report(run)


@contextmanager
def refusals_as_errors() -> Iterator[None]:
    """End the command with the sentence of a refusal."""
    try:
        yield
    except DomainError as error:
        raise CommandError(error.message) from error
    except ValidationError as error:
        raise CommandError(" ".join(error.messages)) from error


def execute(run: Run) -> None:
    """Execute a run in this process, or wait for the worker that executes it.

    Raises
    ------
    CommandError
        When it fails or is cancelled.
    """
    while not run.has_ended:
        execute_here(run)
        run.refresh_from_db()
        if not run.has_ended:
            time.sleep(0.5)
    refuse_undone(run)


def refuse_undone(run: Run) -> None:
    """End the command with the reason why a run that has ended is not done."""
    if run.status != RunStatus.DONE:
        raise CommandError(run.failure or f"{run} was cancelled.")
