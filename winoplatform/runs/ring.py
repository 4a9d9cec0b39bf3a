"""Send the message that makes a worker look at a run. Losing or doubling one costs nothing."""

import logging
from collections.abc import Iterator
from typing import Any, cast

from celery import current_app
from django.apps import apps
from django.db import transaction
from django.utils import timezone
from kombu.exceptions import OperationalError

from winoplatform.runs.models import Run, RunQuerySet, RunStatus

log = logging.getLogger(__name__)


def run_models() -> Iterator[type[Run]]:
    """Yield every kind of run that the installed apps define."""
    return (model for model in apps.get_models() if issubclass(model, Run))


def ring(run: Run) -> None:
    """Ask a worker to carry *run* once the surrounding transaction is stored."""
    transaction.on_commit(lambda: _send(run))


def _send(run: Run) -> None:
    # An unreachable broker must not undo the request: beat rings every waiting run again.
    try:
        current_app.send_task(run.TASK, args=[run.pk], queue=run.QUEUE, retry=False)
    except OperationalError:
        log.exception("%s: the broker did not take the message; beat will ring again", run)


def carry_here(run: Run) -> None:
    """Carry *run* in this process, as a worker would, unless somebody else carries it."""
    current_app.loader.import_default_modules()
    current_app.tasks[run.TASK](run.pk)


def _ready(model: type[Run]) -> dict[str, Any]:
    return {f"{model.INPUT}__status__in": Run.ENDED} if model.INPUT else {}


def ring_dependents(run: Run) -> None:
    """Ring the waiting runs that build upon *run*."""
    for model in run_models():
        if model.INPUT and model._meta.get_field(model.INPUT).related_model is type(run):
            waiting = model._default_manager.filter(status=RunStatus.QUEUED)
            for dependent in waiting.filter(**{model.INPUT: run}):
                ring(dependent)


def ring_waiting() -> None:
    """Ring every run that could go on now: messages get lost and workers die."""
    now = timezone.now()
    for model in run_models():
        rows = cast(RunQuerySet[Run], model._default_manager.get_queryset())
        for run in rows.claimable(now=now).filter(**_ready(model)).order_by("pk")[:100]:
            _send(run)
