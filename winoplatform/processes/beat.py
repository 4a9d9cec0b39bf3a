"""Beat's scheduler, which also says that it works."""

import logging
import time
from typing import Any

from celery.beat import PersistentScheduler

from winoplatform.db import versions
from winoplatform.processes import alive

log = logging.getLogger(__name__)
LONGEST_PAUSE = 10.0  # seconds between two ticks
LOOK_SECONDS = 60.0  # between two looks at the database's version


class Scheduler(PersistentScheduler):
    """Celery's scheduler; each tick writes the file of `winoplatform.processes.alive`.

    It needs no database, so it looks at times whether that is still of its version.
    """

    _looked = float("-inf")

    def tick(self, *args: Any, **kwargs: Any) -> float:
        alive.mark()
        if time.monotonic() - self._looked > LOOK_SECONDS:
            versions.wait()
            self._looked = time.monotonic()
        return min(super().tick(*args, **kwargs), LONGEST_PAUSE)

    def _ensure_connected(self) -> Any:
        # A process that waits for Redis is not hung.
        return self.connection.ensure_connection(
            _report, self.app.conf.broker_connection_max_retries, callback=alive.mark
        )


def _report(error: Exception, interval: float) -> None:
    log.error("Redis does not answer (%s); trying again in %s seconds", error, interval)
