"""Several workers on one run: the worker that executes it asks others to help."""

import logging
from collections.abc import Callable
from typing import TypeVar, cast

from celery import current_app

from winoplatform import clock
from winoplatform.errors import DomainError
from winoplatform.processes import broker, logs
from winoplatform.runs.attempts import Attempt, Cancelled, LeaseLost
from winoplatform.runs.dispatch import BROKER_AWAY, REPEAT_SECONDS, about
from winoplatform.runs.models import Run, RunStatus

log = logging.getLogger(__name__)
R = TypeVar("R", bound=Run)
HELP = "winoplatform.help_run"
MOST_HELPERS = 16


def ask_for_help(run: Run, *, places: int) -> None:
    """Ask other workers to help with *run*, at most *places* of them.

    This is done once in ``REPEAT_SECONDS``, and a message not consumed in that time expires: so a
    worker that is new or free again is asked soon, and old messages do not pile up.
    """
    if not broker.is_used():
        return
    mark = broker.key(f"help:{run._meta.label_lower}:{run.pk}")
    try:
        if places < 1 or not broker.client().set(mark, 1, ex=REPEAT_SECONDS, nx=True):
            return
        for _ in range(min(places, MOST_HELPERS)):
            current_app.send_task(
                HELP, args=about(run), queue=run.queue, retry=False, expires=REPEAT_SECONDS
            )
    except BROKER_AWAY:
        log.warning("%s: broker unreachable; it continues without helpers", run, exc_info=True)


def help_with(model: type[R], pk: int, work: Callable[[Attempt[R]], None]) -> None:
    """Do a part of the run *pk* while another worker executes it.

    A helper writes under the attempt that it helps, and stops within a step after that attempt
    ends. Its writes also renew that attempt's lease, even if that worker has died: so the run is
    not claimed again before the helper has finished. An error here, for example because the model
    is not installed, does not fail the run.
    """
    run = model._default_manager.filter(
        pk=pk, status=RunStatus.RUNNING, leased_until__gt=clock.Now()
    ).first()
    if run is None:
        return
    with logs.within(run=str(run.public_id)):
        _help(Attempt(cast(R, run)), work)


def _help(attempt: Attempt[R], work: Callable[[Attempt[R]], None]) -> None:
    run = attempt.run
    try:
        work(attempt)
    except (Cancelled, LeaseLost):
        log.info("%s: attempt %d no longer needs help", run, run.attempt)
    except (DomainError, ValueError) as error:
        log.warning("%s: this worker cannot help: %s", run, error)
