"""What the commands that execute a run in their own process have in common."""

import time
from collections.abc import Iterator
from contextlib import contextmanager

from django.core.exceptions import ValidationError
from django.core.management.base import CommandError

from winoplatform.errors import DomainError
from winoplatform.runs.kinds import execute_here
from winoplatform.runs.models import Run, RunStatus


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
    if run.status != RunStatus.DONE:
        raise CommandError(run.failure or f"{run} was cancelled.")
