from celery import shared_task
from django.contrib.sessions.backends.db import SessionStore
from django.utils import timezone

from winoplatform.artifacts import upkeep
from winoplatform.runs import dispatch, helping, kinds


@shared_task(name=dispatch.EXECUTE)
def execute_run(kind: str, pk: int) -> None:
    kinds.execute_run(kind, pk)


@shared_task(name=helping.HELP)
def help_run(kind: str, pk: int) -> None:
    kinds.help_run(kind, pk)


@shared_task(name="winoplatform.dispatch_waiting_runs")
def dispatch_waiting_runs() -> None:
    dispatch.dispatch_waiting()


@shared_task(name="winoplatform.sweep_artifacts")
def sweep_artifacts() -> None:
    upkeep.sweep(now=timezone.now())


@shared_task(name="winoplatform.clear_sessions")
def clear_sessions() -> None:
    SessionStore.clear_expired()
