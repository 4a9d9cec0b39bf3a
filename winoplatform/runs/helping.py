"""Several workers on one run: its worker asks others to help; they never end it."""

import logging
from collections.abc import Callable
from typing import TypeVar, cast

from celery import current_app

from winoplatform import broker, clock
from winoplatform.errors import DomainError
from winoplatform.runs.dispatch import BROKER_AWAY, REPEAT_SECONDS, about
from winoplatform.runs.frame import Attempt, Cancelled, LeaseLost
from winoplatform.runs.models import Run, RunStatus

log = logging.getLogger(__name__)
R = TypeVar("R", bound=Run)
HELP = "winoplatform.help_run"
MOST_HELPERS = 16


def ask_for_help(run: Run, *, places: int) -> None:
    """Ask other workers to help with *run*, as many as find something to do.

    They are asked once in ``REPEAT_SECONDS``, and a message that nobody took in that time is
    void: a worker that is added, or free again, is asked soon, and none drowns in old messages.
    """
    mark = broker.key(f"help:{run._meta.label_lower}:{run.pk}")
    try:
        if places < 1 or not broker.client().set(mark, 1, ex=REPEAT_SECONDS, nx=True):
            return
        for _ in range(min(places, MOST_HELPERS)):
            current_app.send_task(
                HELP, args=about(run), queue=run.queue, retry=False, expires=REPEAT_SECONDS
            )
    except BROKER_AWAY:
        log.warning("%s: no broker took the invitation; it goes on alone", run, exc_info=True)


def help_with(model: type[R], pk: int, work: Callable[[Attempt[R]], None]) -> None:
    """Do a part of the run *pk* while somebody executes it.

    A helper writes under the attempt that it came to help. So it stops, within a step, with that
    attempt; and while it lives that attempt's lease does, also where its attempt has died: nobody
    takes the run up before the helper has done what it can. What fails here, where perhaps the
    model is not installed, does not fail the run.
    """
    run = model._default_manager.filter(
        pk=pk, status=RunStatus.RUNNING, leased_until__gt=clock.Now()
    ).first()
    if run is None:
        return
    try:
        work(Attempt(cast(R, run)))
    except (Cancelled, LeaseLost):
        log.info("%s: attempt %d needs no help any more", run, run.attempt)
    except (DomainError, ValueError) as error:
        log.warning("%s: this worker cannot help: %s", run, error)
