"""Send the message that makes a worker look at a run; losing or repeating it is harmless."""

import logging
import time
from collections.abc import Iterator
from contextlib import suppress
from typing import Any, cast

from celery import current_app
from django.apps import apps
from django.db import transaction
from django.db.models import Q
from kombu.exceptions import OperationalError
from redis.exceptions import RedisError

from winoplatform.embedded import ServiceError
from winoplatform.processes import broker
from winoplatform.runs.models import Run, RunQuerySet, RunStatus

log = logging.getLogger(__name__)
EXECUTE = "winoplatform.execute_run"
REPEAT_SECONDS = 30
DISPATCHED_AT = "dispatched_at"
BROKER_AWAY = (OperationalError, RedisError, ServiceError)


def run_models() -> Iterator[type[Run]]:
    """Yield every model of a run that the installed apps define."""
    return (model for model in apps.get_models() if issubclass(model, Run))


def dispatch(run: Run) -> None:
    """Ask a worker to execute *run* once the current transaction is committed."""
    transaction.on_commit(lambda: _send(run), robust=True)


def _send(run: Run, **options: Any) -> None:
    if not broker.is_used():
        return
    # An unreachable broker must not fail the request: beat dispatches every waiting run again.
    try:
        broker.client().ping()  # Celery would wait for a silent broker much longer
        current_app.send_task(EXECUTE, args=about(run), queue=run.queue, retry=False, **options)
        broker.client().set(_mark(run), 1, ex=REPEAT_SECONDS)
    except BROKER_AWAY:
        log.warning("%s: broker unreachable; beat will send the message again", run, exc_info=True)


def about(run: Run) -> list[Any]:
    """Return the arguments of a message about a run: its kind and its primary key."""
    return [run._meta.label_lower, run.pk]


def _mark(run: Run) -> str:
    """Return the Redis key that marks a message as sent; each attempt has its own."""
    return broker.key(f"dispatched:{run._meta.label_lower}:{run.pk}:{run.attempt}")


def startable(model: type[Run]) -> Q:
    """Select runs to continue or to end: their inputs are done, or one of them never will be."""
    all_done, one_gone = Q(), Q()
    for field in model.needs():
        all_done &= Q((field, None)) | Q((f"{field}__status", RunStatus.DONE))
        one_gone |= Q((f"{field}__status__in", Run.RESUMABLE))
    return all_done | one_gone if model.needs() else Q()


def waiting_for(run: Run) -> Iterator[Run]:
    """Yield the waiting runs that depend on *run*."""
    return building_upon(run, status=RunStatus.QUEUED)


def building_upon(run: Run, **fields: Any) -> Iterator[Run]:
    """Yield the runs that depend on *run*, or on its output, and have these fields."""
    sources = {type(source): source for source in (run, run.output) if source is not None}
    for model in run_models():
        for name in model.needs():
            source = sources.get(cast(Any, model._meta.get_field(name).related_model))
            if source is not None:
                yield from model._default_manager.filter(**fields, **{name: source})


def dispatch_waiting() -> None:
    """Dispatch every run that could continue now: messages get lost and workers die.

    A run is dispatched once in ``REPEAT_SECONDS`` per attempt, and a message not consumed in that
    time expires, so old messages do not pile up while workers are busy.
    """
    for model in run_models():
        rows = cast(RunQuerySet[Run], model._default_manager.get_queryset())
        ready = list(rows.claimable().filter(startable(model)).order_by("pk")[:100])
        for run in _not_sent_lately(ready):
            _send(run, expires=REPEAT_SECONDS)
    with suppress(*BROKER_AWAY):
        broker.client().set(broker.key(DISPATCHED_AT), time.time())


def _not_sent_lately(runs: list[Run]) -> list[Run]:
    try:
        marks = broker.client().mget([_mark(run) for run in runs]) if runs else []
    except BROKER_AWAY:
        log.warning("The broker does not answer; beat will try again", exc_info=True)
        return []
    return [run for run, mark in zip(runs, marks, strict=True) if mark is None]
