"""Send the message that makes a worker look at a run. Losing or doubling one costs nothing."""

import logging
from collections.abc import Iterator
from typing import Any, cast

from celery import current_app
from django.apps import apps
from django.db import transaction
from django.db.models import Q
from kombu.exceptions import OperationalError
from redis.exceptions import RedisError

from winoplatform import broker
from winoplatform.embedded import ServiceError
from winoplatform.runs.models import Run, RunQuerySet, RunStatus

log = logging.getLogger(__name__)
EXECUTE = "winoplatform.execute_run"
REPEAT_SECONDS = 30
BROKER_AWAY = (OperationalError, RedisError, ServiceError)


def run_models() -> Iterator[type[Run]]:
    """Yield every kind of run that the installed apps define."""
    return (model for model in apps.get_models() if issubclass(model, Run))


def dispatch(run: Run) -> None:
    """Ask a worker to execute *run* once the surrounding transaction is stored."""
    transaction.on_commit(lambda: _send(run), robust=True)


def _send(run: Run, **options: Any) -> None:
    # An unreachable broker must not undo the request: beat dispatches every waiting run again.
    try:
        current_app.send_task(EXECUTE, args=about(run), queue=run.queue, retry=False, **options)
        broker.client().set(_mark(run), 1, ex=REPEAT_SECONDS)
    except BROKER_AWAY:
        log.warning("%s: no broker took the message; beat will send it again", run, exc_info=True)


def about(run: Run) -> list[Any]:
    """What a message says of a run: its kind and its number."""
    return [run._meta.label_lower, run.pk]


def _mark(run: Run) -> str:
    """Name the mark that a message is under way; each attempt has its own."""
    return broker.key(f"dispatched:{run._meta.label_lower}:{run.pk}:{run.attempt}")


def _ready(model: type[Run]) -> Q:
    """Select runs that go on or end at once: all they need is done, or one of it never will be."""
    all_done, one_gone = Q(), Q()
    for field in model.needs():
        all_done &= Q((field, None)) | Q((f"{field}__status", RunStatus.DONE))
        one_gone |= Q((f"{field}__status__in", Run.RESUMABLE))
    return all_done | one_gone if model.needs() else Q()


def waiting_for(run: Run) -> Iterator[Run]:
    """Yield the waiting runs that build upon *run*."""
    return building_upon(run, status=RunStatus.QUEUED)


def building_upon(run: Run, **fields: Any) -> Iterator[Run]:
    """Yield the runs that build upon *run*, or upon its output, and have these fields."""
    sources = {type(source): source for source in (run, run.output) if source is not None}
    for model in run_models():
        for name in model.needs():
            source = sources.get(cast(Any, model._meta.get_field(name).related_model))
            if source is not None:
                yield from model._default_manager.filter(**fields, **{name: source})


def dispatch_waiting() -> None:
    """Ring every run that could go on now: messages get lost and workers die.

    A run is dispatched once in ``REPEAT_SECONDS`` for each attempt, and a message that nobody took
    in that time is void: however long the workers are busy, none gets lost in old messages.
    """
    for model in run_models():
        rows = cast(RunQuerySet[Run], model._default_manager.get_queryset())
        ready = list(rows.claimable().filter(_ready(model)).order_by("pk")[:100])
        for run in _not_sent_lately(ready):
            _send(run, expires=REPEAT_SECONDS)


def _not_sent_lately(runs: list[Run]) -> list[Run]:
    try:
        marks = broker.client().mget([_mark(run) for run in runs]) if runs else []
    except BROKER_AWAY:
        log.warning("The broker does not answer; beat will send it again", exc_info=True)
        return []
    return [run for run, mark in zip(runs, marks, strict=True) if mark is None]
