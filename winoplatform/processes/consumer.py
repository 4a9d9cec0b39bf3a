"""The part of a Celery worker that takes messages, which also says that it works."""

from typing import Any

from celery.worker.consumer import Consumer as CeleryConsumer
from celery.worker.state import maybe_shutdown

from winoplatform.processes import alive


class Consumer(CeleryConsumer):
    """Celery's consumer; while it waits for Redis it is not hung.

    Once connected, the signal of each heartbeat writes the file (`winoplatform.celery`).
    """

    def ensure_connected(self, conn: Any) -> Any:
        conn.ensure_connection(
            self._report_away, self.app.conf.broker_connection_max_retries, callback=_wait
        )
        return super().ensure_connected(conn)

    def _report_away(self, error: Exception, _: float) -> None:
        self.on_connection_error_before_connected(error)


def _wait() -> None:
    alive.mark()
    maybe_shutdown()
