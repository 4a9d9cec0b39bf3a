"""The Celery app: a queue for light runs, one for heavy runs, and one for beat's dispatch task.

Every worker consumes the dispatch queue, so dispatching continues while any worker is free.

A message only says "look at this row"; the row is the truth (``winoplatform.runs``). A lost or
duplicate message therefore costs seconds, never a result.
"""

import os
import signal
from contextlib import suppress
from typing import Any

from celery import Celery, Task, signals

from winoplatform.processes import logs

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "winoplatform.settings")


class TracedTask(Task):  # type: ignore[type-arg]
    """A task whose log records name it, and the request that asked for it."""

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        asked_by = self.request.get("request_id") or ""
        with logs.within(task=self.request.id or "", request=asked_by):
            return super().__call__(*args, **kwargs)


app = Celery("winoplatform", task_cls=TracedTask)
SETTLE_SECONDS = 300
SWEEP_SECONDS = 3600
LEDGER_SECONDS = 3600
CLEAR_SECONDS = 3600
KEEP_SECONDS = 3600


@app.on_configure.connect
def configure(sender: Celery, **_: Any) -> None:
    """Fill the configuration on first use: it needs the broker's address."""
    from django.conf import settings

    from winoplatform.processes import broker

    sender.conf.update(
        broker_url=broker.url(),
        broker_connection_retry_on_startup=True,
        broker_transport_options={
            "global_keyprefix": settings.REDIS_KEY_PREFIX,
            "visibility_timeout": 3600,
            # A request that sends a message must not wait for an unreachable broker: beat sends
            # the message again. (Connections of workers and beat are governed by
            # broker_connection_max_retries instead.)
            "max_retries": 0,
            # Without timeouts, a broker that accepts the connection but stays silent blocks.
            "socket_connect_timeout": 1,
            "socket_timeout": 5,
        },
        task_ignore_result=True,
        task_acks_late=True,
        task_reject_on_worker_lost=True,
        task_default_queue="light",
        task_serializer="json",
        accept_content=["json"],
        worker_prefetch_multiplier=1,
        worker_hijack_root_logger=False,
        worker_cancel_long_running_tasks_on_connection_loss=False,
        worker_send_task_events=False,
        beat_schedule={
            "dispatch-waiting-runs": {
                "task": "winoplatform.dispatch_waiting_runs",
                "schedule": settings.RUN_DISPATCH_SECONDS,
                "options": {"queue": "dispatch", "expires": settings.RUN_DISPATCH_SECONDS * 2},
            },
            # A process may die after closing a campaign and before settling its last questions.
            "settle-closed-campaigns": {
                "task": "validation.settle_all_closed",
                "schedule": SETTLE_SECONDS,
                "options": {"queue": "light", "expires": SETTLE_SECONDS},
            },
            # Killed workers and deleted rows leave files behind.
            "sweep-artifacts": {
                "task": "winoplatform.sweep_artifacts",
                "schedule": SWEEP_SECONDS,
                "options": {"queue": "light", "expires": SWEEP_SECONDS},
            },
            # Its result is a figure for Prometheus, and on the page of runs.
            "check-ledger": {
                "task": "validation.check_ledger",
                "schedule": LEDGER_SECONDS,
                "options": {"queue": "light", "expires": LEDGER_SECONDS},
            },
            # Each arrival from a crowd platform creates a session.
            "clear-sessions": {
                "task": "winoplatform.clear_sessions",
                "schedule": CLEAR_SECONDS,
                "options": {"queue": "light", "expires": CLEAR_SECONDS},
            },
            # What was kept for its period is emptied or deleted.
            "keep-periods": {
                "task": "workers.keep_periods",
                "schedule": KEEP_SECONDS,
                "options": {"queue": "light", "expires": KEEP_SECONDS},
            },
        },
        beat_scheduler="winoplatform.processes.beat:Scheduler",
        worker_consumer="winoplatform.processes.consumer:Consumer",
        beat_schedule_filename=str(settings.VAR_DIR / "celerybeat-schedule"),
        timezone="UTC",
    )


app.autodiscover_tasks()


@signals.before_task_publish.connect
def send_request_id(headers: dict[str, Any], **_: Any) -> None:
    headers["request_id"] = logs.request_id()


@signals.celeryd_after_setup.connect
def wait_for_version(**_: Any) -> None:
    from winoplatform.db import versions

    versions.wait()


@signals.celeryd_after_setup.connect
def keep_to_budget(instance: Any, **_: Any) -> None:
    from django.db import connection

    from winoplatform.db import budget

    budget.refuse_excess(instance.concurrency * budget.OF_A_WORKER)
    connection.close_pool()  # type: ignore[attr-defined]  # the processes of the pool must not share it


@signals.worker_process_init.connect
def end_at_other_version(**_: Any) -> None:
    """End the worker when one of its processes notices; it starts again, and waits."""
    from winoplatform.db import versions

    versions.watch(lambda: os.kill(os.getppid(), signal.SIGTERM))


@signals.worker_process_init.connect
def reserve_sessions(**_: Any) -> None:
    """State the sessions of this process, also while it has nothing to do: by opening one."""
    from django.db import OperationalError, connection

    from winoplatform.db import budget

    budget.reserve(budget.OF_A_WORKER)
    with suppress(OperationalError):  # the database is away: the first task opens one
        connection.ensure_connection()
    connection.close()


@signals.worker_process_init.connect
def count_events(**_: Any) -> None:
    from winoplatform.metrics import counting

    counting.start()


@signals.celeryd_after_setup.connect
def import_runners(instance: Any, **_: Any) -> None:
    """Import torch before a heavy worker forks; light workers import the runners they use."""
    if "heavy" in instance.app.amqp.queues.consume_from:
        from winoplatform.runs import kinds

        kinds.import_runners()


@signals.heartbeat_sent.connect
def say_alive(sender: Any, **_: Any) -> None:
    from winoplatform.processes import alive
    from winoplatform.runs import workers_alive

    alive.mark()
    worker = sender.eventer
    workers_alive.beat(worker.hostname)


@signals.worker_ready.connect
def say_ready(sender: Any, **_: Any) -> None:
    from winoplatform.runs import workers_alive

    workers_alive.beat(
        sender.hostname, queues=[queue.name for queue in sender.task_consumer.queues]
    )
