"""Beat's scheduler, which also says that it works."""

import logging
from typing import Any

from celery.beat import PersistentScheduler

from winoplatform import alive

log = logging.getLogger(__name__)
LONGEST_PAUSE = 10.0  # seconds between two ticks


class Scheduler(PersistentScheduler):
    """Celery's scheduler; each tick writes the file of `winoplatform.alive`."""

    def tick(self, *args: Any, **kwargs: Any) -> float:
        alive.mark()
        return min(super().tick(*args, **kwargs), LONGEST_PAUSE)

    def _ensure_connected(self) -> Any:
        # A process that waits for Redis is not hung.
        return self.connection.ensure_connection(
            _report, self.app.conf.broker_connection_max_retries, callback=alive.mark
        )


def _report(error: Exception, interval: float) -> None:
    log.error("Redis does not answer (%s); trying again in %s seconds", error, interval)
